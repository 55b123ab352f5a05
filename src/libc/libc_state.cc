// Making and binding the C-library state of a rank, and the table of all overrides.
//
// The constructors of the originals run in ld.so, before any rank exists, and already call
// overrides: they use `first_state`, which becomes the state of the rank that runs the originals.
#include "libc/libc_state.h"

#include "base/check.h"
#include "base/end_function.h"
#include "base/settings.h"
#include "libc/blocking.h"
#include "libc/forked_child.h"
#include "libc/libc_family.h"
#include "libc/program_buffers.h"
#include "libc/signals.h"
#include "rank/guarded_run.h"

#include <atomic>
#include <cstddef>
#include <cstring>
#include <dlfcn.h>
#include <mutex>
#include <unistd.h>

namespace thrum {
namespace {

constexpr size_t overrides_max = 1024;
FunctionOverride all_functions[overrides_max];

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

// Never destroyed: constructors and destructors of the whole process may use it.
alignas(LibcState) char first_memory[sizeof(LibcState)];
LibcState *first_state = nullptr;
bool first_state_taken = false;
std::atomic<bool> ranks_exist{false};

// Where the rank sees the variable: its clone's COPY, or its block; for the originals what ld.so
// made of the name.
template <class T>
T *place(const Rank *rank, const char *name, T &own) {
    if (rank && rank->image) {
        void *copy = copied_variable(rank->image, name);
        return copy ? static_cast<T *>(copy) : &own;
    }
    if (rank && rank != &rank_at(0))
        return &own; // ranks without images: unit tests
    void *original = dlsym(RTLD_DEFAULT, name);
    return original ? static_cast<T *>(original) : &own;
}

void bind_variables(LibcState &state, const Rank *rank) {
    LibcVariables &v = state.variables;
    state.bound = {.optarg = place(rank, "optarg", v.optarg),
                   .optind = place(rank, "optind", v.optind),
                   .opterr = place(rank, "opterr", v.opterr),
                   .optopt = place(rank, "optopt", v.optopt),
                   .environment = place(rank, "environ", v.environment),
                   .in = place(rank, "stdin", v.in),
                   .out = place(rank, "stdout", v.out),
                   .err = place(rank, "stderr", v.err),
                   .program_name = place(rank, "program_invocation_name", v.program_name),
                   .program_short_name =
                       place(rank, "program_invocation_short_name", v.program_short_name),
                   .sign_of_gamma = place(rank, "signgam", v.sign_of_gamma),
                   .single_threaded = place(rank, "__libc_single_threaded", v.single_threaded)};
}

LibcState &make_first_state() {
    if (!first_state) {
        first_state = new (first_memory) LibcState;
        bind_variables(*first_state, nullptr);
        const Settings &s = settings();
        set_output_format({.prefix = s.prefix, .directory = s.output_dir, .rank_count = s.ranks});
        first_state->out_stream.open(STDOUT_FILENO, 0);
        first_state->err_stream.open(STDERR_FILENO, 0);
        make_stdio(*first_state);
        first_state->in = process_stdin();
        *first_state->bound.out = first_state->out;
        *first_state->bound.err = first_state->err;
    }
    return *first_state;
}

char **copy_strings(int count, char *const *strings) {
    size_t text_bytes = 0;
    for (int i = 0; i < count; ++i)
        text_bytes += std::strlen(strings[i]) + 1;
    size_t vector_bytes = (static_cast<size_t>(count) + 1) * sizeof(char *);
    auto **copy = static_cast<char **>(std::malloc(vector_bytes + text_bytes));
    CHECK(copy, "out of memory for argv");
    char *text = reinterpret_cast<char *>(copy) + vector_bytes;
    for (int i = 0; i < count; ++i) {
        copy[i] = text;
        text = stpcpy(text, strings[i]) + 1;
    }
    copy[count] = nullptr;
    return copy;
}

} // namespace

const Overrides &libc_overrides() {
    static Overrides overrides{};
    if (overrides.functions)
        return overrides;
    const FunctionFamily *families[] = {&exit_family,
                                        &getopt_family,
                                        &random_family,
                                        &statics_family,
                                        &time_family,
                                        &environment_family,
                                        &process_family,
                                        &directory_family,
                                        &sleep_family,
                                        &thread_family,
                                        &stdio_family,
                                        &print_family,
                                        &dynamic_linking_family,
                                        &key_family,
                                        &descriptor_family,
                                        &signal_family,
                                        &alarm_family,
                                        &cpu_time_family,
                                        &standard_input_family,
                                        &file_descriptor_family,
                                        &device_descriptor_family,
                                        &opened_descriptor_family,
                                        &file_lock_family,
                                        &locale_family,
                                        &system_log_family,
                                        &database_family,
                                        &descriptor_limit_family,
                                        &blocking_descriptor_family,
                                        &blocking_socket_family,
                                        &blocking_poll_family,
                                        &blocking_lock_family,
                                        &blocking_ipc_family,
                                        &message_family,
                                        &program_file_family};
    size_t count = 0;
    for (const FunctionFamily *family : families)
        for (size_t i = 0; i < family->count; ++i) {
            CHECK(count < overrides_max);
            all_functions[count++] = family->functions[i];
        }
    overrides = {all_functions, count, all_variables, std::size(all_variables)};
    return overrides;
}

void prepare_libc_state() {
    make_first_state();
    set_output_function(&flush_all_output);
    divert_stdio();
}

void give_libc_state(Rank &rank, int argc, char **argv, char **environment) {
    LibcState *state;
    if (!first_state_taken) {
        first_state_taken = true;
        set_widest_rank(rank.world_size - 1);
        state = &make_first_state();
        state->variables.environment =
            *state->bound.environment; // constructors may have changed it
    } else {
        state = new LibcState;
        state->variables.environment = copy_environment(environment);
    }
    state->argc = argc;
    state->argv = copy_strings(argc, argv);
    rank.libc = state;
    rank.own_signals = &state->signals;
}

void give_added_libc_state(Rank &rank, int argc, char **argv, char **environment) {
    auto *state = new LibcState;
    int count = 0;
    while (environment[count])
        ++count;
    state->own_environment = copy_strings(count, environment);
    state->variables.environment = state->own_environment;
    state->argc = argc;
    state->argv = copy_strings(argc, argv);
    rank.libc = state;
    rank.own_signals = &state->signals;
}

bool may_delete_libc_state(const LibcState &state) {
    return state.threads.empty() && state.children.empty() && !state.alarms && !state.locale &&
           state.running_threads.load(std::memory_order_acquire) == 0 && // [threads-1]
           !state.signals.state.load(std::memory_order_acquire);         // [signals-1]
}

namespace {

// Closes what the rank's exit() has not closed, as the kernel does for a process.
void delete_libc_state(LibcState *state) {
    for (FILE *file : state->files)
        ::fclose(file);
    for (FILE *file : {state->out, state->err, state->in})
        if (file && file != process_stdin())
            ::fclose(file);
    redirect_input(*state, -1);
    if (state->directory.descriptor >= 0)
        ::close(state->directory.descriptor);
    delete state->static_buffers.load(std::memory_order_relaxed);
    delete state->children_usage;
    std::free(state->owned_environment);
    std::free(state->own_environment);
    std::free(state->argv);
    delete state;
}

} // namespace

void take_libc_state(Rank &rank) {
    if (libc_of(rank).out) // bound
        delete_libc_state(&libc_of(rank));
    rank.libc = nullptr;
    rank.own_signals = nullptr;
}

// Of the rank's own argv: a job may have several programs.
static void name_program(LibcState &state) {
    if (state.argc < 1)
        return;
    char *name = state.argv[0];
    char *slash = std::strrchr(name, '/');
    *state.bound.program_name = name;
    *state.bound.program_short_name = slash ? slash + 1 : name;
}

const char *rank_program_name() {
    return *current_libc().bound.program_short_name;
}

void bind_libc_state(Rank &rank) {
    LibcState &state = libc_of(rank);
    if (&state != first_state) {
        bind_variables(state, &rank);
        state.out_stream.open(STDOUT_FILENO, rank.world_rank);
        state.err_stream.open(STDERR_FILENO, rank.world_rank);
        make_stdio(state);
    } else if (rank.world_rank != 0) { // other processes host the ranks before it
        state.out_stream.open(STDOUT_FILENO, rank.world_rank);
        state.err_stream.open(STDERR_FILENO, rank.world_rank);
    }
    // A COPY holds what the template held, which is rank 0's.
    *state.bound.optarg = nullptr;
    *state.bound.optind = *state.bound.opterr = 1;
    *state.bound.optopt = '?';
    *state.bound.environment = state.variables.environment;
    make_stdin(state, rank.world_rank);
    *state.bound.in = state.in;
    *state.bound.out = state.out;
    *state.bound.err = state.err;
    name_program(state);
    *state.bound.single_threaded = 0;
    // release [libc-1]: the first rank's state is complete.
    ranks_exist.store(true, std::memory_order_release);
}

char **rank_environment(const Rank &rank) {
    return *libc_of(rank).bound.environment;
}

LibcState &current_libc() {
    // acquire [libc-1]
    if (!ranks_exist.load(std::memory_order_acquire))
        return make_first_state();
    return libc_of(current_rank());
}

bool cannot_park() {
    return in_forked_child() ||
           current_rank_thread().signals.visited.load(std::memory_order_relaxed);
}

namespace {

// While it lives, the calling thread counts as the rank's main one, which does not go on any more.
class InPlaceOf {
public:
    explicit InPlaceOf(Rank &rank)
        : rank_(rank), task_(current_task_or_null), image_(current_image()) {
        // No handler of the rank runs, and nothing parks.
        rank_.signals.held.fetch_add(1, std::memory_order_relaxed);
        was_visited_ = rank_.signals.visited.exchange(true, std::memory_order_relaxed);
        current_task_or_null = &rank_;
        set_current_image(rank_.image);
    }

