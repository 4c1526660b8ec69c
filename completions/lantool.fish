# Completions of lantool for fish. Made by 'lantool --generate fish'.

function __lantool_needs_command
    test (count (commandline -opc)) -eq 1
end

function __lantool_using
    set -l words (commandline -opc)
    test (count $words) -gt 1; and test $words[2] = $argv[1]
end

function __lantool_names
    for path in $argv[1]/*
        string replace -r '.*/' '' -- $path
    end
end

function __lantool_list
    set -l typed (commandline -ct | string replace -r '^(--[^=]*=|-[^-])' '')
    set -l start (string match -r '^.*,' -- $typed)
    printf '%s\n' "$start"$argv
end

# Names that are heard on the network within a second. Strangers choose them: each is a line of
# output, which fish never expands, and it puts in whatever quotes they need.
function __lantool_heard
    # None begins with a hyphen, so an option need not wait for them.
    string match -qr -- '^-[^=]*$' (commandline -ct); and return
    set -l words (commandline -opc)
    command lantool --complete $argv[1] $words[2..-1] 2>/dev/null </dev/null
end

complete -c lantool -f

function __lantool_types
    printf '%s\t%s\n' _1password._tcp '1Password password sync' \
        _adisk._tcp 'Time Machine backup disk' \
        _afpovertcp._tcp 'Apple file sharing (AFP)' \
        _airdroid._tcp 'AirDroid device' \
        _airplay._tcp 'AirPlay display' \
        _airport._tcp 'AirPort base station' \
        _amzn-alexa._tcp 'Amazon Alexa device' \
        _amzn-wplay._tcp 'Amazon Fire TV' \
        _androidtvremote._tcp 'Android TV remote control' \
        _androidtvremote2._tcp 'Android TV remote control, version 2' \
        _apple-mobdev._tcp 'iPhone or iPad wireless sync' \
        _apple-mobdev2._tcp 'iPhone or iPad wireless sync, version 2' \
        _apple-pairable._tcp 'Apple device ready to pair' \
        _appletv-v2._tcp 'Apple TV with home sharing' \
        _arduino._tcp 'Arduino board, updated over the air' \
        _audirvana-ap._tcp 'Audirvana audio player' \
        _axis-video._tcp 'Axis network camera' \
        _bitcoin._tcp 'Bitcoin node' \
        _blackmagic._tcp 'Blackmagic video device' \
        _bluos._tcp 'BluOS music player' \
        _bp2p._tcp 'Peer-to-peer backup' \
        _canon-bjnp1._tcp 'Canon printer or scanner' \
        _ceph._tcp 'Ceph storage' \
        _coap._tcp 'CoAP (Internet of things)' \
        _coap._udp 'CoAP (Internet of things)' \
        _coaps._tcp 'CoAP over TLS or DTLS' \
        _coaps._udp 'CoAP over TLS or DTLS' \
        _companion-link._tcp 'Apple device link' \
        _controlbooth._tcp 'Media remote control' \
        _cros_p2p._tcp 'Chrome OS update sharing' \
        _cytv._tcp 'CyTV' \
        _daap._tcp 'Music library (DAAP)' \
        _dacp._tcp 'Music remote control (DACP)' \
        _ddp._tcp 'Distributed display' \
        _device-info._tcp 'Device information' \
        _distcc._tcp 'Distributed compiler' \
        _dns-llq._udp 'DNS long-lived queries' \
        _dns-push-tls._tcp 'DNS push notifications' \
        _dns-sd._udp 'DNS-SD domain enumeration' \
        _dns-update._udp 'DNS update' \
        _dnssd-srp._tcp 'Service registration (SRP)' \
        _dnssd-srp._udp 'Service registration (SRP)' \
        _dnssd-srp-tls._tcp 'Service registration (SRP) over TLS' \
        _domain._tcp 'DNS server' \
        _domain._udp 'DNS server' \
        _dpap._tcp 'Photo library (DPAP)' \
        _dyson_mqtt._tcp 'Dyson appliance' \
        _eero._tcp 'eero router' \
        _elg._tcp 'Elgato light' \
        _eppc._tcp 'Remote Apple events' \
        _esphomelib._tcp 'ESPHome device' \
        _eufy._tcp 'eufy device' \
        _fbx-api._tcp 'Freebox server interface' \
        _fbx-devices._tcp 'Freebox devices' \
        _ftp._tcp 'File transfer (FTP)' \
        _ftps._tcp 'File transfer over TLS (FTPS)' \
        _gamecenter._tcp 'Game Center' \
        _git._tcp 'Git repository' \
        _gntp._tcp 'Growl notifications' \
        _googlecast._tcp 'Google Cast device' \
        _googlezone._tcp 'Google Cast group' \
        _hap._tcp 'HomeKit accessory' \
        _hap._udp 'HomeKit accessory (Thread)' \
        _hdhomerun._tcp 'HDHomeRun tuner' \
        _heos-audio._tcp 'Denon HEOS speaker' \
        _home-assistant._tcp 'Home Assistant' \
        _home-sharing._tcp 'Apple home sharing' \
        _homekit._tcp 'HomeKit home hub' \
        _homewizard._tcp 'HomeWizard energy meter' \
        _http._tcp 'Web site' \
        _http-alt._tcp 'Web site on another port' \
        _https._tcp 'Secure web site' \
        _hue._tcp 'Philips Hue bridge' \
        _hyperiond-json._tcp 'Hyperion ambient light' \
        _iax._udp 'Asterisk exchange (IAX)' \
        _ica-networking._tcp 'Image capture' \
        _ichat._tcp 'iChat' \
        _imap._tcp 'Mail server (IMAP)' \
        _imaps._tcp 'Mail server over TLS (IMAPS)' \
        _influxdb._tcp 'InfluxDB database' \
        _ipp._tcp 'Internet printer (IPP)' \
        _ipps._tcp 'Internet printer over TLS (IPPS)' \
        _ippusb._tcp 'Printer on USB (IPP)' \
        _irc._tcp 'Internet relay chat' \
        _iscsi._tcp 'iSCSI storage' \
        _jabber._tcp 'Jabber client' \
        _jenkins._tcp 'Jenkins build server' \
        _kdeconnect._udp 'KDE Connect device' \
        _kerberos._tcp 'Kerberos' \
        _kerberos._udp 'Kerberos' \
        _keynoteaccess._tcp 'Keynote remote access' \
        _keynotepair._tcp 'Keynote remote pairing' \
        _kpasswd._udp 'Kerberos password change' \
        _ldap._tcp 'Directory (LDAP)' \
        _ldaps._tcp 'Directory over TLS (LDAPS)' \
        _leap._tcp 'Leap device' \
        _libratone._tcp 'Libratone speaker' \
        _linkplay._tcp 'LinkPlay speaker' \
        _llrp-secure._tcp 'RFID reader (LLRP)' \
        _loxone._tcp 'Loxone smart home' \
        _lutron._tcp 'Lutron light control' \
        _lxd._tcp 'LXD containers' \
        _matter._tcp 'Matter node' \
        _matterc._udp 'Matter device to be commissioned' \
        _matterd._udp 'Matter commissioner' \
        _mediaremotetv._tcp 'Apple TV remote control' \
        _meshcop._udp 'Thread border router' \
        _meshcop-e._udp 'Thread border router, ephemeral key' \
        _mieleathome._tcp 'Miele appliance' \
        _miio._udp 'Xiaomi device' \
        _modbus._tcp 'Modbus device' \
        _mongodb._tcp 'MongoDB database' \
        _mpd._tcp 'Music player daemon' \
        _mqtt._tcp 'MQTT broker' \
        _ms-sql-s._tcp 'Microsoft SQL server' \
        _msrps._tcp 'Message session relay' \
        _mumble._tcp 'Mumble voice chat' \
        _mumble._udp 'Mumble voice chat' \
        _mysql._tcp 'MySQL database' \
        _nanoleafapi._tcp 'Nanoleaf light' \
        _nanoleafms._tcp 'Nanoleaf light' \
        _ndi._tcp 'NDI video source' \
        _net-assistant._udp 'Apple remote desktop' \
        _netconf-ssh._tcp 'Network configuration (NETCONF)' \
        _nfs._tcp 'Network file system (NFS)' \
        _nmea-0183._tcp 'Navigation data (NMEA 0183)' \
        _nmea-0183._udp 'Navigation data (NMEA 0183)' \
        _nomachine._tcp 'NoMachine remote desktop' \
        _ntp._udp 'Network time' \
        _nut._tcp 'Uninterruptible power supply (NUT)' \
        _nvstream._tcp 'NVIDIA game streaming' \
        _nvstream_dbd._tcp 'NVIDIA game streaming host' \
        _octoprint._tcp 'OctoPrint 3D printer' \
        _odisk._tcp 'Shared optical drive' \
        _omnistate._tcp 'OmniFocus or OmniGraffle sync' \
        _openhab-server._tcp 'openHAB smart home' \
        _osc._tcp 'Open Sound Control' \
        _osc._udp 'Open Sound Control' \
        _owserver._tcp '1-Wire sensors' \
        _parrot._tcp 'Parrot drone' \
        _pdl-datastream._tcp 'Printer, raw socket (port 9100)' \
        _perforce._tcp 'Perforce repository' \
        _pgpkey-hkp._tcp 'PGP key server' \
        _pgpkey-ldap._tcp 'PGP directory' \
        _photoshopserver._tcp 'Adobe Photoshop remote' \
        _plexmediasvr._tcp 'Plex media server' \
        _plugwise._tcp 'Plugwise energy meter' \
        _pop3._tcp 'Mail server (POP3)' \
        _pop3s._tcp 'Mail server over TLS (POP3S)' \
        _postgresql._tcp 'PostgreSQL database' \
        _powerview._tcp 'Hunter Douglas shades' \
        _presence._tcp 'Chat nearby (XMPP)' \
        _printer._tcp 'Line printer (LPD)' \
        _privet._tcp 'Google cloud device' \
        _prometheus-http._tcp 'Prometheus metrics' \
        _ptp._tcp 'Camera (PTP over IP)' \
        _ptp-init._tcp 'Camera, initiator (PTP over IP)' \
        _pulse-server._tcp 'PulseAudio sound server' \
        _pulse-sink._tcp 'PulseAudio speaker' \
        _pulse-source._tcp 'PulseAudio microphone' \
        _qdiscover._tcp 'QNAP device' \
        _qmobile._tcp 'QNAP storage' \
        _rabbitmq._tcp 'RabbitMQ messages' \
        _raop._tcp 'AirPlay speaker' \
        _rdlink._tcp 'Apple device link' \
        _rdp._tcp 'Remote desktop (RDP)' \
        _readynas._tcp 'Netgear ReadyNAS storage' \
        _redis._tcp 'Redis store' \
        _remotepairing._tcp 'Apple device pairing' \
        _rfb._tcp 'Screen sharing (VNC)' \
        _riousbprint._tcp 'Printer on an AirPort station' \
        _roku-rcp._tcp 'Roku player' \
        _rsp._tcp 'Music library (Roku)' \
        _rsync._tcp 'File synchronization (rsync)' \
        _rtsp._tcp 'Media stream (RTSP)' \
        _rtsp._udp 'Media stream (RTSP)' \
        _samsungmsf._tcp 'Samsung smart TV' \
        _sane-port._tcp 'Scanner (SANE)' \
        _scanner._tcp 'Scanner' \
        _scpi-raw._tcp 'Laboratory instrument, raw (SCPI)' \
        _scpi-telnet._tcp 'Laboratory instrument, telnet (SCPI)' \
        _servermgr._tcp 'Apple server administration' \
        _sftp-ssh._tcp 'File transfer over SSH (SFTP)' \
        _shelly._tcp 'Shelly switch' \
        _sip._tcp 'Internet telephony (SIP)' \
        _sip._udp 'Internet telephony (SIP)' \
        _sips._tcp 'Internet telephony over TLS (SIPS)' \
        _sleep-proxy._udp 'Sleep proxy' \
        _slimdevices._tcp 'Squeezebox player' \
        _slpda._tcp 'SLP directory agent' \
        _smb._tcp 'Windows file sharing (SMB)' \
        _smtp._tcp 'Mail relay (SMTP)' \
        _snmp._udp 'Network management (SNMP)' \
        _sonos._tcp 'Sonos speaker' \
        _soundtouch._tcp 'Bose SoundTouch speaker' \
        _spotify-connect._tcp 'Spotify Connect speaker' \
        _ssh._tcp 'Remote login (SSH)' \
        _ssscreenshare._tcp 'Screen sharing control' \
        _stun._tcp 'NAT traversal (STUN)' \
        _stun._udp 'NAT traversal (STUN)' \
        _submission._tcp 'Mail submission' \
        _svn._tcp 'Subversion repository' \
        _syncthing._tcp 'Syncthing file synchronization' \
        _syslog._udp 'System log' \
        _teamviewer._tcp 'TeamViewer remote control' \
        _telnet._tcp 'Remote login (telnet)' \
        _tftp._udp 'Trivial file transfer (TFTP)' \
        _timbuktu._tcp 'Timbuktu remote control' \
        _tivo-videos._tcp 'TiVo recordings' \
        _touch-able._tcp 'Apple TV or iTunes remote control' \
        _touch-remote._tcp 'iOS remote control' \
        _trel._udp 'Thread radio encapsulation' \
        _turn._tcp 'NAT relay (TURN)' \
        _turn._udp 'NAT relay (TURN)' \
        _ubnt._tcp 'Ubiquiti device' \
        _udisks-ssh._tcp 'Disk management over SSH' \
        _uscan._tcp 'Scanner (eSCL)' \
        _uscans._tcp 'Scanner over TLS (eSCL)' \
        _viziocast._tcp 'Vizio cast' \
        _vlc-http._tcp 'VLC remote control' \
        _volumio._tcp 'Volumio music player' \
        _vxi-11._tcp 'Laboratory instrument (VXI-11)' \
        _webdav._tcp 'Web folder (WebDAV)' \
        _webdavs._tcp 'Secure web folder (WebDAV)' \
        _webthing._tcp 'Web of things device' \
        _wifile._tcp 'File transfer over Wi-Fi' \
        _witap._tcp 'WiTap game, version 1' \
        _witap2._tcp 'WiTap game, version 2' \
        _wled._tcp 'WLED light' \
        _workstation._tcp 'Workstation' \
        _xbmc-events._udp 'Kodi events' \
        _xbmc-jsonrpc._tcp 'Kodi remote control' \
        _xbmc-jsonrpc-h._tcp 'Kodi remote control over HTTP' \
        _xbmc-web._tcp 'Kodi web interface' \
        _xmpp-client._tcp 'Chat server (XMPP)' \
        _xmpp-server._tcp 'Chat between servers (XMPP)' \
        _xserveraid._tcp 'Xserve RAID storage' \
        _z-wave._tcp 'Z-Wave controller' \
        _zigbee-gateway._tcp 'Zigbee gateway' \
        _zwave-js-server._tcp 'Z-Wave JS server'
