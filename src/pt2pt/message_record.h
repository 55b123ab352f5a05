// What tools see of messages: counts, levels and events of the two ranks (trace/recorder.h); and
// what their ranks learn from them (check/causality.h), and what happens to the buffers of receives
// (check/active_buffers.h). Called only while somebody_listens(); nothing is counted for a rank
// without a recorder.
#pragma once
#include "pt2pt/envelope_message.h"
#include "pt2pt/outgoing.h"

namespace thrum {

// Records that the calling rank has matched its message with a posted receive, into whose buffer it
// is about to copy it.
[[gnu::cold]] void record_match(const ReceiveRequest &receive, Mailbox &receiver);
// Records that it has copied the message.
[[gnu::cold]] void record_delivery(const Outgoing &out, const ReceiveRequest &receive,
                                   Mailbox &receiver);
// Records that the calling rank has put its message into the unexpected queue; the mailbox is
// locked.
[[gnu::cold]] void record_unexpected(const UnexpectedMessage &message, Mailbox &receiver);
// Records that the calling rank has taken the message from its queue, to receive it; the mailbox is
// locked.
[[gnu::cold]] void record_receive(const UnexpectedMessage &message, const ReceiveRequest &receive,
                                  Mailbox &mailbox);
// Records that the calling rank has copied the message of a send that waits for that.
[[gnu::cold]] void record_completed_send(const SendRequest &send);

// Record the same where the other rank is in another node process: only the part of the rank that
// is here. The mailbox is locked where a message is unexpected. `dest`: world rank.
[[gnu::cold]] void record_remote_send(const Envelope &envelope, size_t size_bytes, int dest,
                                      bool waits, uint32_t serial);
[[gnu::cold]] void record_remote_delivery(const Envelope &envelope, size_t size_bytes,
                                          Mailbox &receiver);
[[gnu::cold]] void record_remote_unexpected(const UnexpectedMessage &message, Mailbox &receiver);
// Record that the data of a message have come, or have left: the request is about to be complete.
[[gnu::cold]] void record_remote_end(const ReceiveRequest &receive);
[[gnu::cold]] void record_remote_end(const SendRequest &send);
// Note for `mpiexec --trace` a message from process `source` that a receive takes, or that waits.
[[gnu::cold]] void log_remote_delivery(const EnvelopeHeader &header, NodeProcess source,
                                       const ReceiveRequest &receive);
[[gnu::cold]] void log_remote_unexpected(const UnexpectedMessage &message,
                                         const EnvelopeHeader &header, NodeProcess source,
                                         const Mailbox &receiver);

} // namespace thrum
