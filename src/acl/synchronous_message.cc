// Errors and reports of synchronous messages (synchronous_message.h).
#include "acl/synchronous_message.h"

#include <cstdio>

namespace thrum {

// Looks names up only when a report is written: waiting itself must cost nothing.
int SyncBlockage::describe_wait(const Blockage &blockage, char *text, size_t size_bytes) {
    const auto &wait = static_cast<const SyncBlockage &>(blockage);
    if (wait.side == Side::Sender)
        std::snprintf(text, size_bytes, ", waiting to send %zu bytes to rank %d", wait.bytes,
                      wait.other);
    else
        std::snprintf(text, size_bytes, ", waiting to receive from rank %d", wait.other);
    return wait.self->partition.world_rank(wait.other);
}

void await_sender(const ProcessingElement &self, const SyncReceive &receive, Completion &done) {
    if (done.done())
        return;
    SyncBlockage blockage(self, receive.source, Side::Receiver, receive.room_bytes);
    Waiting waiting(blockage);
    done.wait();
}

Error buffer_too_small(const SyncReceive &receive, size_t message_bytes) {
    return fail(MPI_ERR_TRUNCATE,
                "the message from rank %d has %zu bytes, but the receive buffer only %zu",
                receive.source, message_bytes, receive.room_bytes);
}

Error two_threads(Side side, int peer) {
    return fail(MPI_ERR_OTHER, "another thread of this rank is already %s rank %d",
                side == Side::Sender ? "sending to" : "receiving from", peer);
}

} // namespace thrum
