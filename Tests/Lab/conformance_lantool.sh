#!/usr/bin/env bash
# conformance_lantool.sh HK HOST INSTANCE TYPE PORT SUBTYPE TXT…: lantool as conformance.py has it.
#
# LANTOOL is the program.
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
host=$1 name=$2 instance=$3 type=$4 port=$5 subtype=$6
shift 6
options=(--host "$name" --name "$instance" --type "$type" --port "$port")
[[ -z $subtype ]] || options+=(--subtype "$subtype")
for text in "$@"; do options+=(--txt "$text"); done
exec "$here/hosts_lab.sh" exec "$host" "${LANTOOL:-lantool}" serve --publish-only "${options[@]}"
