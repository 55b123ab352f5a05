#!/usr/bin/python3
"""Prints an OTF2 archive as JSON, read with the module otf2 of Debian's python3-otf2, and so of Debian's python3.

Usage: print_otf2.py ANCHOR_FILE
[[rank, time in seconds, "Enter", region], [..., "MpiSend" or "MpiRecv", peer, tag, bytes], [..., "MpiCollectiveEnd", operation], ...]
"""
import json
import sys

import otf2

OF_EVENT = {'Enter': lambda event: [event.region.name], 'Leave': lambda event: [event.region.name],
            'MpiSend': lambda event: [event.receiver, event.msg_tag, event.msg_length],
            'MpiRecv': lambda event: [event.sender, event.msg_tag, event.msg_length],
            'MpiCollectiveEnd': lambda event: [str(event.collective_op)]}


def main():
    events = []
    with otf2.reader.open(sys.argv[1]) as trace:
        second = trace.definitions.clock_properties.timer_resolution
        ranks = {location: rank for rank, location in enumerate(trace.definitions.locations)}
        for location, event in trace.events:
            kind = type(event).__name__
            if kind in OF_EVENT:
                events.append([ranks[location], event.time / second, kind, *OF_EVENT[kind](event)])
    json.dump(events, sys.stdout)


if __name__ == '__main__':
    main()