end

complete -c lantool -n __lantool_needs_command -s h -l help -d 'show this help and exit'
complete -c lantool -n __lantool_needs_command -l version -d 'show the version and exit'
complete -c lantool -n __lantool_needs_command -a watch -d 'follow whether hosts can be reached, and why'
complete -c lantool -n __lantool_needs_command -a browse -d 'find the services on the network, and follow them'
complete -c lantool -n __lantool_needs_command -a resolve -d 'find addresses and ports of hosts and services'
complete -c lantool -n __lantool_needs_command -a sniff -d 'show multicast DNS messages, live or from a capture file'
complete -c lantool -n __lantool_needs_command -a ping-peer -d 'test whether a peer answers, how fast, and intact'
complete -c lantool -n __lantool_needs_command -a serve -d 'publish a service and be the peer behind it'
complete -c lantool -n __lantool_needs_command -a help -d 'show the help of a command'
complete -c lantool -n '__lantool_using help' -a watch -d 'follow whether hosts can be reached, and why'

complete -c lantool -n '__lantool_using watch' -l replay -r -F -d 'judge a recording of --record instead of the kernel'
complete -c lantool -n '__lantool_using watch' -l netns -x -a '(__lantool_names /run/netns)' -d 'work inside this network namespace'
complete -c lantool -n '__lantool_using watch' -s i -l interface -x -a '(__lantool_names /sys/class/net; echo any)' -d 'only by way of this interface'
complete -c lantool -n '__lantool_using watch' -l local -x -d 'only from this address of this host'
complete -c lantool -n '__lantool_using watch' -l mark -x -d 'as for packets with this firewall mark'
complete -c lantool -n '__lantool_using watch' -l uid -x -d 'as for packets of this user'
complete -c lantool -n '__lantool_using watch' -l port -x -d 'as for TCP packets to this port'
complete -c lantool -n '__lantool_using watch' -s 4 -l ipv4 -d 'IPv4 only'
complete -c lantool -n '__lantool_using watch' -s 6 -l ipv6 -d 'IPv6 only'
complete -c lantool -n '__lantool_using watch' -l json -d 'write JSON Lines, one object a line'
complete -c lantool -n '__lantool_using watch' -l compact -d 'show the flags as letters: WR ctiCDld'
complete -c lantool -n '__lantool_using watch' -l events -d 'show also what the kernel tells'
complete -c lantool -n '__lantool_using watch' -l color -x -a "auto\t'on a terminal, unless NO_COLOR is set' always\t'in any case' never\t'not at all'" -d 'colour the text: auto, always or never'
complete -c lantool -n '__lantool_using watch' -s q -l quiet -d 'write no records; the exit status tells'
complete -c lantool -n '__lantool_using watch' -l record -r -F -d 'save what the kernel tells, for --replay and for Wireshark'
complete -c lantool -n '__lantool_using watch' -l why -d 'show the facts behind each verdict, in order'
complete -c lantool -n '__lantool_using watch' -l verify -x -d 'send a probe: neighbour, icmp, tcp:PORT or http://HOST'
complete -c lantool -n '__lantool_using watch' -l no-poll -d 'ask the kernel only when it tells of a change'
complete -c lantool -n '__lantool_using watch' -l settle -x -d 'show a change only once it has lasted DUR'
complete -c lantool -n '__lantool_using watch' -l exec -x -d 'run CMD at each change'
complete -c lantool -n '__lantool_using watch' -l exec-initial -d 'run it for the first state too'
complete -c lantool -n '__lantool_using watch' -l once -d 'show the present state and exit'
complete -c lantool -n '__lantool_using watch' -l wait -d 'end as soon as a condition holds (default: reachable)'
complete -c lantool -n '__lantool_using watch' -l for -x -d 'with --wait, the condition must hold for DUR without a break'
complete -c lantool -n '__lantool_using watch' -l any -d 'one target that holds is enough; without it all must hold'
complete -c lantool -n '__lantool_using watch' -s c -l count -x -d 'end after N changes'
complete -c lantool -n '__lantool_using watch' -l duration -x -d 'end after DUR (30s, 5m)'
complete -c lantool -n '__lantool_using watch' -l timeout -x -d 'give up after DUR without a result (250ms, 3s, 2m, none)'
complete -c lantool -n '__lantool_using watch' -s h -l help -d 'show this help and exit'
complete -c lantool -n '__lantool_using watch' -l version -d 'show the version and exit'
complete -c lantool -n '__lantool_using watch' -a '(__lantool_heard hosts)'
complete -c lantool -n '__lantool_using help' -a browse -d 'find the services on the network, and follow them'

