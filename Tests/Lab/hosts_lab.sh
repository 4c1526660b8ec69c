#!/usr/bin/env bash
# Several hosts on one machine: network namespaces joined by a bridge that lives in a namespace too.
#
#   LAB_ID=id hosts_lab.sh up N            bridge and hosts h1…hN, two-way IPv4 and IPv6
#   LAB_ID=id hosts_lab.sh down            ends what runs in these namespaces, deletes them
#   LAB_ID=id hosts_lab.sh exec hK CMD…    runs CMD in host hK
#   LAB_ID=id hosts_lab.sh addr hK 4|6|ll  an address of hK
#   LAB_ID=id hosts_lab.sh link hK up|down|carrier-off|carrier-on
#
# hK has 10.77.0.K/16 and fd77::K on eth0; its port on the bridge, in namespace lt-ID-br, is hK.
# No packet leaves.
set -euo pipefail

[[ ${LAB_ID:-} =~ ^[a-z0-9]{1,16}$ ]] || { echo "hosts_lab: LAB_ID must match [a-z0-9]{1,16}" >&2; exit 2; }
prefix=lt-$LAB_ID- bridge=lt-$LAB_ID-br

down() {
  local space pids=()
  for space in /run/netns/"$prefix"*; do
    [[ -e $space ]] || continue
    mapfile -t -O "${#pids[@]}" pids < <(ip netns pids "${space##*/}" 2>/dev/null || true)
  done
  if ((${#pids[@]})); then
    kill -TERM "${pids[@]}" 2>/dev/null || true
    for _ in {1..20}; do
      kill -0 "${pids[@]}" 2>/dev/null || break
      sleep 0.05
    done
    kill -KILL "${pids[@]}" 2>/dev/null || true
  fi
  for space in /run/netns/"$prefix"*; do
    [[ ! -e $space ]] || ip netns del "${space##*/}" || true
  done
}

# Addresses can be used at once, and nothing is sent that a test has not asked for.
quiet='cd /proc/sys/net
  for s in ipv6/conf/default ipv6/conf/all; do
    echo 0 >$s/accept_ra; echo 0 >$s/router_solicitations; echo 0 >$s/accept_dad; echo 0 >$s/dad_transmits
  done
  [ ! -e bridge/bridge-nf-call-iptables ] || for f in iptables ip6tables arptables; do echo 0 >bridge/bridge-nf-call-$f; done'

up() {
  local count=$1 k host
  down
  ip netns add "$bridge"
  ip netns exec "$bridge" sh -c "$quiet; for s in default all; do echo 1 >ipv6/conf/\$s/disable_ipv6; done"
  ip -n "$bridge" link set lo up
  ip -n "$bridge" link add br0 type bridge mcast_snooping 0 forward_delay 0 stp_state 0
  ip -n "$bridge" link set br0 up
  for ((k = 1; k <= count; k++)); do
    host=${prefix}h$k
    ip netns add "$host"
    ip netns exec "$host" sh -c "$quiet"
    ip -n "$bridge" link add "h$k" type veth peer name eth0 netns "$host"
    ip -n "$bridge" link set "h$k" master br0 up
    ip -n "$host" link set lo up
    ip -n "$host" addr add "10.77.0.$k/16" brd + dev eth0
    ip -n "$host" addr add "fd77::$k/64" dev eth0 nodad
    ip -n "$host" link set eth0 up
    ip -n "$host" route add 224.0.0.0/4 dev eth0
  done
  for ((k = 1; k <= count; k++)); do
    for _ in {1..200}; do
      ip -n "${prefix}h$k" -6 -o addr show dev eth0 scope link -tentative | grep -q inet6 &&
        ! ip -n "${prefix}h$k" -o link show | grep -q NO-CARRIER && continue 2
      sleep 0.02
    done
    echo "hosts_lab: h$k did not come up" >&2
    exit 1
  done
}

address() {
  case $2 in
    4) ip -n "$prefix$1" -4 -o addr show dev eth0 ;;
    6) ip -n "$prefix$1" -6 -o addr show dev eth0 scope global ;;
    ll) ip -n "$prefix$1" -6 -o addr show dev eth0 scope link ;;
  esac | awk '{sub("/.*", "", $4); print $4; exit}'
}

link() {
  case $2 in
    down) ip -n "$prefix$1" link set eth0 down ;;
    up) # the kernel drops routes and global IPv6 addresses of a link that goes down
      ip -n "$prefix$1" link set eth0 up
      ip -n "$prefix$1" addr replace "fd77::${1#h}/64" dev eth0 nodad
      ip -n "$prefix$1" route replace 224.0.0.0/4 dev eth0
      ;;
    carrier-off) ip -n "$bridge" link set "$1" down ;;
    carrier-on) ip -n "$bridge" link set "$1" up ;;
  esac
}

what=${1:?}
shift
case $what in
  up) up "${1:?}" ;;
  down) down ;;
  exec)
    host=$1
    shift
    exec ip netns exec "$prefix$host" "$@"
    ;;
  addr) address "$1" "${2:-4}" ;;
  link) link "$1" "${2:?}" ;;
  *)
    echo "hosts_lab: $what?" >&2
    exit 2
    ;;
esac
