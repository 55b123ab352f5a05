// The tables that the linker collects, and the categories that several layers use.
#include "trace/variables.h"

// The linker defines these symbols. Weak, because a test that links no variable of a kind has no
// such section.
#define TABLE(Kind, section)                                                                       \
    extern "C" [[gnu::weak, gnu::visibility("hidden")]] thrum::Kind __start_##section[];           \
    extern "C" [[gnu::weak, gnu::visibility("hidden")]] thrum::Kind __stop_##section[]
TABLE(Category, thrum_categories);
TABLE(ControlVariable, thrum_controls);
TABLE(PerformanceVariable, thrum_measures);
TABLE(EventType, thrum_events);

namespace thrum {

CATEGORY(all, .description = "everything");
CATEGORY(messages, .parent = "all", .description = "point-to-point messages");
CATEGORY(queues, .parent = "messages",
         .description = "posted receives and unexpected messages of this rank");
CATEGORY(protocols, .parent = "messages",
         .description = "how messages are sent: eager or rendezvous");
CATEGORY(collectives, .parent = "all", .description = "collective operations");
CATEGORY(one_sided, .parent = "all", .description = "one-sided communication");
CATEGORY(files, .parent = "all", .description = "accesses of files");
CATEGORY(processes, .parent = "all", .description = "sessions, and processes that are added");
CATEGORY(scheduling, .parent = "all", .description = "how ranks share the cores");
CATEGORY(environment, .parent = "all", .description = "how the job was started");

Registered<Category> categories() {
    return {__start_thrum_categories, __stop_thrum_categories};
}

Registered<ControlVariable> control_variables() {
    return {__start_thrum_controls, __stop_thrum_controls};
}

Registered<PerformanceVariable> performance_variables() {
    return {__start_thrum_measures, __stop_thrum_measures};
}

Registered<EventType> event_types() {
    return {__start_thrum_events, __stop_thrum_events};
}

} // namespace thrum
