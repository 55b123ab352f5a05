// Control messages between node processes: answers to messages, flow control, departures, faults
// (remote.cc has the table of what travels, and gives each to its unit).
#pragma once
#include "comm/process.h"

#include <cstdint>

namespace thrum {

enum class Control : uint32_t {
    Done,
    Cancel,
    Cancelled,
    Stop,
    Go,
    Fault,
    Lost,
    AskDeparture,
    Departed,
};

struct ControlHeader {
    Control what;
    // Of the sender's part; Stop, Go: new_permission_number(); AskDeparture: a SendingModel.
    uint32_t serial;
    uint64_t sender;
    // Cancel, Stop, Go, AskDeparture: world rank; Fault: error class; Lost: node process
    int dest;
};

void send_control(NodeProcess process, const ControlHeader &header) MAY_SUSPEND;

// The node process of a rank.
NodeProcess process_number(const Process &process);

} // namespace thrum
