/* <thrum/run.h>: runs MPI ranks inside the calling process, without mpiexec. It is made for tests:
 * a test calls thrum_run() with a function, which n ranks run as fibers; the call returns when all
 * of them have ended, and its result says which rank has failed and how. A failure of a rank does
 * not end the process. docs/testing.md is the user's page; <thrum/gtest.h>, <thrum/catch2.h> and
 * <thrum/doctest.h> connect it with test frameworks.
 *
 * In C:    thrum_result *result = thrum_run(4, function, argument, NULL);
 * In C++:  thrum::RunResult result = thrum::run(4, [](MPI_Comm world) { ... });
 *
 * MPI is initialised in the ranks, with MPI_THREAD_MULTIPLE, and ends with them: a rank need not
 * call MPI_Finalize, but may. `world` is MPI_COMM_WORLD, which means the ranks of the run. The
 * caller need not have initialised MPI; if it has, its own MPI_COMM_WORLD is another one. */
#ifndef THRUM_RUN_H
#define THRUM_RUN_H

#include <mpi.h>

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How a rank has ended. */
typedef enum thrum_rank_end {
    THRUM_RANK_RETURNED = 0,   /* from its function with 0, or by exit(0) */
    THRUM_RANK_EXITED = 1,     /* by exit(), or from its function, with another code */
    THRUM_RANK_THREW = 2,      /* an exception left its function (C++) */
    THRUM_RANK_ASSERTED = 3,   /* a failed assertion, of assert() or a test framework */
    THRUM_RANK_SIGNALED = 4,   /* a crash, or abort(); what was on its stack is lost */
    THRUM_RANK_ABORTED = 5,    /* MPI_Abort, or an MPI error with MPI_ERRORS_ARE_FATAL */
    THRUM_RANK_DEADLOCKED = 6, /* it waited in MPI for ever, and has been ended */
    THRUM_RANK_TIMED_OUT =
        7, /* ended, because the time limit was over or another rank had failed */
    THRUM_RANK_ABANDONED = 8, /* the same while it computed; what was on its stack is lost */
    THRUM_RANK_RUNNING = 9,   /* it could not be ended, and still runs */
    THRUM_NOT_RUN = 10        /* of a result only: no rank has been started */
} thrum_rank_end;

/* What has become of one rank. */
typedef struct thrum_rank_result {
    int rank;           /* in the run */
    thrum_rank_end end; /* its first failure, or THRUM_RANK_RETURNED */
    int code;           /* exit code; 128 + number of a signal; error class of MPI; else 0 */
    const char *text;   /* what happened, perhaps in several lines; "" if nothing failed */
} thrum_rank_result;

/* The result of a run. thrum_result_free() frees all of it. */
typedef struct thrum_result {
    int n_ranks;              /* length of `ranks`; 0 if none has been started */
    int n_failed;             /* ranks that have failed. 0: the run was a success */
    int first_failed;         /* the rank that failed first in time; -1: none */
    thrum_rank_end end;       /* of that rank; THRUM_NOT_RUN if none has been started */
    const char *text;         /* the whole report; "" after a success */
    thrum_rank_result *ranks; /* by rank */
} thrum_result;

/* Which global variables the ranks see. */
enum {
    THRUM_GLOBALS_SHARED = 0, /* those of the caller: ranks are like threads */
    THRUM_GLOBALS_PRIVATE = 1 /* a copy for each rank with its initial values, like a process */
};

/* Options. Begin with THRUM_RUN_OPTIONS_INIT, so that later versions can add some. */
typedef struct thrum_run_options {
    size_t size;       /* sizeof(thrum_run_options) */
    double time_limit; /* seconds; 0: none */
    int globals;       /* THRUM_GLOBALS_SHARED or THRUM_GLOBALS_PRIVATE */
} thrum_run_options;

#define THRUM_RUN_OPTIONS_INIT {sizeof(thrum_run_options), 0.0, THRUM_GLOBALS_SHARED}

/* What each rank runs, at the same time as the others. A result other than 0 is a failure. */
typedef int thrum_rank_function(MPI_Comm world, void *argument);

/* Runs function(MPI_COMM_WORLD, argument) in `n` ranks and returns when all have ended. `options`
 * may be NULL. Never returns NULL: if the ranks cannot be started the result says why. May be
 * called by several threads at a time, and by a rank of another run. */
thrum_result *thrum_run(int n, thrum_rank_function *function, void *argument,
                        const thrum_run_options *options);

/* Frees a result; NULL is allowed. */
void thrum_result_free(thrum_result *result);

/* Records a failure of the calling rank, which goes on. Only its first failure counts. For
 * adapters of test frameworks. Returns 0, or -1 if the caller is not a rank of a run. */