complete -c lantool -n '__lantool_using browse' -s r -l read -r -F -d 'browse a capture file (\'-\': standard input)'
complete -c lantool -n '__lantool_using browse' -s i -l interface -x -a '(__lantool_names /sys/class/net; echo any)' -d 'only on this interface; repeatable'
complete -c lantool -n '__lantool_using browse' -l passive -d 'send no questions; show what others are told'
complete -c lantool -n '__lantool_using browse' -l server -x -d 'ask this DNS server for domains other than local'
complete -c lantool -n '__lantool_using browse' -l netns -x -a '(__lantool_names /run/netns)' -d 'work inside this network namespace'
complete -c lantool -n '__lantool_using browse' -s d -l domain -x -d 'browse this domain (default: local, by multicast)'
complete -c lantool -n '__lantool_using browse' -l domains -d 'list the domains that are recommended, and no services'
complete -c lantool -n '__lantool_using browse' -l only-types -d 'list the service types on the network, and no services'
complete -c lantool -n '__lantool_using browse' -l ignore-own -d 'leave out the services of this host'
complete -c lantool -n '__lantool_using browse' -s 4 -l ipv4 -d 'IPv4 only'
complete -c lantool -n '__lantool_using browse' -s 6 -l ipv6 -d 'IPv6 only'
complete -c lantool -n '__lantool_using browse' -l json -d 'write JSON Lines, one object a line'
complete -c lantool -n '__lantool_using browse' -l no-resolve -d 'show names only, and ask for nothing else'
complete -c lantool -n '__lantool_using browse' -l zone -d 'print DNS records for a zone file at the end'
complete -c lantool -n '__lantool_using browse' -l color -x -a "auto\t'on a terminal, unless NO_COLOR is set' always\t'in any case' never\t'not at all'" -d 'colour the text: auto, always or never'
complete -c lantool -n '__lantool_using browse' -s q -l quiet -d 'write no records; the exit status tells'
complete -c lantool -n '__lantool_using browse' -l types -d 'list known service types with their meaning and exit'
complete -c lantool -n '__lantool_using browse' -l once -d 'end when the first list is complete'
complete -c lantool -n '__lantool_using browse' -l settle -x -d 'how long nothing new must come for a complete list (default: 500ms)'
complete -c lantool -n '__lantool_using browse' -l expect -x -a '(__lantool_heard instances)' -d 'end as soon as this service is there; repeatable'
complete -c lantool -n '__lantool_using browse' -l any -d 'with --expect, one is enough; without it all must be there'
complete -c lantool -n '__lantool_using browse' -l duration -x -d 'end after DUR (30s, 5m)'
complete -c lantool -n '__lantool_using browse' -l timeout -x -d 'give up after DUR without a result (250ms, 3s, 2m, none)'
complete -c lantool -n '__lantool_using browse' -s h -l help -d 'show this help and exit'
complete -c lantool -n '__lantool_using browse' -l version -d 'show the version and exit'
complete -c lantool -n '__lantool_using browse' -a '(__lantool_types)'
complete -c lantool -n '__lantool_using help' -a resolve -d 'find addresses and ports of hosts and services'

