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
    int code; // error class
    std::string sentence;
};

// Returns the failures that were reported; usually none. Guarded by the lock of the mailbox.
std::vector<ToldFault> &told_faults() {
    static auto *faults = new std::vector<ToldFault>; // never destroyed, as the mailbox
    return *faults;
}

// Returns whether the receive belongs to the operation of this envelope.
bool is_of(const PacketReceive &packet, const Envelope &envelope) {
    return packet.envelope.context == envelope.context && packet.envelope.tag == envelope.tag;
}

void note(PacketReceive &packet, int fault, const std::string &sentence) {
    packet.fault = fault;
    packet.sentence = sentence;
}

// Takes the receives for which concerns(packet) is true out of the queue, and completes them with a
// fault.
template <class Concerns>
void fail_packets(Concerns concerns, int fault, const std::string &sentence) {
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
        note(*packet, fault, sentence);
        packet->completion.complete();
    }
}

bool has_been_told_to_fail(PacketReceive &packet) {
    for (const ToldFault &told : told_faults())
        if (is_of(packet, {told.context, 0, told.tag})) {
            note(packet, told.code, told.sentence);
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
        packet.said = arrival.serial;
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

Mailbox &packet_mailbox() {
    static auto *mailbox = new Mailbox; // never destroyed: messages come until the process ends
    return *mailbox;
}

void disturb_waiting_packet(const Envelope &envelope, uint32_t said) {
    Mailbox &mailbox = packet_mailbox();
    PacketReceive *disturbed = nullptr;
    mailbox.lock.lock();
    for (PostedReceive *posted = mailbox.posted.first(); posted && !disturbed;
         posted = mailbox.posted.next(*posted))
        if (auto *packet = static_cast<PacketReceive *>(posted);
            is_of(*packet, envelope) && packet->expected != said)
            disturbed = packet;
    if (disturbed)
        mailbox.posted.remove(*disturbed);
    mailbox.lock.unlock();
    if (!disturbed)
        return;
    disturbed->envelope.source = envelope.source;
    disturbed->said = said;
    disturbed->completion.complete();
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
    packet->said = packet->expected;
    packet->buffer = nullptr;
    packet->completion.complete();
}

void fail_packets_of(const Envelope &envelope, int fault, const std::string &sentence) {
    packet_mailbox().lock.lock();
    told_faults().push_back({envelope.context, envelope.tag, fault, sentence});
    packet_mailbox().lock.unlock();
    fail_packets([&](const PacketReceive &packet) { return is_of(packet, envelope); }, fault,
                 sentence);
}

void fail_packets_with(NodeProcess process) {
    fail_packets(
        [=](const PacketReceive &packet) {
            return std::ranges::count(packet.span.processes, process) > 0;
        },
        MPI_ERR_PROC_ABORTED, lost_process_sentence(process));
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
    note(packet, MPI_ERR_PROC_ABORTED, lost_process_sentence(lost));
    return true;
}

} // namespace thrum
