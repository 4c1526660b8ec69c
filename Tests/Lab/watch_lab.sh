# Functions for the set-ups of `lantool watch` tests; read by sh inside the namespace of a lab.
#
# OWN and PEER name the two namespaces, LAB this folder, PIDS a file of processes to end later.
set -e

# link IF KEY=VALUE…: operstate, linkmode and carrier by RTM_SETLINK.
link() { python3 "$LAB/link_state.py" link "$@"; }

# there COMMAND…: in the peer's namespace.
there() { ip netns exec "$PEER" "$@"; }

# sysctl_ KEY VALUE, of this namespace; keys below net.
sysctl_() { echo "$2" >"/proc/sys/net/$(echo "$1" | tr . /)"; }

# await SECONDS COMMAND…: until the command succeeds.
await() {
  left=$(($1 * 50))
  shift
  until "$@" >/dev/null 2>&1; do
    left=$((left - 1))
    [ "$left" -gt 0 ] || { echo "never came true: $*" >&2; exit 1; }
    sleep 0.02
  done
}

# is IF WORD: whether the kernel's line about the link holds the word.
is() { ip -o link show dev "$1" | grep -qE "$2"; }

# pair A B: two joined links, A here and B with the peer, both up and with a carrier.
pair() {
  # Where both ends have the same index the kernel's link watch waits for up to a second.
  other=$(ip -n "$PEER" -o link | tail -n 1)
  ip link add "$1" type veth peer name "$2" index "$((${other%%:*} + 100))" netns "$PEER"
  ip -n "$PEER" link set "$2" up
  ip link set "$1" up
  await 5 is "$1" "state UP"
}

# wired: v0 with addresses of both families that can be used at once, v1 with the peer.
wired() {
  ip link set lo up
  sysctl_ ipv6.conf.default.accept_dad 0
  there sh -c 'echo 0 >/proc/sys/net/ipv6/conf/default/accept_dad'
  pair v0 v1
  ip addr add 192.0.2.10/24 brd + dev v0
  ip addr add 2001:db8::10/64 dev v0 nodad
  ip -n "$PEER" addr add 192.0.2.20/24 dev v1
  ip -n "$PEER" addr add 2001:db8::20/64 dev v1 nodad
}

# routed: wired, with default routes of both families by the peer.
routed() {
  wired
  ip route add default via 192.0.2.20
  ip -6 route add default via 2001:db8::20
}

# tun NAME [KEY=VALUE…]: a tun link with an owner that lives until the lab ends.
tun() {
  python3 "$LAB/link_state.py" tun "$@" </dev/null >/dev/null 2>&1 &
  echo $! >>"$PIDS"
  await 5 ip link show dev "$1"
  # The owner attaches right after the link is there.
  await 5 sh -c "ip link set $1 up && ip -o link show dev $1 | grep -q LOWER_UP"
}