    ~InPlaceOf() {
        set_current_image(image_);
        current_task_or_null = task_;
        rank_.signals.visited.store(was_visited_, std::memory_order_relaxed);
        rank_.signals.held.fetch_sub(1, std::memory_order_relaxed);
    }

    InPlaceOf(const InPlaceOf &) = delete;
    InPlaceOf &operator=(const InPlaceOf &) = delete;

private:
    Rank &rank_;
    Task *task_;
    const Image *image_;
    bool was_visited_;
};

int patience_ms = 20; // for the locks of all FILEs together

// Its lock may be held by the code that has crashed.
void flush_files_of(LibcState &state) {
    bool locked = state.lock.try_lock();
    for (int attempt = 1; attempt < 20 && !locked; ++attempt) {
        ::usleep(500);
        locked = state.lock.try_lock();
    }
    for (FILE *file : state.files)
        flush_file(file, patience_ms);
    if (locked)
        state.lock.unlock();
}

void flush_streams_of(void *argument) {
    Rank &rank = *static_cast<Rank *>(argument);
    flush_program_streams(rank.image, rank.executable);
}

void flush_libc_of(void *argument) MAY_SUSPEND {
    LibcState &state = libc_of(*static_cast<Rank *>(argument));
    for (FILE *file : {state.out, state.err})
        if (file)
            flush_file(file, patience_ms);
    state.out_stream.flush();
    state.err_stream.flush();
}

void flush_other_files_of(void *argument) {
    flush_files_of(libc_of(*static_cast<Rank *>(argument)));
}

// What the rank has printed; its exit() has done all of it if it has ended.
void flush_rank(GuardedRun &flush, Rank &rank) {
    if (rank.ended.load(std::memory_order_relaxed)) {
        flush.attempt(flush_libc_of, &rank);
        return;
    }
    InPlaceOf rank_itself(rank);
    flush.attempt(flush_streams_of, &rank);
    flush.attempt(flush_libc_of, &rank);
    flush.attempt(flush_other_files_of, &rank);
}

} // namespace

bool flush_at_ordinary_end() {
    output_is_ending();
    for (int i = 0; i < rank_count(); ++i)
        if (rank_at(i).libc)
            flush_libc_of(&rank_at(i));
    return !output_is_lost();
}

void flush_all_output() {
    output_is_ending();
    GuardedRun flush;
    if (!ranks_exist.load(std::memory_order_acquire)) { // [libc-1]
        if (first_state)
            flush_stdio(*first_state);
        flush.attempt([](void *) { flush_process_streams(); }, nullptr);
        flush.attempt([](void *) { flush_process_files(); }, nullptr);
        return;
    }
    std::unique_lock table(rank_table_mutex(), std::try_to_lock); // or we are in a signal handler
    for (int i = 0; i < rank_count(); ++i)
        if (rank_at(i).libc)
            flush_rank(flush, rank_at(i));
}

} // namespace thrum
