// Control messages between node processes: answers to messages, flow control, departures, faults
// (remote_messages.cc has the table of what travels, and passes each to its unit).
#pragma once
#include "comm/process.h"

#include <cstdint>

namespace thrum {

// The kinds; each is explained where it is handled.
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

// The header of a control message. The meaning of the fields depends on the kind.
struct ControlHeader {
    Control what;
    // Number of the sender's part. Stop, Go: new_permission_number(). AskDeparture: a SendingModel.
    uint32_t serial;
    uint64_t sender; // RemoteSend at the sender; AskDeparture, Departed: number of the question
    // Cancel, Stop, Go, AskDeparture: world rank; Fault: error class; Lost: node process
    int dest;
};

// Sends a control message. The loss of the process is not reported: a task that waits for its
// answer is woken by the loss (lost.h).
void send_control(NodeProcess process, const ControlHeader &header) MAY_SUSPEND;

// Returns the node process of a rank.
NodeProcess process_number(const Process &process);

} // namespace thrum
