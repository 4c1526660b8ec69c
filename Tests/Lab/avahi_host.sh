#!/bin/bash
# An avahi-daemon with a D-Bus of its own in a network namespace, and a shell beside it.
#
#   avahi_host.sh NAMESPACE FOLDER HOST [SECTION.KEY=VALUE…]
#
# Prints `ready` once the daemon has its host name. Then each line of standard input is run there,
# and `done N` with its status follows. All ends with this process, also by SIGKILL.
set -eu

if [ "$1" != --inside ]; then
  namespace=$1 self=$(readlink -f "$0")
  shift
  exec ip netns exec "$namespace" unshare --mount --pid --fork --kill-child=KILL \
    "$self" --inside "$@"
fi
shift
folder=$1 host=$2
shift 2
mount -t tmpfs tmpfs /run
mkdir -p /run/dbus /run/avahi-daemon "$folder"

cat >"$folder/dbus.conf" <<'X'
<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
  "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>system</type>
  <listen>unix:path=/run/dbus/system_bus_socket</listen>
  <auth>EXTERNAL</auth>
  <policy context="default">
    <allow user="*"/><allow own="*"/><allow send_type="method_call"/>
    <allow send_requested_reply="true" send_type="method_return"/>
    <allow send_requested_reply="true" send_type="error"/><allow send_type="signal"/>
    <allow receive_type="method_call"/><allow receive_type="method_return"/>
    <allow receive_type="error"/><allow receive_type="signal"/>
  </policy>
  <limit name="max_match_rules_per_connection">100000</limit>
  <limit name="max_replies_per_connection">100000</limit>
  <limit name="max_outgoing_bytes">134217728</limit>
  <limit name="max_incoming_bytes">134217728</limit>
</busconfig>
X

# avahi's own limits are too low for a lab with many services.
declare -A settings=(
  [server.host-name]=$host [server.use-ipv4]=yes [server.use-ipv6]=yes [server.deny-interfaces]=lo
  [server.enable-dbus]=yes [server.ratelimit-interval-usec]=1000000 [server.ratelimit-burst]=1000
  [server.cache-entries-max]=100000 [server.objects-per-client-max]=100000
  [server.entries-per-entry-group-max]=1000 [server.clients-max]=4096
  [wide-area.enable-wide-area]=no [publish.publish-hinfo]=no [publish.publish-workstation]=no
)
for setting in "$@"; do settings[${setting%%=*}]=${setting#*=}; done
for section in server wide-area publish; do
  echo "[$section]"
  for key in "${!settings[@]}"; do
    [ "${key%%.*}" != $section ] || echo "${key#*.}=${settings[$key]}"
  done
done >"$folder/avahi.conf"

dbus-daemon --config-file="$folder/dbus.conf" --nofork --nopidfile >"$folder/dbus.log" 2>&1 &
for _ in {1..250}; do [ ! -S /run/dbus/system_bus_socket ] || break; sleep 0.02; done
avahi-daemon --no-drop-root --no-chroot --no-rlimits -f "$folder/avahi.conf" \
  >"$folder/avahi.log" 2>&1 &
daemon=$!
state() {
  dbus-send --system --print-reply=literal --dest=org.freedesktop.Avahi / \
    org.freedesktop.Avahi.Server.GetState 2>/dev/null
}
for _ in {1..400}; do
  [[ $(state || true) != *" 2" ]] || { echo ready; break; }
  kill -0 $daemon 2>/dev/null || { cat "$folder/avahi.log" >&2; exit 1; }
  sleep 0.02
done
set +e
while IFS= read -r line; do
  eval "$line"
  echo "done $?"
done
