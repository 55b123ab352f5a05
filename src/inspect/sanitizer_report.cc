// Names the rank in a sanitizer's report (sanitizer_report.h). A sanitizer numbers threads, not
// ranks, and ends the process itself.
#include "inspect/sanitizer_report.h"

#include "base/check.h"
#include "base/end_function.h"
#include "base/tools.h"
#include "inspect/final_report.h"
#include "inspect/names.h"
#include "inspect/symbols.h"
#include "rank/job.h"

namespace thrum {
namespace {

constexpr int sanitizer_exit_code = 1; // AddressSanitizer's default

// Called on the thread with the error, before the sanitizer ends the process: output must be
// flushed here.
void on_death() MAY_SUSPEND {
    const auto *thread = static_cast<const RankThread *>(current_task_or_null);
    // Leaks are found when all ranks have ended, and belong to no particular rank.
    if (!thread || !thread->rank || job_is_over())
        return;
    limit_time_to_leave(sanitizer_exit_code);
    const char *connective = "";
    char place[384] = "";
    unsigned function = thread->call.function.load(std::memory_order_relaxed);
    if (function) {
        connective = " called at ";
        describe_call_site(thread->call.call_site.load(std::memory_order_relaxed), place,
                           sizeof place);
    }
    report("rank %d: ended by the error reported above%s%s%s%s", thread->rank->world_rank,
           function ? ", inside " : "", function ? name_of_function(function) : "", connective,
           place);
    call_output_function();
}

} // namespace

void name_ranks_in_sanitizer_reports() {
    set_sanitizer_death_callback(&on_death);
}

} // namespace thrum
