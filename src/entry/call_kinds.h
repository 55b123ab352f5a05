// What the observer need not look at: the time of every brief call, and the end of a barrier.
#pragma once
#include "entry/function.h"
#include "observe/thread_state.h"

namespace thrum {

// Returns the kind of the function's calls. Those are brief that tell whether something is there,
// or what the rank knows itself: programs make them in loops.
constexpr observe::CallKind kind_of(Function function) {
    switch (function) {
    case Function::Test:
    case Function::Testall:
    case Function::Testany:
    case Function::Testsome:
    case Function::Iprobe:
    case Function::Improbe:
    case Function::Parrived:
    case Function::Request_get_status:
    case Function::Request_get_status_all:
    case Function::Request_get_status_any:
    case Function::Request_get_status_some:
    case Function::Test_cancelled:
    case Function::Get_count:
    case Function::Get_elements:
    case Function::Get_address:
    case Function::Type_size:
    case Function::Group_rank:
    case Function::Group_size:
    case Function::Comm_rank:
    case Function::Comm_size:
    case Function::Comm_remote_size:
    case Function::Comm_get_attr:
    case Function::Win_get_attr:
    case Function::Cart_rank:
    case Function::Cart_coords:
    case Function::Cart_shift:
    case Function::Initialized:
    case Function::Finalized:
        return observe::CallKind::Brief;
    case Function::Barrier:
        return observe::CallKind::OnlyWaits;
    default:
        return observe::CallKind::Any;
    }
}

} // namespace thrum
