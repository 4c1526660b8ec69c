# Completions of lantool for bash. Made by 'lantool --generate bash'.

_lantool_words() {
  mapfile -t COMPREPLY < <(compgen -W "$1" -- "$2")
}

_lantool_list() {
  local start=''
  [[ $2 == *,* ]] && start=${2%,*},
  mapfile -t COMPREPLY < <(compgen -P "$start" -W "$1" -- "${2##*,}")
  compopt -o nospace 2>/dev/null
}

_lantool_files() {
  mapfile -t COMPREPLY < <(compgen -f -- "$1")
  compopt -o filenames 2>/dev/null
}

# Names from the system never pass through compgen -W, which would expand them.
_lantool_names() {
  local path name
  for path in "$1"/*; do
    name=${path##*/}
    [[ -e $path && $name == "$2"* && $name != *[^A-Za-z0-9._-]* ]] && COMPREPLY+=("$name")
  done
}

_lantool_interfaces() {
  _lantool_names /sys/class/net "$1"
  [[ any == "$1"* ]] && COMPREPLY+=(any)
}

# Names that are heard on the network within a second. Strangers choose them: they are compared
# and never expanded, and offered with what quotes them in the word as it was begun. Readline's
# own quoting of file names would leave dollar signs and backquotes as they are.
_lantool_heard() {
  local kind=$1 typed=$2 quote='' name word
  local -a words=()
  # A port stands behind a colon, which is a word of its own to bash.
  [[ ${COMP_WORDS[COMP_CWORD-1]} == ':' ]] && return
  [[ $typed == [\'\"]* ]] && quote=${typed:0:1} typed=${typed:1}
  # Without -r this takes the backslashes away.
  [[ $quote == "'" ]] || IFS='' read typed <<<"$typed"
  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    [[ $word == '=' ]] || words+=("$word")
  done
  while IFS='' read -r name; do
    [[ $name == "$typed"* ]] && _lantool_quote "$quote" "$name"
  done < <(command lantool --complete "$kind" "${words[@]}" 2>/dev/null </dev/null)
}

_lantool_quote() {
  local word='' letter i
  if [[ -z $1 ]]; then
    printf -v word %q "$2"
  else
    for ((i = 0; i < ${#2}; i++)); do
      letter=${2:i:1}
      case $1$letter in
        "''") letter="'\\''" ;;
        '"'[\\\$\`\"]) letter=\\$letter ;;
        # Between double quotes nothing keeps it from the history.
        '"!') letter="\"'!'\"" ;;
      esac
      word+=$letter
    done
    # Readline would leave it out behind a quote that belongs to the name.
    word+=$1
    # And it would take a first quote for the one that stands there already.
    [[ $word == "$1"* ]] && word=$1$word
  fi
  COMPREPLY+=("$word")
}

_lantool_types() {
  _lantool_words '_1password._tcp _adisk._tcp _afpovertcp._tcp _airdroid._tcp _airplay._tcp _airport._tcp _amzn-alexa._tcp _amzn-wplay._tcp _androidtvremote._tcp _androidtvremote2._tcp _apple-mobdev._tcp _apple-mobdev2._tcp _apple-pairable._tcp _appletv-v2._tcp _arduino._tcp _audirvana-ap._tcp _axis-video._tcp _bitcoin._tcp _blackmagic._tcp _bluos._tcp _bp2p._tcp _canon-bjnp1._tcp _ceph._tcp _coap._tcp _coap._udp _coaps._tcp _coaps._udp _companion-link._tcp _controlbooth._tcp _cros_p2p._tcp _cytv._tcp _daap._tcp _dacp._tcp _ddp._tcp _device-info._tcp _distcc._tcp _dns-llq._udp _dns-push-tls._tcp _dns-sd._udp _dns-update._udp _dnssd-srp._tcp _dnssd-srp._udp _dnssd-srp-tls._tcp _domain._tcp _domain._udp _dpap._tcp _dyson_mqtt._tcp _eero._tcp _elg._tcp _eppc._tcp _esphomelib._tcp _eufy._tcp _fbx-api._tcp _fbx-devices._tcp _ftp._tcp _ftps._tcp _gamecenter._tcp _git._tcp _gntp._tcp _googlecast._tcp _googlezone._tcp _hap._tcp _hap._udp _hdhomerun._tcp _heos-audio._tcp _home-assistant._tcp _home-sharing._tcp _homekit._tcp _homewizard._tcp _http._tcp _http-alt._tcp _https._tcp _hue._tcp _hyperiond-json._tcp _iax._udp _ica-networking._tcp _ichat._tcp _imap._tcp _imaps._tcp _influxdb._tcp _ipp._tcp _ipps._tcp _ippusb._tcp _irc._tcp _iscsi._tcp _jabber._tcp _jenkins._tcp _kdeconnect._udp _kerberos._tcp _kerberos._udp _keynoteaccess._tcp _keynotepair._tcp _kpasswd._udp _ldap._tcp _ldaps._tcp _leap._tcp _libratone._tcp _linkplay._tcp _llrp-secure._tcp _loxone._tcp _lutron._tcp _lxd._tcp _matter._tcp _matterc._udp _matterd._udp _mediaremotetv._tcp _meshcop._udp _meshcop-e._udp _mieleathome._tcp _miio._udp _modbus._tcp _mongodb._tcp _mpd._tcp _mqtt._tcp _ms-sql-s._tcp _msrps._tcp _mumble._tcp _mumble._udp _mysql._tcp _nanoleafapi._tcp _nanoleafms._tcp _ndi._tcp _net-assistant._udp _netconf-ssh._tcp _nfs._tcp _nmea-0183._tcp _nmea-0183._udp _nomachine._tcp _ntp._udp _nut._tcp _nvstream._tcp _nvstream_dbd._tcp _octoprint._tcp _odisk._tcp _omnistate._tcp _openhab-server._tcp _osc._tcp _osc._udp _owserver._tcp _parrot._tcp _pdl-datastream._tcp _perforce._tcp _pgpkey-hkp._tcp _pgpkey-ldap._tcp _photoshopserver._tcp _plexmediasvr._tcp _plugwise._tcp _pop3._tcp _pop3s._tcp _postgresql._tcp _powerview._tcp _presence._tcp _printer._tcp _privet._tcp _prometheus-http._tcp _ptp._tcp _ptp-init._tcp _pulse-server._tcp _pulse-sink._tcp _pulse-source._tcp _qdiscover._tcp _qmobile._tcp _rabbitmq._tcp _raop._tcp _rdlink._tcp _rdp._tcp _readynas._tcp _redis._tcp _remotepairing._tcp _rfb._tcp _riousbprint._tcp _roku-rcp._tcp _rsp._tcp _rsync._tcp _rtsp._tcp _rtsp._udp _samsungmsf._tcp _sane-port._tcp _scanner._tcp _scpi-raw._tcp _scpi-telnet._tcp _servermgr._tcp _sftp-ssh._tcp _shelly._tcp _sip._tcp _sip._udp _sips._tcp _sleep-proxy._udp _slimdevices._tcp _slpda._tcp _smb._tcp _smtp._tcp _snmp._udp _sonos._tcp _soundtouch._tcp _spotify-connect._tcp _ssh._tcp _ssscreenshare._tcp _stun._tcp _stun._udp _submission._tcp _svn._tcp _syncthing._tcp _syslog._udp _teamviewer._tcp _telnet._tcp _tftp._udp _timbuktu._tcp _tivo-videos._tcp _touch-able._tcp _touch-remote._tcp _trel._udp _turn._tcp _turn._udp _ubnt._tcp _udisks-ssh._tcp _uscan._tcp _uscans._tcp _viziocast._tcp _vlc-http._tcp _volumio._tcp _vxi-11._tcp _webdav._tcp _webdavs._tcp _webthing._tcp _wifile._tcp _witap._tcp _witap2._tcp _wled._tcp _workstation._tcp _xbmc-events._udp _xbmc-jsonrpc._tcp _xbmc-jsonrpc-h._tcp _xbmc-web._tcp _xmpp-client._tcp _xmpp-server._tcp _xserveraid._tcp _z-wave._tcp _zigbee-gateway._tcp _zwave-js-server._tcp' "$1"
}

_lantool_watch() {
  case $1 in
    --replay) _lantool_files "$2"; return ;;
    --netns) _lantool_names /run/netns "$2"; return ;;
    -i|--interface) _lantool_interfaces "$2"; return ;;
    --local) return ;;
    --mark) return ;;
    --uid) return ;;
    --port) return ;;
    --color) _lantool_words 'auto always never' "$2"; return ;;
    --record) _lantool_files "$2"; return ;;
    --verify) return ;;
    --settle) return ;;
    --exec) return ;;
    --for) return ;;
    -c|--count) return ;;
    --duration) return ;;
    --timeout) return ;;
  esac
  [[ $2 == -* ]] || _lantool_heard hosts "$2"
  ((${#COMPREPLY[@]})) || _lantool_words '--replay --netns -i --interface --local --mark --uid --port -4 --ipv4 -6 --ipv6 --json --compact --events --color -q --quiet --record --why --verify --no-poll --settle --exec --exec-initial --once --wait --for --any -c --count --duration --timeout -h --help --version' "$2"
}

_lantool_browse() {
  case $1 in
    -r|--read) _lantool_files "$2"; return ;;
    -i|--interface) _lantool_interfaces "$2"; return ;;
    --server) return ;;
    --netns) _lantool_names /run/netns "$2"; return ;;
    -d|--domain) return ;;
    --color) _lantool_words 'auto always never' "$2"; return ;;
    --settle) return ;;
    --expect) _lantool_heard instances "$2"; return ;;
    --duration) return ;;
    --timeout) return ;;
  esac
  [[ $2 == -* ]] || _lantool_types "$2"
  ((${#COMPREPLY[@]})) || _lantool_words '-r --read -i --interface --passive --server --netns -d --domain --domains --only-types --ignore-own -4 --ipv4 -6 --ipv6 --json --no-resolve --zone --color -q --quiet --types --once --settle --expect --any --duration --timeout -h --help --version' "$2"
}

_lantool_resolve() {
  case $1 in
    --service) _lantool_types "$2"; return ;;
    --domain) return ;;
    --type) _lantool_words 'A AAAA ANY CNAME HINFO NSEC PTR SRV TXT' "$2"; return ;;
    --server) return ;;
    --netns) _lantool_names /run/netns "$2"; return ;;
    -i|--interface) _lantool_interfaces "$2"; return ;;
    --color) _lantool_words 'auto always never' "$2"; return ;;
    --timeout) return ;;
  esac
  [[ $2 == -* ]] || _lantool_heard targets "$2"
  ((${#COMPREPLY[@]})) || _lantool_words '--service --domain --type --server --netns -i --interface -4 --ipv4 -6 --ipv6 --json --all --why --color -q --quiet --watch --any --timeout -h --help --version' "$2"
}

_lantool_sniff() {
  case $1 in
    -r|--read) _lantool_files "$2"; return ;;
    -i|--interface) _lantool_interfaces "$2"; return ;;
    --snapshot-length) return ;;
    --buffer-size) return ;;
    --netns) _lantool_names /run/netns "$2"; return ;;
    --protocol) _lantool_list 'mdns llmnr dns all' "$2"; return ;;
    --filter) return ;;
    --name) return ;;
    --type) _lantool_list 'A AAAA ANY CNAME HINFO NS NSEC OPT PTR SRV TXT' "$2"; return ;;
    --kind) _lantool_list 'query probe response announcement goodbye' "$2"; return ;;
    --host) _lantool_heard hosts "$2"; return ;;
    --fields) _lantool_list 'frame time interface vlan sourceMac source sourcePort destination destinationPort hopLimit tunnel protocol length id kind goodbyes opcode authoritative truncated rcode questions answers authorities additionals findings' "$2"; return ;;
    --time) _lantool_words 'local utc relative delta none' "$2"; return ;;
    --color) _lantool_words 'auto always never' "$2"; return ;;
    -w|--write) _lantool_files "$2"; return ;;
    --ring-size) return ;;
    --ring-files) return ;;
    --explain) return ;;
    -c|--count) return ;;
    --duration) return ;;
    --timeout) return ;;
  esac
  _lantool_words '-r --read -i --interface --socket --no-join --promiscuous --snapshot-length --buffer-size --netns --protocol --filter --no-tunnels --name --type --kind --host -4 --ipv4 -6 --ipv6 --json --oneline --fields --time -l --line-buffered --color -q --quiet -w --write -U --packet-buffered --ring-size --ring-files --lint --explain --stats -c --count --duration --timeout -h --help --version' "$2"
}

_lantool_ping-peer() {
  case $1 in
    --service) _lantool_types "$2"; return ;;
    --browse) _lantool_types "$2"; return ;;
    --name) _lantool_heard instances "$2"; return ;;
    --netns) _lantool_names /run/netns "$2"; return ;;
    -i|--interface) _lantool_interfaces "$2"; return ;;
    --source) return ;;
    --mode) _lantool_words 'auto echo tap connect' "$2"; return ;;
    --interval) return ;;
    -W|--wait) return ;;
    --rate) return ;;
    -s|--size) return ;;
    -p|--pattern) return ;;
    -Q|--tos) return ;;
    --color) _lantool_words 'auto always never' "$2"; return ;;
    -c|--count) return ;;
    --duration) return ;;
    --max-loss) return ;;
    --timeout) return ;;
  esac
  [[ $2 == -* ]] || _lantool_heard targets "$2"
  ((${#COMPREPLY[@]})) || _lantool_words '--service --browse --name --all --netns -i --interface --source -4 --ipv4 -6 --ipv6 --mode --interval -W --wait --rate -f --flood -s --size -p --pattern -Q --tos --nodelay --no-nodelay --no-stamps --json -D --timestamp --histogram --color -q --quiet -c --count --duration --until-lost --until-reply --max-loss --any --timeout -h --help --version' "$2"
}

_lantool_serve() {
  case $1 in
    --type) _lantool_types "$2"; return ;;
    --name) return ;;
    --subtype) return ;;
    --txt) return ;;
    --txt-file) _lantool_files "$2"; return ;;
    -p|--port) return ;;
    --host) return ;;
    -m|--mode) _lantool_words 'echo tap discard' "$2"; return ;;
    --proxy-address) return ;;
    --netns) _lantool_names /run/netns "$2"; return ;;
    -i|--interface) _lantool_interfaces "$2"; return ;;
    --allow) _lantool_words 'link any' "$2"; return ;;
    --color) _lantool_words 'auto always never' "$2"; return ;;
    --max-connections) return ;;
    --max-per-peer) return ;;
    --max-bytes) return ;;
    --idle) return ;;
    --stall) return ;;
    -c|--count) return ;;
    --duration) return ;;
    --timeout) return ;;
  esac
  _lantool_words '--type --name --subtype --txt --txt-file -p --port --host -m --mode --no-publish --publish-only --proxy-address --netns -i --interface -4 --ipv4 -6 --ipv6 --allow --json --tiles --color -q --quiet --max-connections --max-per-peer --max-bytes --idle --stall -c --count --duration --timeout -h --help --version' "$2"
}

_lantool() {
  local cur=${COMP_WORDS[COMP_CWORD]} option=${COMP_WORDS[COMP_CWORD-1]} command=''
  COMPREPLY=()
  # The equals sign is a word of its own to bash.
  if [[ $cur == '=' ]]; then
    cur=''
  elif [[ $option == '=' ]] && ((COMP_CWORD > 1)); then
    option=${COMP_WORDS[COMP_CWORD-2]}
  fi
  ((COMP_CWORD > 1)) && command=${COMP_WORDS[1]}
  case $command in
    watch) _lantool_watch "$option" "$cur" ;;
    browse) _lantool_browse "$option" "$cur" ;;
    resolve) _lantool_resolve "$option" "$cur" ;;
    sniff) _lantool_sniff "$option" "$cur" ;;
    ping-peer) _lantool_ping-peer "$option" "$cur" ;;
    serve) _lantool_serve "$option" "$cur" ;;
    help) ((COMP_CWORD == 2)) && _lantool_words 'watch browse resolve sniff ping-peer serve' "$cur" ;;
    '') _lantool_words 'watch browse resolve sniff ping-peer serve help -h --help --version' "$cur" ;;
  esac
  return 0
}

complete -F _lantool lantool
