// Settings: what mpiexec, or the user through the environment, asks of the library. The library's
// constructor reads them once, from the environment that the kernel gave the process.
#pragma once
#include <atomic>
#include <cstddef>

namespace thrum {

struct Settings {
    int ranks = 1;           // THRUM_RANKS: ranks of this job in this process
    int workers = 0;         // THRUM_WORKERS: OS threads that run fibers; 0: one per usable core
    size_t stack_bytes = 0;  // THRUM_STACK: stack of a rank; 0: chosen from the number of ranks
    bool os_threads = false; // THRUM_THREADS=os: an OS thread of its own for every rank
    size_t eager_bytes_max = 4096; // THRUM_EAGER_LIMIT: larger messages wait for their receiver
    // THRUM_BUFFERED_LIMIT: bytes of unreceived messages in a rank's mailbox (a million tiny ones).
    // Above it senders wait for the receiver, as with large messages.
    size_t buffered_bytes_max = 256 << 20;
    // THRUM_SPIN_LIMIT: how often a waiter checks a completion before it releases its core.
    // Spinning pays while a message is on its way from another core: about ten transfers of a cache
    // line. Any rank may change it at any time.
    mutable std::atomic<unsigned> spin_limit{300};
    bool prefix = false; // THRUM_PREFIX: tag each line of output with its rank
    int stdin_rank = 0;  // THRUM_STDIN: the rank that reads standard input, or one of the next two
    static constexpr int stdin_of_none = -1, stdin_of_all = -2;
    const char *output_dir = nullptr; // THRUM_OUTPUT_DIR: one file per rank and stream instead
    const char *programs = nullptr;   // THRUM_PROGRAMS: specifications of an MPMD job, see below
    // THRUM_MEMORY: limit for the ranks; 0: ask the system; SIZE_MAX: unlimited
    size_t memory_bytes = 0;
    // THRUM_LAUNCH_PID: the process that mpiexec started; others refuse to run
    int launcher_pid = 0;
    bool use_fsgsbase = true; // THRUM_FSGSBASE=0: as on processors without it, for tests
    // THRUM_SPAWN=1: the job may get more ranks while it runs; 0: it may not; -1: detect it from
    // the program.
    int spawn = -1;
    int universe_size = 0; // THRUM_UNIVERSE_SIZE: MPI_UNIVERSE_SIZE; 0: not set
    // THRUM_INITIAL_ERRHANDLER: mpi_errors_are_fatal, mpi_errors_abort or mpi_errors_return
    const char *initial_errhandler = nullptr;
    // THRUM_CHECK=1: uses that the standard forbids are errors even where Thrum usually tolerates
    // them (mpi/tolerance.h).
    bool check = false;
    int debug = 0; // THRUM_DEBUG: 0..3, how much the library reports about its own work

    // Returns whether this process turns into ranks. A single rank with ordinary output needs
    // nothing of that and stays an ordinary process.
    bool takes_over() const {
        return ranks > 1 || prefix || output_dir || stdin_rank != 0 || spawn == 1;
    }
};

// THRUM_PROGRAMS is set if the job has several program specifications. For each, in rank order:
//
//   RANKS ARGC VARIABLES LENGTH:WORKING_DIRECTORYLENGTH:PATHLENGTH:ARGV0...LENGTH:NAME=VALUE...
//
// (ARGC arguments, then as many variables as VARIABLES says, which are added to the environment of
// the program's ranks.) Each of the three numbers is followed by a blank. Each string is preceded
// by its length in bytes and a colon, and may contain any byte except zero. An empty working
// directory is the process's own. THRUM_RANKS is the sum; the process executes the first PATH.
// Example: "2 1 0 0:12:/usr/bin/env3:env3 2 1 4:/tmp13:/usr/bin/echo4:echo1:x3:A=1".
//
// mpiexec also sets LD_BIND_NOW and puts the library first in LD_PRELOAD. Ranks and their children
// must see neither these nor THRUM_RANKS, _LAUNCH_PID and _PROGRAMS.

extern constinit Settings the_settings; // for settings() and settings.cc

inline const Settings &settings() {
    return the_settings;
}

// Fills settings() from `environment`. An invalid value ends the process with a message that names
// the variable and its value. Works before the C library is initialised.
void read_settings(const char *const *environment);
// Decides whether the job may get more ranks, if the environment does not say so.
void set_spawn(bool may_spawn);

} // namespace thrum
