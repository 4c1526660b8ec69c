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
  _lantool_words '--replay --netns -i --interface --local --mark --uid --port -4 --ipv4 -6 --ipv6 --json --compact --events --color -q --quiet --record --why --verify --no-poll --settle --exec --exec-initial --once --wait --for --any -c --count --duration --timeout -h --help --version' "$2"
}

_lantool_resolve() {
  case $1 in
    --service) return ;;
    --domain) return ;;
    --type) return ;;
    --netns) _lantool_names /run/netns "$2"; return ;;
    -i|--interface) _lantool_interfaces "$2"; return ;;
    --color) _lantool_words 'auto always never' "$2"; return ;;
    --timeout) return ;;
  esac
  _lantool_words '--service --domain --type --netns -i --interface -4 --ipv4 -6 --ipv6 --json --all --color -q --quiet --watch --any --timeout -h --help --version' "$2"
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
    --host) return ;;
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
    resolve) _lantool_resolve "$option" "$cur" ;;
    sniff) _lantool_sniff "$option" "$cur" ;;
    help) ((COMP_CWORD == 2)) && _lantool_words 'watch resolve sniff' "$cur" ;;
    '') _lantool_words 'watch resolve sniff help -h --help --version' "$cur" ;;
  esac
  return 0
}

complete -F _lantool lantool
