// Settings: what mpiexec, or the user through the environment, asks of the library. Read once, in
// the library's constructor, from the environment that the kernel gave to the process.
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
    // THRUM_BUFFERED_LIMIT: of messages that a rank has not asked for, in its mailbox (a million
    // tiny ones); beyond it senders wait for it as with large messages
    size_t buffered_bytes_max = 256 << 20;
    // THRUM_SPIN_LIMIT: looks at a completion before its waiter gives the core up. Spinning pays
    // while a message is on its way from another core: some ten hand-overs of a cache line. May be
    // changed at any time, by any rank.
    mutable std::atomic<unsigned> spin_limit{300};
    bool prefix = false; // THRUM_PREFIX: tag each line of output with its rank
    int stdin_rank = 0;  // THRUM_STDIN: the rank that reads standard input, or one of the next two
    static constexpr int stdin_of_none = -1, stdin_of_all = -2;
    const char *output_dir = nullptr; // THRUM_OUTPUT_DIR: one file per rank and stream instead
    const char *programs = nullptr;   // THRUM_PROGRAMS: specifications of an MPMD job, see below
    size_t memory_bytes = 0;  // THRUM_MEMORY: what the ranks may take; 0: ask; SIZE_MAX: unlimited
    int launcher_pid = 0;     // THRUM_LAUNCH_PID: the process that mpiexec started; others refuse
    bool use_fsgsbase = true; // THRUM_FSGSBASE=0: as on processors that have it not, for tests
    // THRUM_SPAWN=1: the job may get more ranks while it runs; 0: it may not; -1: if it looks so
    int spawn = -1;
    int universe_size = 0; // THRUM_UNIVERSE_SIZE: MPI_UNIVERSE_SIZE; 0: it is not set
    // THRUM_INITIAL_ERRHANDLER: mpi_errors_are_fatal, mpi_errors_abort or mpi_errors_return
    const char *initial_errhandler = nullptr;
    // THRUM_CHECK=1: what the standard forbids is an error also where it is tolerated otherwise
    // (mpi/tolerance.h)
    bool check = false;
    int debug = 0; // THRUM_DEBUG: 0..3, what the library tells about itself

    // Whether ranks are made of this process. A single rank whose output goes its usual way needs
    // nothing: it stays an ordinary process.
    bool takes_over() const {
        return ranks > 1 || prefix || output_dir || stdin_rank != 0 || spawn == 1;
    }
};

// THRUM_PROGRAMS is there if the job has several program specifications. For each, in rank order:
//
//   RANKS ARGC VARIABLES LENGTH:WORKING_DIRECTORYLENGTH:PATHLENGTH:ARGV0...LENGTH:NAME=VALUE...
//
// (ARGC arguments, then as many variables as VARIABLES says, which are added to the environment of
// the program's ranks.) Each of the three numbers is followed by a blank; each string stands behind
// its length in bytes and a colon and may hold any byte but zero. An empty working directory is the
// process's own. Example:
// "2 1 0 0:12:/usr/bin/env3:env3 2 1 4:/tmp13:/usr/bin/echo4:echo1:x3:A=1". THRUM_RANKS is the sum;
// the process executes the first PATH.
//
// mpiexec also sets LD_BIND_NOW and puts the library first in LD_PRELOAD. Ranks and their children
// shall see neither these nor THRUM_RANKS, _LAUNCH_PID and _PROGRAMS.

extern constinit Settings the_settings; // for settings() and its own file

inline const Settings &settings() {
    return the_settings;
}

// Fills settings() from `environment`. A value that cannot be understood ends the process with a
// message that names the variable and its value. Needs no initialised C library.
void read_settings(const char *const *environment);
// Says whether the job may get more ranks, where the environment has not.
void set_spawn(bool may_spawn);

} // namespace thrum
