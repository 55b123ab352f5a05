// How libmpi takes over a process: its constructor, and __libc_start_main in front of the C
// library's.
//
//     ld.so loads, relocates everything
//       constructor of libmpi (-z initfirst)     settings; ranks > 1: capture()
//       constructors of all other objects        rank 0's own
//     _start -> __libc_start_main (ours)         keeps main
//       the C library's                          finishes its initialisation
//         start_ranks                            run_job(): the other ranks, then main in each
//
// A process that loads libmpi while it runs (dlopen, a module of Python) is one rank, which the
// first MPI call makes.
//
// Invariants
// 1. The constructor runs before the C library's: getenv and the program's malloc must not be
//    called.
// 2. One rank is an ordinary process: nothing is captured, nothing overridden.
// 3. What mpiexec has set for this process does not reach the processes that ranks start.
#include "base/check.h"
#include "base/environment_variables.h"
#include "base/job_settings.h"
#include "base/setting_table.h"
#include "base/settings.h"
#include "image/foreign_mpi.h"
#include "image/image.h"
#include "image/sharing.h"
#include "libc/libc.h"
#include "libc/openmp.h"
#include "libc/restart.h"
#include "rank/job.h"
#include "rank/vain_polls.h"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <iterator>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

namespace thrum {

using Main = int(int, char **, char **);

namespace {

using StartMain = int(Main *, int, char **, void (*)(), void (*)(), void (*)(), void *);

constinit Main *program_main = nullptr; // the program's main(), kept for start_ranks()

// The variable that replaces THRUM_RANKS where ranks are threads, until one of them begins MPI: a
// program that a rank starts before is not a rank (wireup/unlaunched_task.h). Both names have the
// same length, so that one can be written over the other.
constexpr char above_variable[] = "THRUM_ABOVE=";

// Returns whether `entry` ("NAME=value") is the variable `name`.
bool is_variable(const char *entry, const char *name) {
    size_t length = std::strlen(name);
    return !std::strncmp(entry, name, length) && entry[length] == '=';
}

// Returns whether mpiexec has put this entry into LD_PRELOAD: libmpi, room for thread-local
// variables, or, as the first one, a sanitizer's run time.
bool is_preloaded_by_mpiexec(const char *name, size_t length, bool first) {
    char path[PATH_MAX];
    if (length >= sizeof path)
        return false;
    std::memcpy(path, name, length);
    path[length] = 0;
    if (first && !std::strchr(path, '/') && is_sanitizer_runtime(path))
        return true;
    return std::strncmp(base_name(path), "libmpi_abi.so", 13) == 0 || is_front(path) ||
           std::strncmp(base_name(path), room_library_prefix, std::strlen(room_library_prefix)) ==
               0;
}

// Takes such entries out of "LD_PRELOAD=a:b" in place. Returns false if nothing is left.
bool remove_from_preload(char *entry) {
    char *out = std::strchr(entry, '=') + 1;
    char *list = out;
    for (char *p = list; *p;) {
        size_t length = std::strcspn(p, ": ");
        char separator = p[length];
        if (length > 0 && !is_preloaded_by_mpiexec(p, length, p == list)) {
            if (out != list)
                *out++ = ':';
            std::memmove(out, p, length);
            out += length;
        }
        p += length + (separator != 0);
    }
    *out = 0;
    return out != list;
}

// Returns whether a variable describes this job: a program that a rank starts is not part of it.
// That program does see what the user sets for all jobs (THRUM_STACK, THRUM_DEBUG ...).
bool is_of_this_job(const char *entry) {
    if (std::strncmp(entry, above_variable, sizeof above_variable - 1) == 0)
        return false;
    for (const Setting &setting : setting_table())
        if ((setting.scope == Setting::Scope::Job || setting.scope == Setting::Scope::Internal) &&
            is_variable(entry, setting.variable))
            return true;
    return is_variable(entry, "LD_BIND_NOW");
}

// Removes the job's variables in place, because the C library takes `environ` from the same array
// later. Returns how many there were, which is how many entries may be added.
int hide_job_variables(char **environment) {
    char **out = environment;
    int hidden_count = 0;
    for (char **e = environment; *e; ++e) {
        if (settings().ranks > 1 && is_variable(*e, "THRUM_RANKS"))
            std::memcpy(*e, above_variable, sizeof above_variable - 1);
        bool hidden = is_of_this_job(*e);
        if (is_variable(*e, "LD_PRELOAD"))
            hidden = !remove_from_preload(*e);
        if (!hidden)
            *out++ = *e;
        hidden_count += hidden;
    }
    *out = nullptr;
    return hidden_count;
}

// Ends the process if it is privileged: ld.so and the C library then trust neither the environment
// nor the user.
void refuse_foreign_rights(const char *program) {
    if (::getauxval(AT_SECURE))
        die(2,
            "%s cannot run as several ranks of one process: it is setuid, setgid or has file "
            "capabilities. Remove them (chmod u-s,g-s; setcap -r), or run a copy of it",
            program);
}

// Ends the process if a program between mpiexec and this one has started it: mpiexec waits for its
// child only, which must be the process of all ranks. Launchers with `goes_through_others` are the
// exception.
void refuse_other_processes(const char *program) {
    int launched = settings().launcher_pid;
    if (launched == 0 || launched == ::getpid() || job_settings().goes_through_others)
        return;
    die(2,
        "%s was not started by mpiexec but by a program that mpiexec started, perhaps a script; %d "
        "ranks need the whole process. Start it with exec in the script: exec %s",
        program, settings().ranks, program);
}

// Returns whether the process loads libmpi while it runs. The C library's constructor, which sets
// `environ`, has run then. It has also run where another library is linked with -z initfirst;
// capture() refuses that library by its name.
bool is_loaded_late(const char *const *environment) {
    const char *preloaded = find_variable(environment, "LD_PRELOAD");
    return ::environ != nullptr && !(preloaded && std::strstr(preloaded, "libmpi_abi.so"));
}

// A program that refers to one of these may add ranks to its single one.
constexpr const char *spawning_functions[] = {
    "MPI_Comm_spawn",           "MPI_Comm_spawn_multiple",  "PMPI_Comm_spawn",
    "PMPI_Comm_spawn_multiple", "thrum_fortran_comm_spawn", "thrum_fortran_comm_spawn_multiple",
    "thrum_bsp_begin",          "thrum_cbsp_initialize",    "thrum_run"};

// A program that refers to none of these does not look at clocks, files or sockets between polls,
// as far as libmpi can see that of an ordinary process.
constexpr const char *outside_functions[] = {
    "clock_gettime", "gettimeofday", "time",     "timespec_get", "clock",   "times",
    "getrusage",     "poll",         "ppoll",    "select",       "pselect", "recv",
    "stat",          "epoll_wait",   "recvfrom", "recvmsg",      "access",  "fstat"};

constexpr int spare_blocks = 1024; // for added ranks of programs compiled with --privatize

// capture() as a function for run_attempt(), which turns a refusal into a reason.
void capture_program(void *shared_list) {
    capture(libc_overrides(), static_cast<const char *>(shared_list));
}

// Returns whether a single rank, which would be an ordinary process, is to be captured so that it
// can have children: it calls MPI_Comm_spawn, nothing forbids it, and the process is this job's
// only one.
bool wants_to_grow(const char *shared_list) {
    int launched = settings().launcher_pid;
    return settings().spawn == -1 && !settings().takes_over() && !job_settings().node_processes &&
           (launched == 0 || launched == ::getpid()) && !::getauxval(AT_SECURE) &&
           refers_to(spawning_functions, std::size(spawning_functions), shared_list);
}

// Whether this process is a debugger, or the shell with which it starts its program: it passes
// everything on, and is not changed.
constinit bool is_passed = false;

// Ends the process, at its first MPI call: its ranks would have had to be made at the start.
RankThread &refuse_late_ranks() {
    die(2,
        "this program loaded libmpi at run time, too late for %d ranks to become its threads: run "
        "it with --processes, or link it with MPI",
        settings().ranks);
}

// Raises the stack limit of the main thread to THRUM_STACK. mpiexec has done so before; a foreign
// launcher has not. The kernel looks at the limit whenever the stack grows, and has left room for
// 128 MiB at least.
void raise_stack_limit() {
    rlimit limit{};
    if (settings().stack_bytes == 0 || ::getrlimit(RLIMIT_STACK, &limit) != 0 ||
        limit.rlim_cur >= settings().stack_bytes)
        return;
    limit.rlim_cur = std::min<rlim_t>(settings().stack_bytes, limit.rlim_max);
    ::setrlimit(RLIMIT_STACK, &limit);
}

// The constructor of libmpi: decides what this process is, and captures the program if it will have
// several ranks. The order matters. Settings come first, as the rest depends on them. The template
// must be taken before anything else writes to the program's pages, and the streams made after it.
// The job's variables are removed last, because the steps before read them.
[[gnu::constructor(102)]] void take_over(int, char **argv, char **environment) {
    read_settings(environment);
    raise_stack_limit();
    set_c_library(libc());
    const char *program = argv[0] ? argv[0] : "the program";
    if (job_settings().goes_through_others) {
        const NeededMpi needed = mpi_needed_by_program();
        is_passed = !needed.libmpi && !needed.front;
    }
    if (is_passed) {
        set_late_start(settings().takes_over() ? &refuse_late_ranks : &make_singleton);
        return;
    }
    if (is_loaded_late(environment)) {
        if (settings().takes_over())
            die(2,
                "%s loaded libmpi at run time, without LD_PRELOAD, which mpiexec sets for %d "
                "ranks: a program between mpiexec and this one has removed it from the environment",
                program, settings().ranks);
        set_late_start(&make_singleton);
        return;
    }
    const char *shared_list = settings().shared;
    bool was_asked = settings().takes_over();
    if (!was_asked)
        restart_with_right_front(argv, environment);
    if (!was_asked && wants_to_grow(shared_list))
        set_spawn(true);
    if (settings().takes_over()) {
        if (was_asked) {
            refuse_other_processes(program);
            refuse_foreign_rights(program);
        }
        if (!find_variable(environment, "LD_BIND_NOW"))
            restart_with_bound_slots(argv, environment);
    }
    static char reason[1024];
    if (was_asked)
        capture_program(const_cast<char *>(shared_list));
    else if (settings().takes_over() &&
             !run_attempt(capture_program, const_cast<char *>(shared_list), reason,
                          sizeof reason)) {
        set_spawn(false);
        forbid_growth(reason);
    }
    if (settings().takes_over()) {
        let_job_grow();
        if (settings().spawn == 1 ||
            refers_to(spawning_functions, std::size(spawning_functions), shared_list))
            keep_room_for_more_images(spare_blocks);
        prepare_libc();
    } else if (settings().launcher_pid != 0) { // mpiexec has preloaded the library
        let_tools_intercept(shared_list);
    }
    if (settings().takes_over() ||
        (job_settings().node_processes &&
         !refers_to(outside_functions, std::size(outside_functions), shared_list)))
        allow_livelocks();
    // A single rank of one process among several may be a shell that runs the program.
    bool may_run_the_program = job_settings().node_processes && !settings().takes_over();
    int room = may_run_the_program ? 0 : hide_job_variables(environment);
    if (settings().takes_over())
        choose_openmp_defaults(environment, room);
}

// Called by the C library in place of main().
int start_ranks(int argc, char **argv, char **environment) {
    run_job(program_main, argc, argv, environment);
}

int start_singleton(int argc, char **argv, char **environment) {
    return run_singleton(program_main, argc, argv, environment);
}

} // namespace
} // namespace thrum

extern "C" [[gnu::visibility("default")]] int
__libc_start_main(int (*main)(int, char **, char **), int argc, char **argv, void (*init)(),
                  void (*fini)(), void (*rtld_fini)(), void *stack_end) {
    using namespace thrum;
    auto *real = reinterpret_cast<StartMain *>(::dlsym(RTLD_NEXT, "__libc_start_main"));
    CHECK(real, "the C library has no __libc_start_main");
    if (is_passed)
        return real(main, argc, argv, init, fini, rtld_fini, stack_end);
    program_main = main;
    Main *start = settings().takes_over() ? start_ranks : start_singleton;
    return real(start, argc, argv, init, fini, rtld_fini, stack_end);
}
