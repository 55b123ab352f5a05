// CLibrary: what the start and the end of ranks need of the C library that the ranks see. This
// folder only decides when; libc/ implements it, and its families of functions are unknown here.
//
// Invariant: the first state that is given is that of the rank which runs the originals, whose
// constructors have used it before.
#pragma once
#include "base/may_suspend.h"

namespace thrum {

struct Rank;

// What the C library keeps for a process, and each rank has of its own. libc/ derives its state
// from this type.
struct CLibraryState {
    int argc = 0;
    char **argv = nullptr; // a copy of its own
};

// The operations in the order of a rank's life. libc/libc.cc implements them.
class CLibrary {
public:
    // Makes the state of a rank before its image exists. The rank gets a copy of `argv` and of
    // `environment`.
    virtual void give_state(Rank &rank, int argc, char **argv, char **environment) = 0;
    // Does the same for a rank that is added to a running job.
    virtual void give_state_to_added(Rank &rank, int argc, char **argv, char **environment) = 0;
    // Returns the block of variables from which make_image() fills the rank's own.
    virtual void *variables(Rank &rank) = 0;
    // Points optind, environ, stdout ... to the copies in the rank's image, which exists now.
    virtual void bind_state(Rank &rank) = 0;
    // Returns whether the state of a rank that has ended can be freed. False: something of the
    // process still refers to it (threads, timers, signals, children).
    virtual bool may_take_state(const Rank &rank) = 0;
    // Takes the state from the rank, whose image still exists, and frees it if it has been bound.
    // Forgets the libraries that the rank has loaded.
    virtual void take_state(Rank &rank) = 0;

    // Announces that the programs of all ranks have been loaded.
    virtual void programs_are_loaded() = 0;
    // Announces that all ranks have their state and image, and are about to run.
    virtual void ranks_are_complete() = 0;
    // Prepares the only rank of a process that keeps the real C library.
    virtual void join_singleton(Rank &rank) = 0;

    // Prepares the calling thread, on which the rank's main function will run.
    virtual void enter_main_thread(Rank &rank) = 0;
    // Returns the vector that the rank's `environ` points to.
    virtual char **environment(const Rank &rank) = 0;
    // Sets a variable in the environment of the calling rank.
    virtual void set_variable(const char *name, const char *value) = 0;
    // Changes the working directory of the calling rank only. Returns 0, or -1 and sets errno.
    virtual int change_directory(const char *path) = 0;
    // Returns whether the calling rank has changed its working directory.
    virtual bool has_own_directory() = 0;

    // Runs the destructors of the calling thread's thread-local objects and thread-specific data,
    // because the contained rank ends that ran on it.
    virtual void end_thread_of_contained() = 0;

    // Does what exit() does for the calling rank: handlers, destructors, streams; then end_rank().
    [[noreturn]] void exit_rank(int code) MAY_SUSPEND {
        run_exit(code);
        __builtin_unreachable(); // gcc 12 overlooks that a virtual function does not return
    }

    // Writes what the ranks have printed, when all have ended. Returns false if some of it is lost.
    virtual bool flush_at_end() MAY_SUSPEND = 0;

protected:
    ~CLibrary() = default;

private:
    virtual void run_exit(int code) MAY_SUSPEND = 0; // does not return
};

// Sets the implementation, when libmpi takes over the process, before any constructor of the
// program runs.
void set_c_library(CLibrary &library);
// Returns it. Ends the process if it has not been set.
CLibrary &c_library();

// Returns the environment that the rank sees; the process's if the rank keeps the real C library.
char **environment_of(const Rank &rank);

} // namespace thrum
