// Own options and those of mpiexec may be mixed before the program. The latter are parsed by
// mpiexec's own parser, so what is wrong with them is seen before anything runs.
#include "options.h"

#include "command_line/command_line.h"
#include "counts.h"
#include "plan/usage_error.h"
#include "start/program.h"

#include <CLI/CLI.hpp>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fmt/core.h>
#include <unistd.h>

namespace sweep {
namespace {

using mpiexec::UsageError;
using mpiexec::Words;

UsageError wrong(const std::string &text) {
    return {2, text};
}

constexpr int repetitions_max = 1000, jobs_max = 1000;

int parse_number(const std::string &text, const char *option, int most) {
    char *end = nullptr;
    const long value = std::strtol(text.c_str(), &end, 10);
    if (text.empty() || *end || value < 1 || value > most)
        throw wrong(fmt::format("{} {}: expected a whole number from 1 to {}", option, text, most));
    return static_cast<int>(value);
}

// Takes REL or REL,ABS.
Tolerance parse_tolerance(const std::string &text) {
    const size_t comma = text.find(',');
    Tolerance tolerance;
    const auto parse = [&](const std::string &part) {
        char *end = nullptr;
        const double value = std::strtod(part.c_str(), &end);
        if (part.empty() || *end || !(value >= 0) || !std::isfinite(value))
            throw wrong(fmt::format("--tolerance {}: expected a relative tolerance, or a relative "
                                    "and an absolute one: 1e-6 or 1e-6,1e-12",
                                    text));
        return value;
    };
    tolerance.relative = parse(text.substr(0, comma));
    if (comma != std::string::npos)
        tolerance.absolute = parse(text.substr(comma + 1));
    return tolerance;
}

// Returns the path of a file that can be written later.
std::string parse_file(const std::string &text, const char *option) {
    std::error_code error;
    const std::filesystem::path path(text);
    const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
    if (text.empty() || std::filesystem::is_directory(path, error))
        throw wrong(fmt::format("{} {}: expected the name of a file", option, text));
    const bool exists = std::filesystem::exists(path, error);
    if (access(exists ? path.c_str() : folder.c_str(), W_OK))
        throw wrong(fmt::format("{} {}: cannot be written: {}", option, text, strerror(errno)));
    return text;
}

template <class Function>
void add_value(CLI::App &app, const char *names, const char *value, Function take,
               const char *description) {
    app.add_option_function<std::string>(names, take, description)
        ->type_name(value)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
}

// What is given besides SweepOptions.
struct Asked {
    SweepOptions options;
    bool help = false, tolerance = false;
};

void declare_comparison_options(CLI::App &app, Asked &asked) {
    SweepOptions &o = asked.options;
    app.add_flag("--compare-output", o.compares_output,
                 "compare what runs print with the run of the smallest count that ends well");
    add_value(
        app, "--tolerance", "REL[,ABS]",
        [&](const std::string &text) {
            o.tolerance = parse_tolerance(text);
            asked.tolerance = true;
        },
        "with --compare-output: numbers that are not whole may differ by REL of the larger one "
        "(default 1e-9), or by ABS (default 0)");
    app.add_option("--ignore", o.ignored,
                   "with --compare-output: leave out lines that match the extended regular "
                   "expression; may be repeated")
        ->type_name("REGEX")
        ->expected(1)
        ->take_all();
}

void declare_options(CLI::App &app, Asked &asked) {
    SweepOptions &o = asked.options;
    add_value(
        app, "-n,--np", "COUNTS", [&](const std::string &text) { o.counts = parse_counts(text); },
        "numbers of ranks: 1..64 (all), 1,2,4,8 (a list), 8..64..8 (in steps of 8), 1..64x2 "
        "(powers of 2); also several of these: 1..4,8..64x2");
    add_value(
        app, "-j,--jobs", "K",
        [&](const std::string &text) { o.jobs = parse_number(text, "--jobs", jobs_max); },
        "make K runs at a time; default: as many as the cores are enough for, with a core for each "
        "rank; with --svg, --fuzz or --explore one");
    add_value(
        app, "--repeat", "R",
        [&](const std::string &text) {
            o.repetitions = parse_number(text, "--repeat", repetitions_max);
        },
        "run each count R times; the time is the median");
    app.add_flag("--stop-on-failure", o.stops_on_failure,
                 "after a count that fails run only smaller ones");
    declare_comparison_options(app, asked);
    add_value(
        app, "--json", "FILE",
        [&](const std::string &text) {
            o.json_file = text == "-" ? text : parse_file(text, "--json");
        },
        "write the results to FILE as JSON; -: to standard output, instead of the table");
    add_value(
        app, "--svg", "FILE",
        [&](const std::string &text) { o.picture_file = parse_file(text, "--svg"); },
        "draw the speed-up against the number of ranks");
    app.add_flag("-h,--help", asked.help, "print this text and exit");
}

// Prints the help text and exits.
void print_help(const CLI::App &app) {
    constexpr size_t column = 24;
    fmt::print("Usage: thrum sweep -n COUNTS [OPTIONS] [OPTIONS OF MPIEXEC] PROGRAM [ARGUMENTS]\n\n"
               "Runs a program with several numbers of ranks, and shows time, memory and exit code "
               "of each.\n\n");
    for (const CLI::Option *option : app.get_options()) {
        const bool is_flag = option->get_expected_min() == 0;
        const std::string names =
            option->get_name(false, true) + (is_flag ? "" : " " + option->get_type_name());
        fmt::print("  {:<{}}{}{:<{}}{}\n", names, column, names.size() < column ? "" : "\n  ", "",
                   names.size() < column ? 0 : column, option->get_description());
    }
    fmt::print("\nExit code: 0, that of the smallest count that fails, or 1 if outputs differ. See "
               "man thrum.\n");
    std::exit(0);
}

// Refuses options of mpiexec that mean one run.
void check_many_runs(const mpiexec::Options &job) {
    for (const auto &[setting, option] :
         {std::pair("record", "--record"), {"replay", "--replay"}, {"output_dir", "--output-dir"}})
        if (!job.value_of(setting).empty())
            throw wrong(fmt::format("{} is for one run, but a sweep makes many: leave it out, and "
                                    "use it with the mpiexec command that a sweep prints",
                                    option));
}

// Has mpiexec's own parser look at the command line of the greatest count, and finds the program.
mpiexec::Options parse_job(const SweepOptions &options) {
    Words words{"mpiexec"};
    words.insert(words.end(), options.passed.begin(), options.passed.end());
    words.insert(words.end(), {"-n", std::to_string(options.counts.back())});
    words.insert(words.end(), options.program.begin(), options.program.end());
    std::vector<char *> argv;
    for (std::string &word : words)
        argv.push_back(word.data());
    mpiexec::Options job = mpiexec::parse_command_line(static_cast<int>(argv.size()), argv.data());
    check_many_runs(job);
    mpiexec::find_program(job.programs[0], options.counts.back(), job.exports);
    return job;
}

} // namespace

SweepOptions parse_options(const Words &words) {
    for (const std::string &word : words)
        if (word == ":")
            throw wrong("a sweep runs one program: \":\" and a second one cannot be given");
    Asked asked;
    CLI::App app;
    app.set_help_flag();
    declare_options(app, asked);
    auto [own, passed, program, notes] = mpiexec::split_passed_words(
        [](CLI::App &both) {
            static Asked unused;
            declare_options(both, unused);
        },
        words);
    std::reverse(own.begin(), own.end());
    try {
        app.parse(own);
    } catch (const CLI::Error &error) {
        throw wrong(error.what());
    }
    if (asked.help)
        print_help(app);

    SweepOptions &options = asked.options;
    if (options.counts.empty())
        throw wrong("how many ranks? give -n COUNTS, such as -n 1..8 or -n 1..64x2");
    if (!options.compares_output && (asked.tolerance || !options.ignored.empty()))
        throw wrong(fmt::format("{} is about outputs that are compared: add --compare-output",
                                asked.tolerance ? "--tolerance" : "--ignore"));
    for (const std::string &word : passed)
        if (word.starts_with("--configfile"))
            throw wrong("--configfile gives numbers of ranks itself: name the program instead");
    if (program.empty())
        throw wrong("no program given; thrum sweep --help lists the options");
    options.passed = std::move(passed);
    options.program = std::move(program);
    options.job = parse_job(options);
    options.job.notes.insert(options.job.notes.begin(), notes.begin(), notes.end());
    return std::move(options);
}

} // namespace sweep
