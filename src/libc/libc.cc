// Implements rank/c_library.h: gives each rank its C-library state and takes it back.
//
// The state of a rank passes through these steps, in this order: give_state() makes it and copies
// argv; the image is cloned with `variables` as the target of the slots; bind_state() finds the
// variables in the image and opens the streams; take_state() closes and frees it after the rank's
// end. The rank that runs the originals has a state already, which prepare_libc() has made.
#include "libc/libc.h"

#include "base/end_function.h"
#include "base/settings.h"
#include "libc/argument_copy.h"
#include "libc/blocking.h"
#include "libc/directory.h"
#include "libc/environment.h"
#include "libc/exit.h"
#include "libc/family.h"
#include "libc/final_flush.h"
#include "libc/heap.h"
#include "libc/input_for_all.h"
#include "libc/keys.h"
#include "libc/libc_state.h"
#include "libc/openmp.h"
#include "libc/output.h"
#include "libc/program_buffers.h"
#include "libc/standard_input.h"
#include "libc/stdio.h"
#include "libc/streams.h"
#include "libc/threads.h"
#include "plugin/plugin.h"

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <unistd.h>
#include <utility>

namespace thrum {
namespace {

constexpr size_t overrides_max = 1024; // of all families together; checked by collect_functions()
// Static, because libc_overrides() runs before malloc may be called.
FunctionOverride all_functions[overrides_max];

// The variables that each rank has, by all names that glibc exports for them. A slot that refers to
// a name gets the address of that member of the rank's LibcVariables.
constexpr VariableOverride all_variables[] = {
    {"optarg", offsetof(LibcVariables, optarg)},
    {"optind", offsetof(LibcVariables, optind)},
    {"opterr", offsetof(LibcVariables, opterr)},
    {"optopt", offsetof(LibcVariables, optopt)},
    {"environ", offsetof(LibcVariables, environment)},
    {"_environ", offsetof(LibcVariables, environment)},
    {"__environ", offsetof(LibcVariables, environment)},
    {"stdin", offsetof(LibcVariables, in)},
    {"stdout", offsetof(LibcVariables, out)},
    {"stderr", offsetof(LibcVariables, err)},
    {"program_invocation_name", offsetof(LibcVariables, program_name)},
    {"__progname_full", offsetof(LibcVariables, program_name)},
    {"program_invocation_short_name", offsetof(LibcVariables, program_short_name)},
    {"__progname", offsetof(LibcVariables, program_short_name)},
    {"signgam", offsetof(LibcVariables, sign_of_gamma)},
    {"__signgam", offsetof(LibcVariables, sign_of_gamma)},
    {"__libc_single_threaded", offsetof(LibcVariables, single_threaded)},
};

// Whether give_state() has given the first state away. Written by the main thread at the start.
bool first_state_taken = false;

// The process that has registered check_output_of_singleton(); a child of its fork() has another.
pid_t singleton_process = 0;

// Reports output that cannot be written when a process with a single rank exits, and makes the exit
// code an error. The C library ignores a failure of its last flush. A child that the process has
// forked runs this function, too, but is not a rank.
void check_output_of_singleton(int code, void *) {
    const Rank &rank = rank_at(0);
    if (!rank.process || ::getpid() != singleton_process)
        return;
    int error = 0;
    const char *which = flush_process_at_exit(error);
    if (!which)
        return;
    report_lost_output(rank.world_rank, which, error);
    std::exit(code ? code : 1); // runs the remaining handlers, with the new code
}

// Sets program_invocation_name and its short form from the rank's own argv: a job may have several
// programs.
void name_program(LibcState &state) {
    if (state.argc < 1)
        return;
    char *name = state.argv[0];
    char *slash = std::strrchr(name, '/');
    *state.bound.program_name = name;
    *state.bound.program_short_name = slash ? slash + 1 : name;
}

// Gives the originals' constructors stdout and stderr that belong to the later rank. Its number is
// not known yet: open_output() is repeated in bind_state() if it is not 0.
void make_first_streams() {
    LibcState &state = first_libc();
    const Settings &s = settings();
    set_output_format({.prefix = s.prefix, .directory = s.output_dir, .rank_count = s.ranks});
    open_output(state, 0);
    make_stdio(state);
    Streams &streams = streams_of(state);
    streams.in = process_stdin();
    *state.bound.out = streams.out;
    *state.bound.err = streams.err;
}

class Libc final : public CLibrary {
public:
    void give_state(Rank &rank, int argc, char **argv, char **environment) override {
        bool is_first = !std::exchange(first_state_taken, true);
        LibcState &state = is_first ? first_libc() : make_libc_state();
        if (is_first)
            set_widest_rank(rank.world_size - 1);
        // Constructors of the originals may have changed the environment.
        state.variables.environment =
            is_first ? *state.bound.environment : copy_environment(environment);
        give(rank, state, argc, argv);
    }

