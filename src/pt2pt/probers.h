// The tasks that wait in MPI_Probe and MPI_Mprobe for a message.
#pragma once
#include "fiber/completion.h"
#include "match/mailbox.h"

namespace thrum {

// A task that waits in MPI_Probe; on its stack, linked in Mailbox::probers.
struct Prober {
    Envelope envelope;
    Prober *next;
    Completion found{}; // a message has arrived; another task may have taken it
};

// Wakes the probers that wait for a message with this envelope. The caller holds the lock of the
// mailbox.
void wake_probers(Mailbox &mailbox, const Envelope &envelope);
// Wakes all probers, when a process has been lost.
void wake_all_probers(Mailbox &mailbox);

} // namespace thrum
