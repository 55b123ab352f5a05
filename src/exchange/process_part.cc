// The meeting of this process's members, and the results that they get when the flow has ended.
#include "exchange/process_part.h"

#include "base/check.h"
#include "comm/amount_mismatch.h"
#include "comm/blocking_calls.h"
#include "comm/call_names.h"
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

void Participant::blame(const PacketFault &fault) {
    if (has_failed())
        return;
    code = fault.code;
    is_mild = false;
    sentence = fault.sentence;
    calls = fault.calls;
}

void Participant::note_difference(int error_code, std::string text, const MemberCall &sender) {
    if (code)
        return;
    code = error_code;
    is_mild = true;
    sentence = std::move(text);
    calls[0] = sender;
}

// All members have called the same function, or the packets would differ.
Error Participant::error() const {
    if (!code) [[likely]]
        return success;
    if (is_mild)
        return judge(code, {sentence, {place.function, call_site_of(calls[0].code)}, {}});
    const Error error = fail(code, "%s", sentence.c_str());
    add_member_calls(*comm, calls);
    return error;
}

PacketOrigin Participant::origin() const {
    PacketOrigin origin;
    origin.call = code_of_call(place);
    origin.last_blocking = static_cast<uint8_t>(last_blocking);
    origin.blocking_before = blocking_before;
    origin.function = place.function;
    return origin;
}

void add_member_calls(const Communicator &comm, const MemberCalls &calls) {
    const uint64_t present = code_of_call(current_call());
    for (const MemberCall &call : calls) {
        const bool is_present = call.member == member_of(comm) && call.code == present;
        if (const void *site = call_site_of(call.code); site && !is_present)
            add_other_call(MemberName(comm, call.member).text, site);
    }
}

Error error_of_stray(const Communicator &comm) {
    const auto stray = comm.context->span ? take_stray(comm.context->id | 1) : std::nullopt;
    if (!stray)
        return success;
    const PacketFault fault = disagreement_with(comm, *stray);
    const Error error = fail(fault.code, "%s", fault.sentence.c_str());
    add_member_calls(comm, fault.calls);
    return error;
}

ProcessPart::ProcessPart(Communicator &comm, int number, bool blocking,
                         std::vector<Participant *> participants)
    : exchange(comm, number, blocking,
               participants.empty() // their packets carry their own announcement
                   ? 0
                   : announcement_of(comm, *participants[0]->call, participants[0]->form),
               participants.empty() ? PacketOrigin{} : participants[0]->origin()),
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

void ProcessPart::blame_all(const PacketFault &fault) {
    for (Participant *participant : locals)
        participant->blame(fault);
}

bool run_blocking(ProcessPart &part, Flow flow) {
    bool ended = false;
    run_flow(
        part.exchange, std::move(flow), [](void *flag) { *static_cast<bool *>(flag) = true; },
        &ended);
    CHECK(ended, "blocking collective returned before all its packets arrived");
    if (part.exchange.end()) [[likely]]
        return true;
    part.blame_all(part.exchange.whole_fault());
    give_up_gate(part.span);
    return false;
}

void tell_fault(const Communicator &comm, int number, const PacketFault &fault) {
    for (NodeProcess process : comm.context->span->processes)
        if (process != this_node_process())
            send_fault(process, {comm.context->id | 1, 0, number}, fault);
}

Error tell_other_processes(const Communicator &comm, int number, Error error,
                           const MemberCalls &calls) {
    give_up_gate(*comm.context->span); // this process has not arrived at it
    tell_fault(comm, number, {error.code(), error_detail(error.code()), calls});
    return error;
}

MemberCalls disputed_calls(const Attendance &attendance) {
    MemberCalls calls{};
    const Dispute *dispute = attendance.round().dispute.get();
    for (size_t i = 0; dispute && i < calls.size(); ++i) {
        const int member = Announcement::member(dispute->calls[i]);
        const void *site = attendance.call_site_of(member);
        calls[i] = {member, 0, code_of_call({0, site})};
    }
    return calls;
}

int next_spanning_number(Communicator &comm, Collective collective) {
    const auto number = static_cast<int>(blocking_calls(comm));
    count_blocking_call(comm, static_cast<uint32_t>(collective));
    return number;
}

Error run_between_processes(Communicator &comm, const CollectiveCall &call,
                            Flow (*flow)(ProcessPart &)) {
    Participant mine(comm, call);
    const int number = next_spanning_number(comm, call.collective);
    const uint64_t announcement = announcement_of(comm, call, BlockingForm);
    return meet_here(comm, number, announcement, mine,
                     [&](std::vector<Participant *> participants) MAY_SUSPEND {
                         ProcessPart part(comm, number, true, std::move(participants));
                         run_blocking(part, flow(part));
                     });
}

} // namespace thrum