    void give_state_to_added(Rank &rank, int argc, char **argv, char **environment) override {
        LibcState &state = make_libc_state();
        thrum::give_environment(state, environment);
        give(rank, state, argc, argv);
    }

    void *variables(Rank &rank) override { return &libc_of(rank).variables; }

    void bind_state(Rank &rank) override {
        LibcState &state = libc_of(rank);
        Streams &streams = streams_of(state);
        bool is_first = &state == &first_libc();
        if (!is_first)
            bind_variables(state, &rank);
        if (!is_first || rank.world_rank != 0) // other processes host the ranks before it
            open_output(state, rank.world_rank);
        if (!is_first)
            make_stdio(state);
        make_stdin(state, rank.world_rank);
        set_variables(state, streams);
        name_program(state);
        begin_ranks();
    }

    bool may_take_state(const Rank &rank) override {
        return !states_are_referred_to(libc_of(rank));
    }

    void take_state(Rank &rank) override {
        {
            std::lock_guard table(rank_table_mutex());
            LibcState &state = libc_of(rank);
            rank.libc = nullptr;
            if (streams_of(state).out) // bound
                close_stdio(state);
            delete_libc_state(state);
        }
        if (rank.image)
            forget_plugins(rank.image);
    }

    void programs_are_loaded() override { announce_openmp_defaults(); }

    void ranks_are_complete() override { start_input_for_all(); }

    void join_singleton(Rank &) override {
        find_program_streams();
        set_output_function(&flush_all_output);
        singleton_process = ::getpid();
        ::on_exit(&check_output_of_singleton, nullptr);
    }

    void enter_main_thread(Rank &rank) override { thrum::enter_main_thread(libc_of(rank)); }

    char **environment(const Rank &rank) override { return *libc_of(rank).bound.environment; }

    void set_variable(const char *name, const char *value) override { rank_setenv(name, value); }

    int change_directory(const char *path) override { return thrum::change_directory(path); }

    bool has_own_directory() override { return thrum::has_own_directory(); }

    void end_thread_of_contained() override {
        run_thread_local_destructors();
        run_key_destructors();
    }

    [[noreturn]] void run_exit(int code) override MAY_SUSPEND { rank_exit(code); }

    bool flush_at_end() override MAY_SUSPEND { return flush_at_ordinary_end(); }

private:
    static void give(Rank &rank, LibcState &state, int argc, char **argv) {
        state.argc = argc;
        state.argv = copy_strings(argc, argv);
        std::lock_guard table(rank_table_mutex());
        rank.libc = &state;
    }

    // Sets the variables to what a new process finds. A COPY holds what the template held, which is
    // rank 0's.
    static void set_variables(LibcState &state, const Streams &streams) {
        *state.bound.optarg = nullptr;
        *state.bound.optind = *state.bound.opterr = 1;
        *state.bound.optopt = '?';
        *state.bound.environment = state.variables.environment;
        *state.bound.in = streams.in;
        *state.bound.out = streams.out;
        *state.bound.err = streams.err;
        *state.bound.single_threaded = 0;
    }
};

constinit Libc the_libc;

} // namespace

// Collected on the first call, then the same for the whole process.
const Overrides &libc_overrides() {
    static Overrides overrides{};
    if (!overrides.functions) {
        size_t count = collect_functions(all_functions, overrides_max);
        if (settings().observe)
            count = add_heap_functions(all_functions, count, overrides_max);
        overrides = {all_functions, count, all_variables, std::size(all_variables)};
    }
    return overrides;
}

void prepare_libc() {
    make_first_streams();
    set_output_function(&flush_all_output);
    divert_stdio();
}

CLibrary &libc() {
    return the_libc;
}

} // namespace thrum