complete -c lantool -n '__lantool_using resolve' -l service -x -a '(__lantool_types)' -d 'NAME is an instance of this service type (_ipp._tcp)'
complete -c lantool -n '__lantool_using resolve' -l domain -x -d 'the domain of service instances that name none (local)'
complete -c lantool -n '__lantool_using resolve' -l type -x -a "A\t'an IPv4 address' AAAA\t'an IPv6 address' ANY\t'all that there is' CNAME\t'the name behind an alias' HINFO\t'processor and system' NSEC\t'which types there are' PTR\t'instances of a service, the name of an address' SRV\t'host and port of a service' TXT\t'attributes of a service'" -d 'ask for records of this type: TXT, HINFO, ANY, TYPE65280'
complete -c lantool -n '__lantool_using resolve' -l server -x -d 'ask this DNS server and nobody else'
complete -c lantool -n '__lantool_using resolve' -l netns -x -a '(__lantool_names /run/netns)' -d 'work inside this network namespace'
complete -c lantool -n '__lantool_using resolve' -s i -l interface -x -a '(__lantool_names /sys/class/net; echo any)' -d 'ask by multicast on this interface only; repeatable'
complete -c lantool -n '__lantool_using resolve' -s 4 -l ipv4 -d 'IPv4 only'
complete -c lantool -n '__lantool_using resolve' -s 6 -l ipv6 -d 'IPv6 only'
complete -c lantool -n '__lantool_using resolve' -l json -d 'write JSON Lines, one object a line'
complete -c lantool -n '__lantool_using resolve' -l all -d 'ask every source and show what each says, with its time'
complete -c lantool -n '__lantool_using resolve' -l why -d 'show which rule puts each address before the next'
complete -c lantool -n '__lantool_using resolve' -l color -x -a "auto\t'on a terminal, unless NO_COLOR is set' always\t'in any case' never\t'not at all'" -d 'colour the text: auto, always or never'
complete -c lantool -n '__lantool_using resolve' -s q -l quiet -d 'write no records; the exit status tells'
complete -c lantool -n '__lantool_using resolve' -l watch -d 'go on and show what changes'
complete -c lantool -n '__lantool_using resolve' -l any -d 'one name that is resolved is enough; without it all must be'
complete -c lantool -n '__lantool_using resolve' -l timeout -x -d 'give up after DUR without a result (250ms, 3s, 2m, none)'
complete -c lantool -n '__lantool_using resolve' -s h -l help -d 'show this help and exit'
complete -c lantool -n '__lantool_using resolve' -l version -d 'show the version and exit'
complete -c lantool -n '__lantool_using resolve' -a '(__lantool_heard targets)'
complete -c lantool -n '__lantool_using help' -a sniff -d 'show multicast DNS messages, live or from a capture file'

