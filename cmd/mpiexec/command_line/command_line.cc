// Parsing of the command line (command_line/command_line.h). words.cc first splits it into words
// that CLI11 understands and the program with its arguments; CLI11 then holds the table of options.
// Each program specification of an MPMD job is parsed on its own; options of the whole job are
// accepted in the first only. complete.cc then fills in what follows from several options.
#include "command_line/command_line.h"

#include "base/environment_variables.h"
#include "command_line/complete.h"
#include "command_line/habits.h"
#include "command_line/mapping.h"
#include "command_line/settings.h"
#include "command_line/words.h"
#include "plan/usage_error.h"

#include <CLI/CLI.hpp>
#include <filesystem>
#include <fmt/core.h>
#include <fstream>
#include <sstream>

namespace mpiexec {
namespace {

constexpr int usage_exit_code = 2;

UsageError wrong(const std::string &text) {
    return {usage_exit_code, text};
}

// Returns the number, or throws UsageError that names the option.
int parse_whole_number(const std::string &option, const std::string &text, int least = 1) {
    size_t used = 0;
    int value = 0;
    try {
        value = std::stoi(text, &used);
    } catch (const std::exception &) {
        used = 0; // no number, or one that is too large
    }
    if (used == 0 || used != text.size() || value < least)
        throw wrong(
            fmt::format("{} {}: expected a whole number of at least {}", option, text, least));
    return value;
}

// Returns a time in seconds, or throws UsageError that names the option.
double parse_seconds(const std::string &text, const char *option = "--timeout") {
    size_t used = 0;
    double value = 0;
    try {
        value = std::stod(text, &used);
    } catch (const std::exception &) {
        used = 0; // no number, or one that is too large
    }
    if (used == 0 || used != text.size() || !(value > 0) || value > 1e9)
        throw wrong(
            fmt::format("{} {}: expected a number of seconds greater than 0", option, text));
    return value;
}

// Returns the number of a port, of which 0 is a free one.
int parse_port(const std::string &text) {
    constexpr int port_max = 65535;
    const bool is_number = !text.empty() && text.size() <= 5 &&
                           text.find_first_not_of("0123456789") == std::string::npos;
    if (!is_number || std::stoi(text) > port_max)
        throw wrong(
            fmt::format("--live {}: expected a port from 0 (a free one) to {}", text, port_max));
    return std::stoi(text);
}

// Returns the absolute path of a directory that must exist here.
std::string parse_working_dir(const std::string &text) {
    std::error_code error;
    if (!std::filesystem::is_directory(text, error))
        throw wrong(
            fmt::format("--wdir {}: {}", text, error ? error.message() : "not a directory"));
    return std::filesystem::absolute(text).string();
}

// Declares an option with a value. It may be repeated; the last one counts.
template <class Function>
CLI::Option *add_value(CLI::App &app, const char *names, const char *value, Function take,
                       const char *description) {
    return app.add_option_function<std::string>(names, take, description)
        ->type_name(value)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
}

void take_variable(const char *option, const std::string &text, Words &variables) {
    const size_t equals = text.find('=');
    if (equals == 0 || equals == std::string::npos)
        throw wrong(fmt::format("{} {}: expected NAME=VALUE", option, text));
    variables.push_back(text);
}

// The group of options that only rows of habits.cc produce; the help does not list it.
constexpr const char *hidden = "";

// Declares the options that each program of an MPMD job may have of its own.
void declare_program_options(CLI::App &app, ProgramSpec &spec) {
    add_value(
        app, "-n,--np", "N",
        [&](const std::string &text) {
            spec.ranks = parse_whole_number("-n", text);
            spec.ranks_given = true;
        },
        "number of ranks (also -np); default 1, with --hosts one per slot");
    add_value(
        app, "--wdir", "DIR",
        [&](const std::string &text) { spec.working_dir = parse_working_dir(text); },
        "run the program in DIR");
    add_value(
        app, "--path", "DIRS", [&](const std::string &text) { spec.search_path = text; },
        "look for the program in DIRS (colon-separated) before PATH");
    app.add_option_function<Words>(
           "--set-env",
           [&](const Words &items) {
               for (const std::string &item : items)
                   take_variable("-env", item, spec.environment);
           },
           "")
        ->expected(1)
        ->take_all()
        ->group(hidden);
    add_value(
        app, "--copies", "N",
        [&](const std::string &text) { spec.copies = parse_whole_number("-c", text); }, "")
        ->group(hidden);
}

// Declares how many processes there are, and where they run.
void declare_process_options(CLI::App &app, Options &o) {
    app.add_flag(
        "--processes", o.processes,
        "start an operating-system process for each rank; default for launchers (bash, python3, "
        "...) and for programs whose ranks cannot be threads");
    add_value(
        app, "--ranks-per-process", "K",
        [&](const std::string &t) {
            o.ranks_per_process = parse_whole_number("--ranks-per-process", t);
        },
        "start several processes, each of which hosts K ranks");
    add_value(
        app, "--bind-to", "WHAT", [&](const std::string &t) { parse_bind_to(t, o); },
        "bind each process to a core or hardware thread (hwthread) for each of its ranks, to a "
        "socket or NUMA node; default none");
    add_value(
        app, "--map-by", "WHAT", [&](const std::string &t) { parse_map_by(t, o); },
        "fill one host after the other (slot, default), or each in turn (node); assign "
        "cores to processes in order (core), or one of each socket or NUMA node in turn; "
        "ppr:N:OBJECT: N ranks for each socket, core, ...");
    add_value(
        app, "--rankfile", "FILE", [&](const std::string &t) { o.rank_file = t; },
        "place and bind processes according to the lines \"rank N=HOST slot=CORES\" of FILE");
    app.add_flag("--report-bindings", o.report_bindings,
                 "show on standard error where each process may run");
}

// Declares which machines there are.
void declare_host_options(CLI::App &app, Options &o) {
    add_value(
        app, "--hosts,--host,-H", "A:N,B:M",
        [&](const std::string &t) { o.hosts = parse_hosts(t); },
        "run on these machines: at most N ranks on A, M on B, ...; a host without a number takes "
        "1, or its share of what -n asks for");
    add_value(
        app, "--hostfile,--machinefile,-f", "FILE",
        [&](const std::string &t) { o.hosts = read_host_file(t); },
        "read the hosts from the lines \"HOST slots=N\" or \"HOST:N\" of FILE");
    app.add_flag("--oversubscribe", o.oversubscribe,
                 "let hosts take more ranks than they have slots, if -n asks for more");
    add_value(
        app, "--ppn,--npernode", "N",
        [&](const std::string &t) { o.ranks_per_host = parse_whole_number("--ppn", t); },
        "place N ranks on every host, regardless of its slots");
}

void add_names(const std::string &list, Words &names) {
    std::istringstream items(list);
    for (std::string name; std::getline(items, name, ',');)
        if (!name.empty())
            names.push_back(name);
}

// Takes --output of Open MPI 5: "tag", "merge", "dir=DIR", separated by commas.
void parse_output(const std::string &text, Options &o) {
    std::istringstream items(text);
    for (std::string item; std::getline(items, item, ',');) {
        const size_t equals = item.find('=');
        const std::string name = item.substr(0, equals);
        if (name == "tag" || name == "rank" || name == "tag-detailed" || name == "tag-fullname")
            o.given_settings["prefix"] = "1";
        else if (name == "merge" || name == "merge-stderr-to-stdout")
            o.merge_stderr = true;
        else if ((name == "dir" || name == "file") && equals != std::string::npos)
            o.given_settings["output_dir"] =
                std::filesystem::absolute(item.substr(equals + 1)).string();
        else if (name == "timestamp")
            o.notes.push_back("timestamp of --output (mpiexec ... | ts, of the package moreutils)");
        else
            throw wrong(fmt::format("--output {}: expected tag, merge or dir=DIR; use > FILE for a "
                                    "single file, --output-dir DIR for one file per rank",
                                    text));
    }
}

void parse_fuzz_compare(const std::string &text, Options &o) {
    if (text != "output" && text != "exit")
        throw wrong(fmt::format("--fuzz-compare {}: expected output or exit", text));
    o.fuzz.compares_output = text == "output";
}

// Declares what repeats the job with many schedules.
void declare_fuzz_options(CLI::App &app, Options &o) {
    add_value(
        app, "--fuzz", "N",
        [&](const std::string &t) { o.fuzz.seeds = parse_whole_number("--fuzz", t); },
        "run the job with N seeds, stop at the first that goes wrong, and find how many of its "
        "choices are enough; with --seed F the first seed is F");
    add_value(
        app, "--fuzz-compare", "WHAT", [&](const std::string &t) { parse_fuzz_compare(t, o); },
        "what must be the same for all runs of --fuzz and --explore: exit code, warnings and the "
        "lines of "
        "standard output (output, default), or the exit code only (exit)");
}

// Declares what repeats the job with all orders of messages, and what it gives to its runs.
void declare_explore_options(CLI::App &app, Options &o) {
    const std::string help = "run the job once for each way in which wildcard receives and probes "
                             "can take messages, and stop at the first that goes wrong; "
                             "--explore=N: at most N (default 10000)";
    app.add_flag("--explore", help)->each([&](const std::string &t) {
        o.explore.orders_max =
            t == "true" ? ExploreOptions::usual_orders_max : parse_whole_number("--explore", t);
    });
    add_value(
        app, "--explore-time", "SECONDS",
        [&](const std::string &t) { o.explore.time_s = parse_seconds(t, "--explore-time"); },
        "end --explore after SECONDS; exit code 3 if orders remain");
    add_value(
        app, "--explored", "DIR", [&](const std::string &t) { o.given_settings["explored"] = t; },
        "")
        ->group(hidden);
}

void declare_trace_options(CLI::App &app, Options &o) {
    add_value(
        app, "--trace", "FILE", [&](const std::string &t) { o.trace.file = t; },
        "write all calls and messages with their times: FILE.json (Chrome), FILE.pftrace "
        "(Perfetto) or FILE.otf2 (Vampir, Scalasca); also if the job fails");
    add_value(
        app, "--trace-limit", "SIZE",
        [&](const std::string &t) {
            if (!thrum::parse_size(t.c_str(), o.trace.limit_bytes) || o.trace.limit_bytes == 0)
                throw wrong(fmt::format("--trace-limit {}: expected a size such as 64M or 2G", t));
        },
        "bytes of disk that the events may take while the job runs (256M)");
    add_value(
        app, "--trace-keep", "first|last",
        [&](const std::string &t) {
            if (t != "first" && t != "last")
                throw wrong(fmt::format("--trace-keep {}: expected first or last", t));
            o.trace.keeps_last = t == "last";
            o.trace.keep_is_given = true;
        },
        "which events to keep when there are more (first)");
}

void declare_job_options(CLI::App &app, Options &o, std::string &config_file) {
    declare_settings(app, o);
    app.add_flag("--merge-stderr", o.merge_stderr,
                 "send the standard error of all ranks to standard output");
    add_value(
        app, "--output-as", "WORDS", [&](const std::string &t) { parse_output(t, o); }, "")
        ->group(hidden);
    add_value(
        app, "--timeout", "SECONDS", [&](const std::string &t) { o.timeout_s = parse_seconds(t); },
        "end the job after SECONDS and report where its ranks are; exit code 124");
    add_value(
        app, "--report", "PAGE", [&](const std::string &t) { o.report = t; },
        "write a page (HTML) about what the ranks did: time in MPI by call and line, waits and who "
        "caused them, load, messages; also if the job fails");
    declare_trace_options(app, o);
    app.add_flag(
        "--top", o.top,
        "show below the output, while the job runs, what the ranks do: calls and lines, who "
        "waits for whom, messages; without a terminal write it to standard error");
    add_value(
        app, "--live", "PORT", [&](const std::string &t) { o.live_port = parse_port(t); },
        "show the same in a browser on this machine, at the address that is printed; ranks can be "
        "held there and make one call after the other. PORT 0: a free one");
    declare_fuzz_options(app, o);
    declare_explore_options(app, o);
    declare_process_options(app, o);
    declare_host_options(app, o);
    app.add_option("-x", o.exports,
                   "pass VAR to the ranks, or set it; all variables are passed anyway")
        ->type_name("VAR[=VALUE]")
        ->expected(1)
        ->take_all();
    add_value(
        app, "--pass", "VARS", [&](const std::string &t) { add_names(t, o.exports); }, "")
        ->group(hidden);
    app.add_flag("-v,--verbose", o.verbose, "report on standard error what is started");
    app.add_flag("-q,--quiet", o.quiet, "print no notes about ignored options");
    add_value(
        app, "--configfile", "FILE", [&](const std::string &text) { config_file = text; },
        "read the program specifications from FILE, one per line");
}

constexpr size_t help_column = 30; // where descriptions begin, in a line of their own if need be

// Prints the help text and exits.
void print_help(const CLI::App &app) {
    fmt::print(
        "Usage: mpiexec [OPTIONS] PROGRAM [ARGUMENTS] [: [OPTIONS] PROGRAM [ARGUMENTS]]...\n\n"
        "Runs an MPI program; its ranks are threads of one process.\n\n");
    for (const CLI::Option *option : app.get_options()) {
        if (option->get_group().empty())
            continue;
        bool flag = option->get_expected_min() == 0;
        const std::string names =
            option->get_name(false, true) + (flag ? "" : " " + option->get_type_name());
        const char *gap = names.size() < help_column ? "" : "\n  ";
        fmt::print("  {:<{}}{}{:<{}}{}\n", names, help_column, gap, "", *gap ? help_column : 0,
                   option->get_description());
    }
    fmt::print("\nAfter a colon only -n, --wdir, --path and -env may be given. See man mpiexec for "
               "details.\n"
               "Options of Open MPI, MPICH, Intel MPI and srun: mpiexec --help-options\n\n"
               "Environment variables of Thrum; one with the name of an option sets its default:\n"
               "{}",
               list_of_variables());
    std::exit(0);
}

// Returns whether programs behind the first may have the option.
bool is_for_each_program(const CLI::Option &option) {
    for (const char *name : {"np", "wdir", "path", "set-env", "copies"})
        if (option.check_lname(name))
            return true;
    return false;
}

// Decides what -c means: the number of ranks for Open MPI, but the cores of each for Slurm, which
// has -n besides.
void take_copies(ProgramSpec &spec, Words &notes) {
    if (spec.copies == 0)
        return;
    if (spec.ranks_given) {
        notes.push_back(fmt::format(
            "-c {} (with -n it sets the cores of a rank, but ranks share the cores)", spec.copies));
        return;
    }
    spec.ranks = spec.copies;
    spec.ranks_given = true;
}

// Parses one program specification. Those behind the first must have no options for the job.
ProgramSpec parse_specification(const Words &words, bool is_first, Options &options,
                                std::string &config_file) {
    ProgramSpec spec;
    CLI::App app;
    app.set_help_flag();
    app.option_defaults()->always_capture_default(false);
    declare_program_options(app, spec);
    Options ignored;
    declare_job_options(app, is_first ? options : ignored, config_file);
    bool version = false, help = false, habits = false;
    app.add_flag("-V,--version", version, "print the version and exit");
    app.add_flag("-h,--help", help, "print this text and exit");
    app.add_flag("--help-options", habits,
                 "print what the options of other MPIs do here, and exit");

    Words arguments = read_words(app, words, spec.argv, options.notes);
    std::reverse(arguments.begin(), arguments.end());
    try {
        app.parse(arguments);
    } catch (const CLI::Error &error) {
        throw wrong(error.what());
    }
    if (help)
        print_help(app);
    if (version) {
        fmt::print("mpiexec (Thrum) {}, MPI 5.0\n", THRUM_VERSION);
        std::exit(0);
    }
    if (habits) {
        fmt::print("{}", table_of_habits());
        std::exit(0);
    }
    take_copies(spec, options.notes);
    for (const CLI::Option *option : app.get_options())
        if (!is_first && *option && !is_for_each_program(*option))
            throw wrong(fmt::format("{} applies to the whole job: give it before the first program",
                                    option->get_name()));
    return spec;
}

} // namespace

// With -configfile the command line has only options of the job; the first specification is then
// parsed from the file, into the same options.
Options parse_command_line(int argc, char **argv) {
    Options options;
    std::string config_file, ignored;
    if (const char *limit = getenv("MPIEXEC_TIMEOUT"); limit && *limit)
        options.timeout_s = parse_seconds(limit, "MPIEXEC_TIMEOUT");
    std::vector<Words> parts = split_at_colons(Words(argv + 1, argv + argc));
    ProgramSpec first = parse_specification(parts[0], true, options, config_file);
    options.option_words = parts[0].size() - first.argv.size();
    const int seeds = options.fuzz.seeds, orders = options.explore.orders_max;
    if (!config_file.empty()) {
        if (!first.argv.empty() || parts.size() > 1)
            throw wrong("-configfile names all programs: give none on the command line");
        parts = read_config_file(config_file);
        if (parts.empty())
            throw wrong(fmt::format("-configfile {}: contains no program", config_file));
        first = parse_specification(parts[0], true, options, ignored);
        if (options.fuzz.seeds != seeds)
            throw wrong("--fuzz repeats a command line: give it there, not in -configfile");
        if (options.explore.orders_max != orders)
            throw wrong("--explore repeats a command line: give it there, not in -configfile");
    }
    options.programs.push_back(std::move(first));
    for (size_t i = 1; i < parts.size(); ++i)
        options.programs.push_back(parse_specification(parts[i], false, options, ignored));

    long total = 0;
    for (const ProgramSpec &spec : options.programs) {
        if (spec.argv.empty())
            throw wrong(parts.size() > 1 ? "a program is missing before or after a colon"
                                         : "no program given; mpiexec --help lists the options");
        total += spec.ranks;
    }
    if (total > INT_MAX)
        throw wrong(fmt::format("{} ranks are more than MPI can number", total));
    read_environment_settings(options);
    check_together(options);
    options.processes |= options.ranks_per_process > 0;
    complete(options);
    return options;
}

PassedWords split_passed_words(const std::function<void(CLI::App &)> &declare_own,
                               const Words &words) {
    ProgramSpec spec;
    Options options;
    std::string config_file;
    CLI::App own, both;
    own.set_help_flag();
    both.set_help_flag();
    declare_own(own);
    declare_program_options(both, spec);
    declare_job_options(both, options, config_file);
    for (const CLI::Option *option : own.get_options())
        for (const std::string &name : option->get_lnames())
            if (CLI::Option *replaced = both.get_option_no_throw("--" + name))
                both.remove_option(replaced);
    declare_own(both);

    PassedWords result;
    for (const std::string &word : read_words(both, words, result.program, result.notes)) {
        const bool is_long = word.starts_with("--");
        const std::string name = is_long ? word.substr(0, word.find('=')) : word.substr(0, 2);
        if (own.get_option_no_throw(name))
            result.own.push_back(word);
        else if (is_long || word.size() == 2)
            result.passed.push_back(word);
        else // mpiexec takes the value of a short option as a word of its own
            result.passed.insert(result.passed.end(), {name, word.substr(2)});
    }
    return result;
}

} // namespace mpiexec
