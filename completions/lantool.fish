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

complete -c lantool -f
complete -c lantool -n __lantool_needs_command -s h -l help -d 'show this help and exit'
complete -c lantool -n __lantool_needs_command -l version -d 'show the version and exit'
complete -c lantool -n __lantool_needs_command -a watch -d 'follow whether hosts can be reached, and why'
complete -c lantool -n __lantool_needs_command -a resolve -d 'find addresses and ports of hosts and services, and who says so'
complete -c lantool -n __lantool_needs_command -a sniff -d 'show multicast DNS messages, live or from a capture file'
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
complete -c lantool -n '__lantool_using help' -a resolve -d 'find addresses and ports of hosts and services, and who says so'

complete -c lantool -n '__lantool_using resolve' -l service -x -d 'NAME is an instance of this service type (_ipp._tcp)'
complete -c lantool -n '__lantool_using resolve' -l domain -x -d 'the domain of service instances that name none (local)'
complete -c lantool -n '__lantool_using resolve' -l type -x -d 'ask for records of this type: TXT, HINFO, ANY, TYPE65280'
complete -c lantool -n '__lantool_using resolve' -l netns -x -a '(__lantool_names /run/netns)' -d 'work inside this network namespace'
complete -c lantool -n '__lantool_using resolve' -s i -l interface -x -a '(__lantool_names /sys/class/net; echo any)' -d 'ask by multicast on this interface only; repeatable'
complete -c lantool -n '__lantool_using resolve' -s 4 -l ipv4 -d 'IPv4 only'
complete -c lantool -n '__lantool_using resolve' -s 6 -l ipv6 -d 'IPv6 only'
complete -c lantool -n '__lantool_using resolve' -l json -d 'write JSON Lines, one object a line'
complete -c lantool -n '__lantool_using resolve' -l all -d 'ask every source and show what each says, with its time'
complete -c lantool -n '__lantool_using resolve' -l color -x -a "auto\t'on a terminal, unless NO_COLOR is set' always\t'in any case' never\t'not at all'" -d 'colour the text: auto, always or never'
complete -c lantool -n '__lantool_using resolve' -s q -l quiet -d 'write no records; the exit status tells'
complete -c lantool -n '__lantool_using resolve' -l watch -d 'go on and show what changes'
complete -c lantool -n '__lantool_using resolve' -l any -d 'one name that is resolved is enough; without it all must be'
complete -c lantool -n '__lantool_using resolve' -l timeout -x -d 'give up after DUR without a result (250ms, 3s, 2m, none)'
complete -c lantool -n '__lantool_using resolve' -s h -l help -d 'show this help and exit'
complete -c lantool -n '__lantool_using resolve' -l version -d 'show the version and exit'
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
complete -c lantool -n '__lantool_using sniff' -l host -x -d 'only messages from or to this address, MAC or host name; repeatable'
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
