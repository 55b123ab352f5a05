// Profiling tools (MPI 5.0 chapter 15): a library before ours that defines MPI_Send gets the calls
// of Fortran programs, too. Only the program knows whose MPI_Send it sees. If that is not
// PMPI_Send, it names it (thrum_fortran_call_tool) and jumps to the entry point, which calls it
// with C's arguments.
#pragma once
#include "fortran/section.h"
#include "rank/rank.h"

namespace thrum::fortran {

// Returns the function of a tool that the program has named for this call, or nullptr. A call whose
// buffers are not valid reaches no tool.
template <class Function, class... Buffers>
Function *take_tool(const Buffers &...buffers) {
    RankThread &self = current_rank_thread();
    if (!self.tool) [[likely]]
        return nullptr;
    auto *function = reinterpret_cast<Function *>(self.tool);
    self.tool = nullptr;
    return (false || ... || bool(buffers.error())) ? nullptr : function;
}

} // namespace thrum::fortran