complete -c lantool -n '__lantool_using sniff' -s r -l read -r -F -d 'read a capture file (\'-\': standard input)'
complete -c lantool -n '__lantool_using sniff' -s i -l interface -x -a '(__lantool_names /sys/class/net; echo any)' -d 'listen on this interface; repeatable (\'any\': all)'
complete -c lantool -n '__lantool_using sniff' -l socket -d 'listen with a UDP socket; needs no privileges'
complete -c lantool -n '__lantool_using sniff' -l no-join -d 'do not join the multicast groups'
complete -c lantool -n '__lantool_using sniff' -l promiscuous -d 'take in frames for other hosts too'
complete -c lantool -n '__lantool_using sniff' -l snapshot-length -x -d 'capture at most SIZE bytes of each frame'
complete -c lantool -n '__lantool_using sniff' -l buffer-size -x -d 'size of the kernel\'s capture buffer'
complete -c lantool -n '__lantool_using sniff' -l netns -x -a '(__lantool_names /run/netns)' -d 'work inside this network namespace'
complete -c lantool -n '__lantool_using sniff' -l protocol -x -a '(__lantool_list mdns llmnr dns all)' -d 'which messages: mdns (default), llmnr, dns, all'
complete -c lantool -n '__lantool_using sniff' -l filter -x -d 'only frames that match a pcap expression'
complete -c lantool -n '__lantool_using sniff' -l no-tunnels -d 'do not look into tunnels'
complete -c lantool -n '__lantool_using sniff' -l name -x -d 'only messages with a name that matches; repeatable'
complete -c lantool -n '__lantool_using sniff' -l type -x -a '(__lantool_list A AAAA ANY CNAME HINFO NS NSEC OPT PTR SRV TXT)' -d 'only messages with a record of these types'
complete -c lantool -n '__lantool_using sniff' -l kind -x -a '(__lantool_list query probe response announcement goodbye)' -d 'only these kinds of messages: query, probe, response, announcement, goodbye'
complete -c lantool -n '__lantool_using sniff' -l host -x -a '(__lantool_heard hosts)' -d 'only messages from or to this address, MAC or host name; repeatable'
complete -c lantool -n '__lantool_using sniff' -s 4 -l ipv4 -d 'IPv4 only'
complete -c lantool -n '__lantool_using sniff' -s 6 -l ipv6 -d 'IPv6 only'
complete -c lantool -n '__lantool_using sniff' -l json -d 'write JSON Lines, one object a line'
complete -c lantool -n '__lantool_using sniff' -l oneline -d 'one line a message, for grep'
complete -c lantool -n '__lantool_using sniff' -l fields -x -a '(__lantool_list frame time interface vlan sourceMac source sourcePort destination destinationPort hopLimit tunnel protocol length id kind goodbyes opcode authoritative truncated rcode questions answers authorities additionals findings)' -d 'print these fields of each message, separated by tabs'
complete -c lantool -n '__lantool_using sniff' -l time -x -a "local\t'date and time here (default)' utc\t'date and time, UTC' relative\t'since the first message' delta\t'since the message before' none\t'no times'" -d 'times as local, utc, relative, delta or none'
complete -c lantool -n '__lantool_using sniff' -s l -l line-buffered -d 'write each message as soon as it is known'
complete -c lantool -n '__lantool_using sniff' -l color -x -a "auto\t'on a terminal, unless NO_COLOR is set' always\t'in any case' never\t'not at all'" -d 'colour the text: auto, always or never'
complete -c lantool -n '__lantool_using sniff' -s q -l quiet -d 'write no records; the exit status tells'
complete -c lantool -n '__lantool_using sniff' -s w -l write -r -F -d 'save the matching frames in a capture file'
complete -c lantool -n '__lantool_using sniff' -s U -l packet-buffered -d 'with --write, save each frame at once'
complete -c lantool -n '__lantool_using sniff' -l ring-size -x -d 'with --write, begin a new file after SIZE bytes'
complete -c lantool -n '__lantool_using sniff' -l ring-files -x -d 'with --ring-size, keep only the last N files'
complete -c lantool -n '__lantool_using sniff' -l lint -d 'report what breaks the rules of multicast DNS'
complete -c lantool -n '__lantool_using sniff' -l explain -x -d 'explain a rule of --lint and exit'
complete -c lantool -n '__lantool_using sniff' -l stats -d 'end with totals for each host, type and name'
complete -c lantool -n '__lantool_using sniff' -s c -l count -x -d 'end after N matching messages'
complete -c lantool -n '__lantool_using sniff' -l duration -x -d 'end after DUR of capture (30s, 5m)'
complete -c lantool -n '__lantool_using sniff' -l timeout -x -d 'give up after DUR without a result (250ms, 3s, 2m, none)'
complete -c lantool -n '__lantool_using sniff' -s h -l help -d 'show this help and exit'
complete -c lantool -n '__lantool_using sniff' -l version -d 'show the version and exit'
complete -c lantool -n '__lantool_using help' -a ping-peer -d 'test whether a peer answers, how fast, and intact'

