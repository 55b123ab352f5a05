// How the job was started (base/settings.h), as control variables: none can be changed any more.
#include "base/settings.h"
#include "trace/variables.h"

namespace thrum {
namespace {

constexpr const char *thread_kinds[] = {"fiber", "os"};
constexpr Enumeration thread_enumeration = {"threads", thread_kinds, 2};

} // namespace

CONTROL_VARIABLE(
    ranks, .category = "environment",
    .description = "Ranks that mpiexec has started in this operating-system process.",
    .type = ValueType::Int, .read = [] { return int64_t{settings().ranks}; });
CONTROL_VARIABLE(
    workers, .category = "environment",
    .description = "OS threads that run ranks, as requested; 0: one for each core.",
    .type = ValueType::Int, .read = [] { return int64_t{settings().workers}; });
CONTROL_VARIABLE(
    stack, .category = "environment",
    .description = "Bytes of a rank's stack, as requested; 0: derived from the number of ranks.",
    .read = [] { return static_cast<int64_t>(settings().stack_bytes); });
CONTROL_VARIABLE(
    threads, .category = "environment", .description = "Whether a rank is a fiber or an OS thread.",
    .type = ValueType::Int, .enumeration = &thread_enumeration,
    .read = [] { return int64_t{settings().os_threads}; });
CONTROL_VARIABLE(
    prefix, .category = "environment",
    .description = "Whether each line of output begins with its rank (1) or not (0).",
    .type = ValueType::Int, .read = [] { return int64_t{settings().prefix}; });
NAMED_CONTROL_VARIABLE(
    standard_input, "stdin", .category = "environment",
    .description = "The rank that reads standard input; -1: none.", .type = ValueType::Int,
    .read = [] { return int64_t{settings().stdin_rank}; });
CONTROL_VARIABLE(
    output_dir, .category = "environment",
    .description = "Directory of the files with the output of each rank; empty: none.",
    .type = ValueType::Text, .text = [] {
        const char *directory = settings().output_dir;
        return directory ? directory : "";
    });
CONTROL_VARIABLE(
    debug, .category = "environment",
    .description = "How much the library reports about its own work: 0 to 3.",
    .type = ValueType::Int, .verbosity = MPI_T_VERBOSITY_MPIDEV_BASIC,
    .read = [] { return int64_t{settings().debug}; });

} // namespace thrum
