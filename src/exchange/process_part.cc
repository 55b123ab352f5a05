// The meeting of this process's members, and the results that they get when the flow has ended.
#include "exchange/process_part.h"

#include "base/check.h"
#include "comm/amount_mismatch.h"
#include "comm/process.h"
#include "exchange/node_gate.h"
#include "pt2pt/remote_send.h"
#include "wireup/wireup.h"

#include <cstdarg>
#include <cstdio>
#include <utility>

namespace thrum {

void Participant::blame(int error_code, const char *format, ...) {
    if (has_failed())
        return; // only the first error counts
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    std::vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    code = error_code;
    is_mild = false;
    sentence = text;
}

void Participant::note_difference(int error_code, std::string text) {
    if (code)
        return;
    code = error_code;
    is_mild = true;
    sentence = std::move(text);
}

Error Participant::error() const {
    if (!code) [[likely]]
        return success;
    return is_mild ? judge(code, {sentence, {}, {}}) : fail(code, "%s", sentence.c_str());
}

ProcessPart::ProcessPart(Communicator &comm, int number, bool blocking,
                         std::vector<Participant *> participants)
    : exchange(comm, number, blocking,
               participants.empty() // their packets carry their own announcement
                   ? 0
                   : announcement_of(comm, *participants[0]->call,
                                     blocking ? BlockingForm : NonblockingForm)),
      locals(std::move(participants)), span(*comm.context->span), inter(comm.inter),
      runner(static_cast<size_t>(comm.meeting_member)) {
    side_size[comm.side] = comm.size;
    side_size[1 - comm.side] = comm.inter ? comm.remote_size : 0;
}

std::vector<int> ProcessPart::ranks_at(int index, int side) const {
    std::vector<int> ranks;
    for (int rank = 0; rank < side_size[side]; ++rank)
        if (index_of(side, rank) == index)
            ranks.push_back(rank);
    return ranks;
}

void ProcessPart::blame_all(int code, const char *sentence) {
    for (Participant *participant : locals)
        participant->blame(code, "%s", sentence);
}

bool run_blocking(ProcessPart &part, Flow flow) {
    bool ended = false;
    run_flow(
        part.exchange, std::move(flow), [](void *flag) { *static_cast<bool *>(flag) = true; },
        &ended);
    CHECK(ended, "blocking collective returned before all its packets arrived");
    if (part.exchange.fault()) [[unlikely]] {
        part.blame_all(part.exchange.fault(), part.exchange.fault_sentence().c_str());
        give_up_gate(part.span);
    }
    return !part.exchange.fault();
}

Error tell_other_processes(const Communicator &comm, int number, Error error) {
    const std::string sentence = error_detail(error.code());
    give_up_gate(*comm.context->span); // this process has not arrived at it
    for (NodeProcess process : comm.context->span->processes)
        if (process != this_node_process())
            send_fault(process, {comm.context->id | 1, 0, number}, error.code(), sentence);
    return error;
}

int next_spanning_number(Communicator &comm) {
    return static_cast<int>(comm.spanning_operations++ & spanning_number_mask);
}

Error run_between_processes(Communicator &comm, const CollectiveCall &call,
                            Flow (*flow)(ProcessPart &)) {
    Participant mine;
    mine.call = &call;
    mine.comm = &comm;
    const int number = next_spanning_number(comm);
    const uint64_t announcement = announcement_of(comm, call, BlockingForm);
    return meet_here(comm, number, announcement, mine,
                     [&](std::vector<Participant *> participants) MAY_SUSPEND {
                         ProcessPart part(comm, number, true, std::move(participants));
                         run_blocking(part, flow(part));
                     });
}

} // namespace thrum