complete -c lantool -n '__lantool_using ping-peer' -l service -x -a '(__lantool_types)' -d 'TARGET is an instance of this service type (_witap2._tcp)'
complete -c lantool -n '__lantool_using ping-peer' -l browse -x -a '(__lantool_types)' -d 'find the peers of this service type first; repeatable'
complete -c lantool -n '__lantool_using ping-peer' -l name -x -a '(__lantool_heard instances)' -d 'with --browse, test the instance of this name'
complete -c lantool -n '__lantool_using ping-peer' -l all -d 'with --browse, test all peers side by side'
complete -c lantool -n '__lantool_using ping-peer' -l netns -x -a '(__lantool_names /run/netns)' -d 'work inside this network namespace'
complete -c lantool -n '__lantool_using ping-peer' -s i -l interface -x -a '(__lantool_names /sys/class/net; echo any)' -d 'browse, and connect, by this interface only'
complete -c lantool -n '__lantool_using ping-peer' -l source -x -d 'connect from this address of ours'
complete -c lantool -n '__lantool_using ping-peer' -s 4 -l ipv4 -d 'IPv4 only'
complete -c lantool -n '__lantool_using ping-peer' -s 6 -l ipv6 -d 'IPv6 only'
complete -c lantool -n '__lantool_using ping-peer' -l mode -x -a "auto\t'what the target's type says' echo\t'bytes must come back' tap\t'taps of WiTap, acknowledged by the peer's kernel' connect\t'the handshake alone'" -d 'how to test: auto, echo, tap or connect'
complete -c lantool -n '__lantool_using ping-peer' -l interval -x -d 'from one probe to the next (default: 1s); 0: at each answer'
complete -c lantool -n '__lantool_using ping-peer' -s W -l wait -x -d 'how long each probe or handshake may take (default: 1s)'
complete -c lantool -n '__lantool_using ping-peer' -l rate -x -d 'send so many probes a second, whatever comes back'
complete -c lantool -n '__lantool_using ping-peer' -s f -l flood -d 'send without a pause, with COUNT under way at most (default: 16)'
complete -c lantool -n '__lantool_using ping-peer' -s s -l size -x -d 'bytes of a probe in echo mode (default: 64)'
complete -c lantool -n '__lantool_using ping-peer' -s p -l pattern -x -d 'what a probe repeats: hexadecimal digits, or text'
complete -c lantool -n '__lantool_using ping-peer' -s Q -l tos -x -d 'type of service or traffic class, 0 to 255 or 0x00 to 0xff'
complete -c lantool -n '__lantool_using ping-peer' -l nodelay -d 'send small probes at once (TCP_NODELAY); the default'
complete -c lantool -n '__lantool_using ping-peer' -l no-nodelay -d 'let the kernel collect small probes (Nagle)'
complete -c lantool -n '__lantool_using ping-peer' -l no-stamps -d 'do without the kernel\'s time stamps'
complete -c lantool -n '__lantool_using ping-peer' -l json -d 'write JSON Lines, one object a line'
complete -c lantool -n '__lantool_using ping-peer' -s D -l timestamp -d 'print the time of day before each line'
complete -c lantool -n '__lantool_using ping-peer' -l histogram -d 'show how the times are distributed at the end'
complete -c lantool -n '__lantool_using ping-peer' -l color -x -a "auto\t'on a terminal, unless NO_COLOR is set' always\t'in any case' never\t'not at all'" -d 'colour the text: auto, always or never'
complete -c lantool -n '__lantool_using ping-peer' -s q -l quiet -d 'write no records; the exit status tells'
complete -c lantool -n '__lantool_using ping-peer' -s c -l count -x -d 'end after so many probes'
complete -c lantool -n '__lantool_using ping-peer' -l duration -x -d 'end after DUR (30s, 5m) of probes'
complete -c lantool -n '__lantool_using ping-peer' -l until-lost -d 'end at the first probe that is lost'
complete -c lantool -n '__lantool_using ping-peer' -l until-reply -d 'end at the first answer; wait for a peer to come up'
complete -c lantool -n '__lantool_using ping-peer' -l max-loss -x -d 'more lost probes than this make the exit status 1'
complete -c lantool -n '__lantool_using ping-peer' -l any -d 'one peer that answers is enough; without it all must'
complete -c lantool -n '__lantool_using ping-peer' -l timeout -x -d 'give up after DUR without a result (250ms, 3s, 2m, none)'
complete -c lantool -n '__lantool_using ping-peer' -s h -l help -d 'show this help and exit'
complete -c lantool -n '__lantool_using ping-peer' -l version -d 'show the version and exit'
complete -c lantool -n '__lantool_using ping-peer' -a '(__lantool_heard targets)'
complete -c lantool -n '__lantool_using help' -a serve -d 'publish a service and be the peer behind it'

