// The queue of packets is a Mailbox, whose envelopes have process numbers as sources. Failures are
// rare, so they search the whole queue.
#include "pt2pt/packet_queue.h"

#include "datatype/predefined.h"
#include "pt2pt/envelope_message.h"
#include "pt2pt/lost.h"
#include "wireup/wireup.h"

#include <algorithm>
#include <vector>

namespace thrum {
namespace {

// An operation that has failed according to another process.
struct ToldFault {
    uint32_t context;
    int tag;
    PacketFault fault;
};

// Returns the failures that were reported; usually none. Guarded by the lock of the mailbox.
std::vector<ToldFault> &told_faults() {
    static auto *faults = new std::vector<ToldFault>; // never destroyed, as the mailbox
    return *faults;
}

// The operations that have ended lately: enough to recognize a packet that comes late. All the
// following are guarded by the lock of the mailbox.
constexpr size_t ended_max = 256;
constinit EndedOperation ended_operations[ended_max];

EndedOperation &place_of_ended(uint32_t context, int tag) {
    return ended_operations[(static_cast<uint32_t>(tag) + context / 2 * 31) % ended_max];
}

// Strays that have come after the end of their operation, until they are taken.
constexpr size_t strays_max = 16;

std::vector<StrayPacket> &strays() {
    static auto *all = new std::vector<StrayPacket>; // never destroyed, as the mailbox
    return *all;
}

constinit std::atomic<bool> has_strays{false};

// Keeps a packet that has come too late.
void note_if_stray(const Envelope &envelope, const PacketLabel &label) {
    const EndedOperation &ended = place_of_ended(envelope.context, envelope.tag);
    if (ended.context != envelope.context || ended.tag != envelope.tag ||
        ended.said == label.said || strays().size() == strays_max)
        return;
    strays().push_back({ended, envelope.source, label});
    has_strays.store(true, std::memory_order_relaxed);
}

// Returns whether a failure ends a receive, too, that belongs to this context and tag.
bool ends(const ToldFault &told, const Envelope &envelope) {
    if (told.context != envelope.context)
        return false;
    if (told.tag == envelope.tag)
        return true;
    const auto is_nonblocking = [](int tag) {
        return tag >> nonblocking_tag_shift == 1;
    };
    return told.fault.code == MPI_ERR_OTHER && is_nonblocking(told.tag) &&
           is_nonblocking(envelope.tag) && told.tag < envelope.tag;
}

// Returns whether the receive belongs to the operation of this envelope.
bool is_of(const PacketReceive &packet, const Envelope &envelope) {
    return packet.envelope.context == envelope.context && packet.envelope.tag == envelope.tag;
}

// Takes the receives for which concerns(packet) is true out of the queue, and completes them with a
// fault.
template <class Concerns>
void fail_packets(Concerns concerns, const PacketFault &fault) {
    std::vector<PacketReceive *> failed;
    Mailbox &mailbox = packet_mailbox();
    mailbox.lock.lock();
    for (PostedReceive *posted = mailbox.posted.first(); posted;
         posted = mailbox.posted.next(*posted))
        if (auto *packet = static_cast<PacketReceive *>(posted); concerns(*packet))
            failed.push_back(packet);
    for (PacketReceive *packet : failed)
        mailbox.posted.remove(*packet);
    mailbox.lock.unlock();
    for (PacketReceive *packet : failed) {
        packet->fault = fault;
        packet->completion.complete();
    }
}

bool has_been_told_to_fail(PacketReceive &packet) {
    for (const ToldFault &told : told_faults())
        if (ends(told, packet.envelope)) {
            packet.fault = told.fault;
            return true;
        }
    return false;
}

// Returns whether a packet of the same operation has arrived whose sender takes part in another
// one.
bool meets_a_stranger(PacketReceive &packet) {
    Mailbox &mailbox = packet_mailbox();
    for (UnexpectedMessage *message = mailbox.unexpected.first(); message;
         message = mailbox.unexpected.next(*message)) {
        const auto &arrival = *static_cast<const RemoteArrival *>(message->data);
        if (!is_of(packet, message->envelope) || arrival.serial == packet.expected)
            continue;
        packet.envelope.source = message->envelope.source;
        packet.label = label_of(arrival);
        return true;
    }
    return false;
}

} // namespace

PacketReceive::PacketReceive(const Envelope &wanted, const ProcessMap &of_operation,
                             uint32_t of_all)
    : ReceiveRequest(wanted, nullptr, 0, *find_datatype(MPI_BYTE)), span(of_operation),
      expected(of_all) {
    datatype = nullptr; // of any size
}

// Never destroyed: messages come until the process ends. Made before ranks run: who asks for it may
// hold a lock, under which nobody may wait until another thread has made it.
static Mailbox &the_packet_mailbox = *new Mailbox;

Mailbox &packet_mailbox() {
    return the_packet_mailbox;
}

void disturb_waiting_packet(const Envelope &envelope, const PacketLabel &label) {
    Mailbox &mailbox = packet_mailbox();
    PacketReceive *disturbed = nullptr;
    mailbox.lock.lock();
    for (PostedReceive *posted = mailbox.posted.first(); posted && !disturbed;
         posted = mailbox.posted.next(*posted))
        if (auto *packet = static_cast<PacketReceive *>(posted);
            is_of(*packet, envelope) && packet->expected != label.said)
            disturbed = packet;
    if (disturbed)
        mailbox.posted.remove(*disturbed);
    else
        note_if_stray(envelope, label);
    mailbox.lock.unlock();
    if (!disturbed)
        return;
    disturbed->envelope.source = envelope.source;
    disturbed->label = label;
    disturbed->completion.complete();
}

// Strays are never taken out of the queue, so they become the packets that wait longest.
bool end_operation(const EndedOperation &ended, StrayPacket &stray) {
    constexpr int looked_at = 8;
    Mailbox &mailbox = packet_mailbox();
    LockGuard guard(mailbox.lock);
    place_of_ended(ended.context, ended.tag) = ended;
    UnexpectedMessage *message = mailbox.unexpected.first();
    for (int i = 0; message && i < looked_at; ++i, message = mailbox.unexpected.next(*message)) {
        const auto &packet = *static_cast<const RemoteArrival *>(message->data);
        if (message->envelope.context != ended.context || message->envelope.tag != ended.tag ||
            packet.serial == ended.said)
            continue;
        stray = {ended, message->envelope.source, label_of(packet)};
        return true;
    }
    return false;
}

std::optional<StrayPacket> take_stray(uint32_t context) {
    if (!has_strays.load(std::memory_order_relaxed)) [[likely]]
        return std::nullopt;
    LockGuard guard(packet_mailbox().lock);
    std::erase_if(strays(), [](const StrayPacket &stray) { // which the sender has reported
        return std::ranges::any_of(told_faults(), [&](const ToldFault &told) {
            return told.context == stray.ended.context && told.tag == stray.ended.tag;
        });
    });
    const auto found = std::ranges::find_if(
        strays(), [=](const StrayPacket &stray) { return stray.ended.context == context; });
    if (found == strays().end())
        return std::nullopt;
    const StrayPacket stray = *found;
    strays().erase(found);
    return stray;
}

void pass_packet(uint64_t occasion) {
    // A context id between processes is odd for collective operations.
    const Envelope envelope{static_cast<uint32_t>(occasion >> 32) | 1, this_node_process().number(),
                            static_cast<int>(static_cast<uint32_t>(occasion))};
    Mailbox &mailbox = packet_mailbox();
    mailbox.lock.lock();
    auto *packet = static_cast<PacketReceive *>(mailbox.posted.match(envelope));
    mailbox.lock.unlock();
    if (!packet)
        return; // it has failed
    packet->label.said = packet->expected;
    packet->buffer = nullptr;
    packet->completion.complete();
}

void fail_packets_of(const Envelope &envelope, const PacketFault &fault) {
    const ToldFault told{envelope.context, envelope.tag, fault};
    packet_mailbox().lock.lock();
    told_faults().push_back(told);
    packet_mailbox().lock.unlock();
    fail_packets([&](const PacketReceive &packet) { return ends(told, packet.envelope); }, fault);
}

void fail_packets_with(NodeProcess process) {
    fail_packets(
        [=](const PacketReceive &packet) {
            return std::ranges::count(packet.span.processes, process) > 0;
        },
        {MPI_ERR_PROC_ABORTED, lost_process_sentence(process)});
}

bool fails_at_once(PacketReceive &packet) {
    return has_been_told_to_fail(packet) || meets_a_stranger(packet);
}

bool fail_if_lost(PacketReceive &packet) {
    const NodeProcess lost = lost_process_in(packet.span);
    if (lost == no_process)
        return false;
    LockGuard guard(packet_mailbox().lock);
    if (!packet.posted())
        return false;
    packet_mailbox().posted.remove(packet);
    packet.fault = {MPI_ERR_PROC_ABORTED, lost_process_sentence(lost)};
    return true;
}

} // namespace thrum
