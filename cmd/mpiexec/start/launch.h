// Starts the node process of a job of one: the program of the first specification. Its environment
// (base/settings.h) says how many ranks it hosts and how. process_start.h uses the same parts for
// jobs of several processes.
#pragma once
#include "plan/options.h"
#include "start/program.h"

#include <filesystem>
#include <sys/types.h>

namespace mpiexec {

// The process that hosts the ranks.
struct Child {
    pid_t pid = 0;
    bool owns_terminal = false; // Ctrl-C is for its dialogue with the user only
};

// Starts the job. Signals are blocked in the caller as watch.h expects them; the child has
// `child_mask`. Throws UsageError if the program cannot be executed.
Child launch(const Options &options, const sigset_t &child_mask);

// Returns the file of this very program.
std::filesystem::path own_executable();
// Sets in the own environment what all processes of the job need: settings, -x, LD_BIND_NOW. Throws
// UsageError.
void set_job_environment(const Options &options);
// Raises the limit of this process's main stack, which children inherit, to what --stack asks for.
// Throws UsageError if the hard limit is lower.
void raise_stack_limit();
// Makes the directory of --output-dir, if there is one. Throws UsageError.
void make_output_directory(const Options &options);
// Deletes what process `pid`, which has ended, has left for valgrind (src/image/valgrind.cc).
void remove_image_copies(pid_t pid);

// Returns the value of LD_PRELOAD: the run time of the sanitizer, if any, with which a program was
// compiled, because it must be first; then room for thread-local variables, what the user preloads,
// and the library.
std::string preload_list(const Options &options);
// Returns the path of libmpi_abi.so.1 of this installation. Throws UsageError.
std::string find_library();
// Returns the reason for errno `error` of exec, in words that help.
std::string reason_of_exec_failure(int error, const ProgramSpec &spec);
// Removes from the own environment what describes another job, of ours or of another launcher's:
// mpiexec may have been started by a rank, or by a task of srun.
void forget_outer_job();

// Returns the value of THRUM_PROGRAMS.
std::string encode_programs(const std::vector<ProgramSpec> &programs);

} // namespace mpiexec
