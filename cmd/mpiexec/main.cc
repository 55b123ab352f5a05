// mpiexec (MPI 5.0 section 11.5): starts an MPI program whose ranks are threads of one process, or
// several processes.
//
// What happens: read the command line, find each program, refuse what cannot run, put the wishes
// into the environment (base/settings.h), start the first program with the library preloaded, wait.
// For several processes: plan which ranks each hosts, serve their wire-up, start them all, wait.
// For several hosts: have an agent do that on each.
//
// Mistakes of the user are thrown as UsageError and printed here, in one line.
#include "agents/agent.h"
#include "agents/link.h"
#include "base/settings.h"
#include "command_line/command_line.h"
#include "command_line/variables.h"
#include "explore/explore.h"
#include "fuzz/fuzz.h"
#include "launcher/serve.h"
#include "launcher/supervisor.h"
#include "launcher/watch.h"
#include "plan/message.h"
#include "plan/options.h"
#include "plan/placement.h"
#include "plan/topology.h"
#include "plan/usage_error.h"
#include "start/ending.h"
#include "start/launch.h"
#include "start/live_view.h"
#include "start/observed_job.h"
#include "start/program.h"
#include "start/session.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <unistd.h>
#include <vector>

namespace mpiexec {
namespace {

// Finds the file of each program. Throws UsageError if one is missing or cannot run.
void find_programs(Options &options) {
    const int job_ranks = count_ranks(options);
    for (ProgramSpec &spec : options.programs)
        find_program(spec, job_ranks, options.exports);
    const ProgramSpec &first = options.programs[0];
    for (ProgramSpec &spec : options.programs)
        if (spec.front != first.front && spec.refusal.empty())
            spec.refusal = fmt::format(
                "{} and {} are built for different MPIs, and their ranks cannot share a process. "
                "Run them with --processes.",
                first.path, spec.path);
    const bool has_script = std::ranges::any_of(options.programs, &ProgramSpec::is_script);
    if (has_script && options.programs.size() > 1 && asks_for_threads(options))
        throw UsageError(
            2, "a script cannot be one of several programs: name the programs themselves");
}

// Decides whether ranks are processes. Programs whose ranks cannot share a process get one for each
// rank; if the user has asked for threads, that is refused. Launchers get processes, too: what a
// process of one executes takes its place as a rank.
void choose_processes(Options &options) {
    // A single process of a launcher is an ordinary process, unless its streams are not.
    const bool needs_streams = options.is_on("prefix") || !options.value_of("output_dir").empty() ||
                               !options.value_of("stdin").empty();
    for (const ProgramSpec &spec : options.programs) {
        if (spec.is_passed && spec.refusal.empty())
            continue;
        if (!spec.refusal.empty() && asks_for_threads(options))
            throw UsageError(2, spec.refusal);
        if (!spec.refusal.empty() || (spec.is_launcher && !asks_for_threads(options) &&
                                      (count_ranks(options) > 1 || needs_streams)))
            options.processes = true;
    }
}

// Handles the options of placement in a job whose ranks are threads of one process: refuses those
// that cannot be met, notes those without effect, and prints the picture of --report-bindings.
void settle_placement(Options &options) {
    if (!options.rank_file.empty())
        throw UsageError(2, "--rankfile places processes, but all ranks of this job run in one "
                            "process: add --processes, or set its cores with taskset");
    if (!options.bind_to.empty() && options.bind_to != "none")
        options.notes.push_back(fmt::format("--bind-to {} (all ranks are threads of one process; "
                                            "with --processes each rank has a process to bind)",
                                            options.bind_to));
    if (!options.report_bindings)
        return;
    Options whole = options;
    whole.ranks_per_process = count_ranks(options);
    fmt::print(stderr, "{}", picture_of_bindings(read_topology(), make_plan(whole), 0));
}

// OpenBLAS starts a thread for each core in each copy of it, and each rank has one: a hundred ranks
// would fight for the cores. Gives each rank one thread, unless the user has said how many.
void settle_blas(Options &options) {
    if (count_ranks(options) == 1)
        return;
    for (const char *variable : {"OPENBLAS_NUM_THREADS", "GOTO_NUM_THREADS", "OMP_NUM_THREADS"}) {
        const auto names_it = [&](const std::string &item) {
            return item.starts_with(std::string(variable) + "=");
        };
        if (getenv(variable) || std::ranges::any_of(options.exports, names_it))
            return;
    }
    for (const ProgramSpec &spec : options.programs) {
        if (!spec.has_openblas)
            continue;
        options.exports.emplace_back("OPENBLAS_NUM_THREADS=1");
        if (!options.quiet)
            say("note: {} uses OpenBLAS, of which each rank gets one thread: "
                "OPENBLAS_NUM_THREADS=N sets another number",
                spec.argv[0]);
        return;
    }
}

// Prints what is ignored, in one line for the whole job.
void say_notes(const Options &options) {
    if (options.quiet || options.notes.empty())
        return;
    std::string list;
    for (const std::string &note : options.notes)
        list += (list.empty() ? "" : "; ") + note;
    say("note: ignored: {}", list);
}

// Prints what is started, with --verbose.
void say_what_starts(const Options &options, size_t processes, const std::string &hosts) {
    if (!options.verbose)
        return;
    const int ranks = count_ranks(options);
    std::string names;
    for (const ProgramSpec &spec : options.programs)
        names += fmt::format("{}{} ({})", names.empty() ? "" : ", ", spec.path, spec.ranks);
    say("starting {} rank{} as {} on {}: {}", ranks, ranks == 1 ? "" : "s",
        processes == 1 ? "threads of one process" : fmt::format("{} processes", processes), hosts,
        names);
}

// Ends mpiexec without running destructors: a thread of libpmix may still run and use what they
// destroy.
[[noreturn]] void end_at_once(int code) {
    std::fflush(nullptr);
    _exit(code);
}

// Reads the settings as the processes of the job will, so that a wrong value is reported once and
// not by each of them.
void check_settings_in_environment() {
    std::vector<const char *> environment;
    for (char **variable = environ; *variable; ++variable)
        environment.push_back(*variable);
    environment.push_back(nullptr);
    thrum::read_settings(environment.data());
}

bool launches(const Options &options) {
    return std::ranges::any_of(options.programs, &ProgramSpec::is_launcher);
}

// Runs a job of several processes, here or by agents. Returns its exit code.
int run_several(const Options &options, Plan &plan, const sigset_t &child_mask) {
    check_settings_in_environment();
    say_notes(options);
    std::string hosts;
    for (const std::string &host : plan.hosts)
        hosts += (hosts.empty() ? "" : ", ") + host;
    say_what_starts(options, plan.processes.size(), hosts);
    if (!plan.has_agents)
        fmt::print(stderr, "{}", place(options, plan, 0));
    return run_node_processes(options, plan, child_mask);
}

// Runs the job many times (--fuzz, --explore). Returns the exit code.
int run_many(Options &options, bool is_dialogue, const std::vector<std::string> &words,
             const sigset_t &child_mask) {
    const bool explores = options.explore.orders_max > 0;
    if (is_dialogue)
        throw UsageError(2, fmt::format("{} runs many jobs without a terminal: name the program "
                                        "alone, then give {} the {} that is found",
                                        explores ? "--explore" : "--fuzz",
                                        options.programs[0].argv[0], explores ? "record" : "seed"));
    const RunInput input = RunInput::find(options.notes);
    say_notes(options);
    return explores ? run_explore(options, words, input, child_mask)
                    : run_fuzz(options, words, input, child_mask);
}

// Does what mpiexec is called for, and returns its exit code. It is also the PMIx server of a
// process without one (--serve) and an agent on another host. Signals are blocked before anything
// is started, because the loops that follow wait for them with sigtimedwait() or signalfd().
int run(int argc, char **argv) {
    keep_hwloc_from_waiting();
    if (argc == 3 && !strcmp(argv[1], serve_argument))
        end_at_once(run_server(atoi(argv[2])));
    if (argc == 2 && !strcmp(argv[1], agent_argument))
        end_at_once(run_agent());
    Options options = parse_command_line(argc, argv);
    for (const std::string &sentence : misspelled_variables(environ))
        say("{}", sentence);
    forget_outer_job();
    find_programs(options);
    const bool is_dialogue = find_session(options);
    choose_processes(options);
    sigset_t child_mask = block_signals();
    if (options.fuzz.seeds > 0 || options.explore.orders_max > 0)
        return run_many(options, is_dialogue, {argv, argv + argc}, child_mask);
    ObservedJob observed(options, {argv, argv + argc});
    LiveView view(options);
    if (options.processes || !options.hosts.empty()) {
        Plan plan = make_plan(options);
        if (plan.has_agents ||
            (options.processes && (plan.processes.size() > 1 || launches(options))))
            end_at_once(observed.finish(view.finish(run_several(options, plan, child_mask))));
        // The plan is a single process on this machine: its ranks are threads.
        options.hosts.clear();
    }
    settle_placement(options);
    settle_blas(options);
    say_notes(options);
    say_what_starts(options, 1, name_of_this_machine());
    Child child = launch(options, child_mask);
    child.owns_terminal = is_dialogue;
    return observed.finish(view.finish(watch(child, options)));
}

} // namespace
} // namespace mpiexec

int main(int argc, char **argv) {
    try {
        return mpiexec::run(argc, argv);
    } catch (const mpiexec::UsageError &error) {
        mpiexec::say("{}", error.what());
        mpiexec::end_at_once(error.exit_code);
    } catch (const std::filesystem::filesystem_error &error) {
        // Many operations fail in a directory that has been removed; the message then names the
        // cause.
        std::error_code no_directory;
        (void)std::filesystem::current_path(no_directory);
        if (no_directory)
            mpiexec::say("cannot determine the current directory: {}; change to one that exists",
                         no_directory.message());
        else
            mpiexec::say("{}: {}", error.path1().string(), error.code().message());
        mpiexec::end_at_once(1);
    } catch (const std::exception &error) {
        mpiexec::say("{}", error.what());
        mpiexec::end_at_once(1);
    }
}
