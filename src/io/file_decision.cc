#include "io/file_decision.h"

#include "exchange/process_tree.h"

#include <cstring>
#include <memory>

namespace thrum {
namespace {

// The decision, or the first error that somebody came with, is everybody's.
void judge(const std::vector<FileParticipant *> &all, const FileDecision &decision) {
    SharedError error;
    for (const FileParticipant *each : all)
        if (!error && each->error)
            error = each->error;
    if (!error)
        error.take(decision.decide(decision.argument, all));
    for (FileParticipant *each : all)
        if (!each->error)
            each->error = error;
}

std::vector<FileParticipant *> participants_here(const Attendance &attendance, size_t count) {
    std::vector<FileParticipant *> here;
    for (size_t i = 0; i < count; ++i)
        here.push_back(const_cast<FileParticipant *>(
            &attendance.argument<FileParticipant>(static_cast<int>(i))));
    return here;
}

std::vector<SharedBytes> exchange(Communicator &comm, int number, const ByteWriter &mine,
                                  SharedError &fault) MAY_SUSPEND {
    std::vector<SharedBytes> packets;
    ProcessPart part(comm, number, true, {});
    run_flow(
        part.exchange, collect_packets(part, packet_of(mine), packets), [](void *) {}, nullptr);
    fault = {part.exchange.fault(), part.exchange.fault_sentence()};
    return packets;
}

// In the name of the members of this process.
void decide_with_others(Communicator &comm, Collective collective, int number,
                        const Attendance &attendance, const FileDecision &decision) MAY_SUSPEND {
    const ProcessMap &span = *comm.context->span;
    const std::vector<FileParticipant *> here = participants_here(attendance, span.locals.size());
    SharedError dispute;
    if (attendance.disputed())
        dispute.take(attendance.verdict());
    ByteWriter to;
    write_call(to, collective, dispute);
    for (const FileParticipant *each : here) {
        to.number(each->error.code);
        to.text(each->error.sentence);
        each->write(to);
    }
    SharedError wrong;
    const std::vector<SharedBytes> packets = exchange(comm, number, to, wrong);
    std::vector<ByteReader> readers;
    if (!wrong) {
        for (const SharedBytes &packet : packets)
            readers.emplace_back(packet.data());
        wrong = read_calls(readers);
    }
    if (wrong) {
        for (FileParticipant *each : here)
            each->error = wrong;
        return;
    }
    std::vector<std::unique_ptr<FileParticipant>> copies;
    std::vector<FileParticipant *> all;
    size_t local = 0;
    for (int index : span.index_of) {
        if (index == span.here) {
            all.push_back(here[local++]);
            continue;
        }
        ByteReader &from = readers[static_cast<size_t>(index)];
        copies.emplace_back(decision.blank());
        FileParticipant &copy = *copies.back();
        copy.is_copy = true;
        copy.error.code = from.number<int>();
        copy.error.sentence = from.text();
        copy.read(from);
        all.push_back(&copy);
    }
    judge(all, decision);
}

} // namespace

Error decide_together(Communicator &comm, Collective collective, FileParticipant &mine,
                      const FileDecision &decision) {
    Attendance attendance(comm, Announcement::make(collective), &mine);
    if (comm.context->span) {
        const int number = next_spanning_number(comm);
        pass_even_if_disputed(attendance, [&]() MAY_SUSPEND {
            decide_with_others(comm, collective, number, attendance, decision);
        });
    } else {
        attendance.pass_with([&] {
            judge(participants_here(attendance, static_cast<size_t>(comm.size)), decision);
        });
    }
    if (Error error = attendance.verdict())
        return error;
    return mine.error.raise();
}

Error agree_on_error(Communicator &comm, Collective collective, SharedError mine) {
    FileParticipant participant;
    participant.error = std::move(mine);
    return decide_together(comm, collective, participant,
                           [](const std::vector<FileParticipant *> &) { return success; });
}

SharedBytes packet_of(const ByteWriter &bytes) {
    SharedBytes packet = SharedBytes::of_size(bytes.bytes().size());
    std::memcpy(packet.data(), bytes.bytes().data(), bytes.bytes().size());
    return packet;
}

void write_call(ByteWriter &to, Collective collective, const SharedError &dispute) {
    to.number(static_cast<int>(collective));
    to.number(dispute.code);
    to.text(dispute.sentence);
}

SharedError read_calls(std::vector<ByteReader> &packets) {
    SharedError wrong;
    auto first = Collective::None;
    for (size_t i = 0; i < packets.size(); ++i) {
        const auto collective = static_cast<Collective>(packets[i].number<int>());
        SharedError dispute;
        dispute.code = packets[i].number<int>();
        dispute.sentence = packets[i].text();
        if (i == 0)
            first = collective;
        if (wrong)
            continue;
        if (dispute)
            wrong = dispute;
        else if (collective != first)
            wrong.take(fail(MPI_ERR_NOT_SAME,
                            "a rank calls %s, while another calls %s on the same file",
                            collective_name(first), collective_name(collective)));
    }
    return wrong;
}

} // namespace thrum
