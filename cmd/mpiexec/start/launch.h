// Starts the node process: the program of the first specification, told by its environment
// (base/settings.h) how many ranks it shall host and how.
#pragma once
#include "plan/options.h"
#include "start/program.h"

#include <filesystem>
#include <sys/types.h>

namespace mpiexec {

struct Child {
    pid_t pid = 0;
    bool owns_terminal = false; // Ctrl-C is for its dialogue with the user
};

// Starts the job. Signals are blocked in the caller as watch.h wants them; the child has
// `child_mask`. Throws UsageError if the program cannot be executed.
Child launch(const Options &options, const sigset_t &child_mask);

// The file of this very program.
std::filesystem::path own_executable();
// What all processes of the job are told: sets it in the own environment.
void set_job_environment(const Options &options);
// So that every rank's stack may have the size that --stack asks for.
void raise_stack_limit();
void make_output_directory(const Options &options);
// LD_PRELOAD: the run time of the sanitizer, if any, with which a program was compiled, as it wants
// to be first; then room for thread-local variables, what the user preloads, and the library.
// Deletes what process `pid`, which has ended, has left for valgrind (src/image/valgrind.cc).
void remove_image_copies(pid_t pid);

std::string preload_list(const Options &options);
std::string find_library(); // libmpi_abi.so.1; throws UsageError
std::string reason_of_exec_failure(int error, const ProgramSpec &spec);
// Takes what describes another job, of ours or of another launcher's, out of the own environment:
// mpiexec may have been started by a rank, or by a task of srun.
void forget_outer_job();

// Writes the value of THRUM_PROGRAMS.
std::string encode_programs(const std::vector<ProgramSpec> &programs);

} // namespace mpiexec
