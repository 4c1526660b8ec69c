#!/bin/bash
# A DNS server on the loopback of a network namespace: dns_server.sh NAMESPACE FOLDER [ADDRESS]
#
# Serves the zone `example.org` from FOLDER/zone at port 53; says `ready` once it answers. A line
# `reload` on standard input reads the zone anew and is answered with `done`; the end of standard
# input ends the server.
set -u
namespace=$1 folder=$2 address=${3:-127.0.0.1}
cat >"$folder/knot.conf" <<CONF
server:
    rundir: "$folder"
    listen: [ $address@53, ::1@53 ]
database:
    storage: "$folder"
template:
  - id: default
    storage: "$folder"
    journal-content: none
zone:
  - domain: example.org
    file: zone
CONF
ip -n "$namespace" link set lo up
# The shell may be killed, and then the server is to go too.
setpriv --pdeathsig TERM ip netns exec "$namespace" /usr/sbin/knotd -c "$folder/knot.conf" >"$folder/knotd.log" 2>&1 &
server=$!
trap 'kill $server' EXIT
for _ in {1..500}; do
  knotc -s "$folder/knot.sock" zone-status example.org 2>/dev/null | grep -q 'serial: [0-9]' && break
  sleep 0.02
done
echo ready
while read -r line; do
  [ "$line" = reload ] && knotc -b -s "$folder/knot.sock" zone-reload example.org >>"$folder/knotd.log" 2>&1
  echo "done $line"
done