complete -c lantool -n '__lantool_using serve' -l type -x -a '(__lantool_types)' -d 'the service type (default: _witap2._tcp)'
complete -c lantool -n '__lantool_using serve' -l name -x -d 'the name of the service (default: the name of the host)'
complete -c lantool -n '__lantool_using serve' -l subtype -x -d 'a subtype that the service is found under too; repeatable'
complete -c lantool -n '__lantool_using serve' -l txt -x -d 'an attribute in the TXT record; repeatable'
complete -c lantool -n '__lantool_using serve' -l txt-file -r -F -d 'more attributes, a line each; read again at SIGHUP'
complete -c lantool -n '__lantool_using serve' -s p -l port -x -d 'the port (default: one that is free, the same for both families)'
complete -c lantool -n '__lantool_using serve' -l host -x -d 'the name of the host in .local (default: the system\'s)'
complete -c lantool -n '__lantool_using serve' -s m -l mode -x -a "echo\t'bytes come back as they were sent' tap\t'a player of WiTap' discard\t'bytes are taken and thrown away'" -d 'what the peer does: echo, tap or discard (default: echo)'
complete -c lantool -n '__lantool_using serve' -l no-publish -d 'serve without publishing'
complete -c lantool -n '__lantool_using serve' -l publish-only -d 'publish a server that somebody else runs on --port'
complete -c lantool -n '__lantool_using serve' -l proxy-address -x -d 'publish for the machine with this address; repeatable'
complete -c lantool -n '__lantool_using serve' -l netns -x -a '(__lantool_names /run/netns)' -d 'work inside this network namespace'
complete -c lantool -n '__lantool_using serve' -s i -l interface -x -a '(__lantool_names /sys/class/net; echo any)' -d 'publish and serve on this interface only; repeatable'
complete -c lantool -n '__lantool_using serve' -s 4 -l ipv4 -d 'IPv4 only'
complete -c lantool -n '__lantool_using serve' -s 6 -l ipv6 -d 'IPv6 only'
complete -c lantool -n '__lantool_using serve' -l allow -x -a "link\t'peers on a link of this host' any\t'everybody'" -d 'who is served: link or any (default: link)'
complete -c lantool -n '__lantool_using serve' -l json -d 'write JSON Lines, one object a line'
complete -c lantool -n '__lantool_using serve' -l tiles -d 'show a board of tiles; the keys 1 to 9 tap them'
complete -c lantool -n '__lantool_using serve' -l color -x -a "auto\t'on a terminal, unless NO_COLOR is set' always\t'in any case' never\t'not at all'" -d 'colour the text: auto, always or never'
complete -c lantool -n '__lantool_using serve' -s q -l quiet -d 'write no records; the exit status tells'
complete -c lantool -n '__lantool_using serve' -l max-connections -x -d 'connections at once (default: 8192)'
complete -c lantool -n '__lantool_using serve' -l max-per-peer -x -d 'connections at once from one address (default: all)'
complete -c lantool -n '__lantool_using serve' -l max-bytes -x -d 'bytes that one connection may send (default: 64G)'
complete -c lantool -n '__lantool_using serve' -l idle -x -d 'end connections that are silent for DUR (default: 5m)'
complete -c lantool -n '__lantool_using serve' -l stall -x -d 'end those that read nothing for DUR (default: 30s)'
complete -c lantool -n '__lantool_using serve' -s c -l count -x -d 'end after N connections have come and gone'
complete -c lantool -n '__lantool_using serve' -l duration -x -d 'end after DUR (30s, 5m)'
complete -c lantool -n '__lantool_using serve' -l timeout -x -d 'give up after DUR without a result (250ms, 3s, 2m, none)'
complete -c lantool -n '__lantool_using serve' -s h -l help -d 'show this help and exit'
complete -c lantool -n '__lantool_using serve' -l version -d 'show the version and exit'
