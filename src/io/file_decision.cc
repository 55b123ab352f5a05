// Collective decisions on a file. In one process the last rank to arrive calls judge(). In several,
// the last rank of each process sends its members' arguments to the other processes. From their
// packets it rebuilds everybody's arguments, and calls judge() on the full list. All processes
// judge the same list in the same order, so they come to the same result.
//
// A packet: write_call(), then for each member here: error code, sentence, the participant's own
// data.
#include "io/file_decision.h"

#include "exchange/process_tree.h"

#include <cstring>
#include <memory>

namespace thrum {
namespace {

// Sets everybody's error: that of the first rank with wrong arguments, or that of decide(), which
// is only called if there is none.
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

// Returns what the members of this process have published, in rank order. The const is that of
// Attendance; their owners wait, so they may be written.
std::vector<FileParticipant *> participants_here(const Attendance &attendance, size_t count) {
    std::vector<FileParticipant *> here;
    for (size_t i = 0; i < count; ++i)
        here.push_back(const_cast<FileParticipant *>(
            &attendance.argument<FileParticipant>(static_cast<int>(i))));
    return here;
}

// Sends `mine` to all processes and returns the packets of all, by index of the process. `fault` is
// set, and the packets are of no use, if a process was lost.
std::vector<SharedBytes> exchange(Communicator &comm, int number, const ByteWriter &mine,
                                  SharedError &fault) MAY_SUSPEND {
    std::vector<SharedBytes> packets;
    ProcessPart part(comm, number, true, {});
    run_flow(
        part.exchange, collect_packets(part, packet_of(mine), packets), [](void *) {}, nullptr);
    fault = {part.exchange.fault(), part.exchange.fault_sentence()};
    return packets;
}

// Runs on the last member of this process to arrive, also if members here disagree: the other
// processes wait for this packet, which then carries the dispute.
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
    std::vector<std::unique_ptr<FileParticipant>>
        copies; // of ranks elsewhere, until all is decided
    // Rank order: index_of has the process of each rank, and the ranks of a process are in order in
    // its packet.
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

// The spanning number is taken by every member, so it is the same in all processes.
Error decide_together(Communicator &comm, Collective collective, FileParticipant &mine,
                      const FileDecision &decision) {
    Attendance attendance(comm, Announcement::make(collective), &mine);
    if (comm.context->span) {
        const int number = next_spanning_number(comm, collective);
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

// Reads all packets to the end of this header, also after a fault: the caller goes on behind it.
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