int thrum_run_fail(thrum_rank_end end, const char *text);

/* Returns the number of the calling rank in its run, or -1 if the caller is not a rank of one. A
 * thread that a rank has made is none. */
int thrum_run_rank(void);

#ifdef __cplusplus
} /* extern "C" */

#include <cstdlib>
#include <cxxabi.h>
#include <exception>
#include <memory>
#include <string>
#include <type_traits>
#include <typeinfo>
#include <utility>

namespace thrum {

/* Owns a thrum_result. */
class RunResult {
public:
    explicit RunResult(thrum_result *result) : result_(result) {}

    RunResult(RunResult &&other) noexcept : result_(std::exchange(other.result_, nullptr)) {}

    RunResult &operator=(RunResult &&other) noexcept {
        std::swap(result_, other.result_);
        return *this;
    }

    RunResult(const RunResult &) = delete;
    RunResult &operator=(const RunResult &) = delete;

    ~RunResult() { thrum_result_free(result_); }

    bool ok() const { return result_->n_failed == 0; }

    explicit operator bool() const { return ok(); }

    std::string text() const { return result_->text; }

    const thrum_rank_result &rank(int number) const { return result_->ranks[number]; }

    const thrum_result &get() const { return *result_; }

    const thrum_result *operator->() const { return result_; }

private:
    thrum_result *result_;
};

/* Options as a C++ type: thrum::run(4, f, {.time_limit = 2}) in C++20. */
struct RunOptions {
    double time_limit = 0;              /* seconds; 0: none */
    int globals = THRUM_GLOBALS_SHARED; /* or THRUM_GLOBALS_PRIVATE */
};

namespace run_detail {

#ifdef __cpp_exceptions
/* Is called where any exception is caught: lets the unwinding pass by which the library ends a
 * rank, and which is no exception of the program's. UBSan would take the reference for a null. */
[[gnu::no_sanitize("undefined")]] inline void pass_end_of_rank() {
    try {
        throw;
    } catch (abi::__forced_unwind &) {
        throw;
    } catch (...) {
        /* the program's */
    }
}

/* Records the exception that is being handled as the failure of the calling rank. */
inline void note_exception() {
    try {
        throw;
    } catch (const std::exception &exception) {
        thrum_run_fail(THRUM_RANK_THREW,
                       (std::string("threw an exception: ") + exception.what()).c_str());
    } catch (...) {
        const std::type_info *type = abi::__cxa_current_exception_type();
        char *name = type ? abi::__cxa_demangle(type->name(), nullptr, nullptr, nullptr) : nullptr;
        thrum_run_fail(THRUM_RANK_THREW,
                       (std::string("threw an exception of type ") + (name   ? name
                                                                      : type ? type->name()
                                                                             : "unknown"))
                           .c_str());
        std::free(name);
    }
}
#endif

template <class Function>
int call_plainly(MPI_Comm world, Function &function) {
    if constexpr (std::is_convertible_v<decltype(function(world)), int>) {
        return function(world);
    } else {
        function(world);
        return 0;
    }
}

/* The rank function of thrum::run(). */
template <class Function>
int call(MPI_Comm world, void *function) {
#ifdef __cpp_exceptions
    try {
        return call_plainly(world, *static_cast<Function *>(function));
    } catch (...) {
        pass_end_of_rank();
        note_exception();
    }
    return 0;
#else
    return call_plainly(world, *static_cast<Function *>(function));
#endif
}

/* Returns whether the failed assertions, which an adapter of a test framework reports, are all that
 * went wrong. Otherwise it reports the text of the result, too. */
inline bool only_assertions_failed(const thrum_result &result) {
    for (int rank = 0; rank < result.n_ranks; ++rank)
        if (result.ranks[rank].end != THRUM_RANK_RETURNED &&
            result.ranks[rank].end != THRUM_RANK_ASSERTED)
            return false;
    return result.end != THRUM_NOT_RUN;
}

} // namespace run_detail

/* Runs function(world) in `n` ranks. They call the same object at the same time. It returns void,
 * or 0 for success. An exception that leaves it is a failure of the rank. */
template <class Function>
RunResult run(int n, Function &&function, const RunOptions &options = {}) {
    using Type = std::remove_reference_t<Function>;
    if constexpr (std::is_function_v<Type>) {
        Type *pointer = &function;
        return run(n, pointer, options);
    } else {
        thrum_run_options plain = THRUM_RUN_OPTIONS_INIT;
        plain.time_limit = options.time_limit;
        plain.globals = options.globals;
        void *object = const_cast<void *>(static_cast<const void *>(std::addressof(function)));
        return RunResult(thrum_run(n, &run_detail::call<Type>, object, &plain));
    }
}

} // namespace thrum
#endif

#endif
