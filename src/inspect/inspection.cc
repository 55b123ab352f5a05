// Installs all reports about faults (inspection.h). Names of functions come first, since every
// report uses them.
#include "inspect/inspection.h"

#include "comm/call_names.h"
#include "fiber/activity.h"
#include "fiber/os_threads.h"
#include "inspect/deadlock_watch.h"
#include "inspect/interrupt.h"
#include "inspect/sanitizer_report.h"
#include "inspect/symbols.h"
#include "wireup/wireup.h"

namespace thrum {

void install_inspection(FunctionNameFunction *function_names) {
    set_function_names(function_names);
    find_symbolizer();
    set_call_names({name_of_function, describe_call_site, number_of_call_site, code_of_call_site,
                    call_site_of_code});
    prepare_thread_for_crashes();
    install_crash_handlers();
    install_interrupt_handlers();
    name_ranks_in_sanitizer_reports();
    set_quiescence_function(report_deadlock);
    set_several_threads_function([] { // those of an only rank: a thread may sleep after it has
        if (!has_other_processes())   // called MPI
            start_deadlock_watch();
    });
}

} // namespace thrum
