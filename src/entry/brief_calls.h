// Calls that return at once, and that programs make in loops: the observer times only some of them
// (observe/observer.h).
#pragma once
#include "entry/function.h"

namespace thrum {

// Returns whether the function is one of those: it tells whether something is there, or what the
// rank knows itself.
constexpr bool is_brief(Function function) {
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
        return true;
    default:
        return false;
    }
}

} // namespace thrum
