// Describes ranks that end in the wrong way (ending.h).
#include "inspect/ending.h"

#include "acl/partition.h"
#include "comm/process.h"
#include "inspect/exit_place.h"
#include "inspect/finalize_release.h"
#include "inspect/interrupt.h"
#include "inspect/names.h"
#include "inspect/symbols.h"
#include "rank/job_end.h"
#include "wireup/wireup.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace thrum {

constexpr size_t text_bytes = 2048;

// Adds where the other ranks are, if they are in this process or wait for this rank. mpiexec knows
// it of other processes.
static void add_others(const Rank &rank, bool end_others, char *text) {
    const size_t length = std::strlen(text);
    if (has_been_released(rank)) {
        std::snprintf(text + length, text_bytes - length, ", and the others wait for it: %s",
                      others_of_released().c_str());
    } else if (end_others && rank_count() > 1 && !has_other_processes()) {
        claim_end(); // the census has one buffer
        char where[512];
        std::snprintf(text + length, text_bytes - length, "; the others: %s",
                      where_other_ranks_are(rank, where, sizeof where));
    }
}

// Adds where the program has called exit(), or a library for it.
static void add_place(char *text) {
    char place[384];
    if (!describe_exit(place, sizeof place))
        return;
    const size_t length = std::strlen(text);
    std::snprintf(text + length, text_bytes - length, ", %s", place);
}

// An exit code of 0 after MPI_Finalize is an ordinary end. The text tells which call is missing, or
// when the rank ended. It is heap text, since the report is printed when the rank's stack is gone.
const char *complaint_about_end(Rank &rank, int code, bool end_others) {
    ProcessState state =
        rank.process ? rank.process->state.load(std::memory_order_relaxed) : ProcessState::Created;
    bool unfinished = rank.process && is_unfinished(*rank.process);
    if (code == 0 && !unfinished)
        return nullptr;
    auto *text = static_cast<char *>(std::malloc(text_bytes));
    if (!text)
        return "a rank failed (out of memory for the details)";
    unsigned function = rank.call.function.load(std::memory_order_relaxed);
    if (function) { // exit() in a callback of the program
        char place[384];
        describe_call_site(rank.call.call_site.load(std::memory_order_relaxed), place,
                           sizeof place);
        std::snprintf(text, text_bytes, "rank %d ended with exit code %d inside %s called at %s",
                      rank.world_rank, code, name_of_function(function), place);
        add_others(rank, end_others, text);
        return text;
    }
    if (unfinished) {
        std::snprintf(text, text_bytes, "rank %d ended with exit code %d without calling %s",
                      rank.world_rank, code,
                      element_of(*rank.process)            ? "acl_end"
                      : state == ProcessState::Initialized ? "MPI_Finalize"
                                                           : "MPI_Session_finalize");
    } else {
        std::snprintf(text, text_bytes, "rank %d ended with exit code %d%s", rank.world_rank, code,
                      !rank.process || !has_begun(*rank.process) ? " before MPI_Init"
                      : state == ProcessState::Created           ? " after MPI_Session_finalize"
                                                                 : " after MPI_Finalize");
    }
    add_place(text);
    add_others(rank, end_others, text);
    return text;
}

} // namespace thrum
