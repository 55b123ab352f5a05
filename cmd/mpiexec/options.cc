// Parsing of the command line. CLI11 holds the table of options; two habits of MPI's users are
// beyond it and handled here: long options with one dash (-np, -wdir), and everything after the
// first word that is no option belongs to the program.
#include "options.h"

#include "base/settings.h"
#include "suggest.h"

#include <CLI/CLI.hpp>
#include <filesystem>
#include <fmt/core.h>
#include <fstream>

namespace mpiexec {
namespace {

using Words = std::vector<std::string>;
constexpr int usage_exit_code = 2;

UsageError wrong(const std::string &text) {
    return {usage_exit_code, text};
}

int parse_whole_number(const std::string &option, const std::string &text, int least = 1) {
    size_t used = 0;
    int value = 0;
    try {
        value = std::stoi(text, &used);
    } catch (const std::exception &) { // used stays 0
    }
    if (used == 0 || used != text.size() || value < least)
        throw wrong(
            fmt::format("{} {}: expected a whole number of at least {}", option, text, least));
    return value;
}

double parse_seconds(const std::string &text, const char *option = "--timeout") {
    size_t used = 0;
    double value = 0;
    try {
        value = std::stod(text, &used);
    } catch (const std::exception &) { // used stays 0
    }
    if (used == 0 || used != text.size() || !(value > 0) || value > 1e9)
        throw wrong(fmt::format("{} {}: expected a number of seconds above 0", option, text));
    return value;
}

std::string parse_stack(const std::string &text) {
    size_t bytes = 0;
    if (!thrum::parse_size(text.c_str(), bytes) || bytes == 0)
        throw wrong(fmt::format("--stack {}: expected a size such as 262144, 256K or 8M", text));
    return text;
}

std::string parse_threads(const std::string &text) {
    if (text != "os" && text != "fiber")
        throw wrong(
            fmt::format("--threads {}: expected \"fiber\" (ranks share a few OS threads) or "
                        "\"os\" (each rank has one of its own)",
                        text));
    return text;
}

std::string parse_choice(const char *option, const std::string &text, const Words &choices) {
    if (std::find(choices.begin(), choices.end(), text) != choices.end())
        return text;
    std::string list;
    for (const std::string &choice : choices)
        list += (list.empty() ? "" : ", ") + choice;
    throw wrong(fmt::format("{} {}: expected one of {}", option, text, list));
}

// MPI 5.0 section 11.8.4, mpi_initial_errhandler.
std::string parse_errhandler(const std::string &text) {
    std::string name;
    for (char c : text)
        name += static_cast<char>(tolower(static_cast<unsigned char>(c)));
    if (name != "mpi_errors_are_fatal" && name != "mpi_errors_abort" && name != "mpi_errors_return")
        throw wrong(
            fmt::format("--initial-errhandler {}: expected mpi_errors_are_fatal, mpi_errors_abort "
                        "or mpi_errors_return",
                        text));
    return name;
}

std::string parse_working_dir(const std::string &text) {
    std::error_code error;
    if (!std::filesystem::is_directory(text, error))
        throw wrong(
            fmt::format("--wdir {}: {}", text, error ? error.message() : "not a directory"));
    return std::filesystem::absolute(text).string();
}

// An option with a value that may be repeated; the last one counts.
template <class Function>
CLI::Option *add_value(CLI::App &app, const char *names, const char *value, Function take,
                       const char *description) {
    return app.add_option_function<std::string>(names, take, description)
        ->type_name(value)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
}

// Options that each program of an MPMD job may have of its own.
void declare_program_options(CLI::App &app, ProgramSpec &spec) {
    add_value(
        app, "-n,--np", "N",
        [&](const std::string &text) {
            spec.ranks = parse_whole_number("-n", text);
            spec.ranks_given = true;
        },
        "number of ranks (also -np); default 1, with --hosts all their slots");
    add_value(
        app, "--wdir", "DIR",
        [&](const std::string &text) { spec.working_dir = parse_working_dir(text); },
        "run the program in DIR");
    add_value(
        app, "--path", "DIRS", [&](const std::string &text) { spec.search_path = text; },
        "look for the program in DIRS (colon-separated) before PATH");
}

// How many processes there are, and where they run.
void declare_process_options(CLI::App &app, Options &o) {
    app.add_flag(
        "--processes", o.processes,
        "an operating-system process for each rank; default for programs whose ranks cannot "
        "be threads");
    add_value(
        app, "--ranks-per-process", "K",
        [&](const std::string &t) {
            o.ranks_per_process = parse_whole_number("--ranks-per-process", t);
        },
        "several processes, each of which hosts K ranks");
    add_value(
        app, "--bind-to", "WHAT",
        [&](const std::string &t) {
            o.bind_to = parse_choice("--bind-to", t, {"none", "core", "socket", "numa"});
        },
        "bind each process to a core for each of its ranks, to a socket or NUMA node; default "
        "none");
    add_value(
        app, "--map-by", "WHAT",
        [&](const std::string &t) {
            o.map_by = parse_choice("--map-by", t, {"slot", "node", "core", "socket", "numa"});
        },
        "fill one host after the other (slot, default), or each in turn (node); deal cores to "
        "processes as they lie (core), or one of each socket or NUMA node in turn");
    add_value(
        app, "--rankfile", "FILE", [&](const std::string &t) { o.rank_file = t; },
        "put and bind processes as the lines \"rank N=HOST slot=CORES\" of FILE say");
    app.add_flag("--report-bindings", o.report_bindings,
                 "show on standard error where each process may run");
}

// Which machines, and how they are reached.
void declare_host_options(CLI::App &app, Options &o) {
    add_value(
        app, "--hosts,--host,-H", "A:N,B:M",
        [&](const std::string &t) { o.hosts = parse_hosts(t); },
        "run on these machines: N ranks at most on A (default 1), M on B, ...");
    add_value(
        app, "--hostfile,--machinefile,-f", "FILE",
        [&](const std::string &t) { o.hosts = read_host_file(t); },
        "the same from the lines \"HOST slots=N\" or \"HOST:N\" of FILE");
    add_value(
        app, "--ppn,--npernode", "N",
        [&](const std::string &t) { o.ranks_per_host = parse_whole_number("--ppn", t); },
        "every host takes N ranks, whatever its slots");
    add_value(
        app, "--launcher", "HOW",
        [&](const std::string &t) { o.launcher = parse_choice("--launcher", t, {"ssh", "fork"}); },
        "how hosts are reached: ssh (default); fork: all of them are this machine, for trying");
    add_value(
        app, "--launcher-exec", "COMMAND", [&](const std::string &t) { o.launcher_exec = t; },
        "command in the place of ssh: it gets a host and a line for the shell there");
}

void declare_job_options(CLI::App &app, Options &o, std::string &config_file) {
    add_value(
        app, "--workers", "N",
        [&](const std::string &t) {
            o.workers = std::to_string(parse_whole_number("--workers", t));
        },
        "OS threads that run the ranks; default: one per usable core");
    add_value(
        app, "--stack", "SIZE", [&](const std::string &t) { o.stack = parse_stack(t); },
        "stack of a rank, such as 256K or 8M; default: by the number of ranks");
    add_value(
        app, "--threads", "KIND", [&](const std::string &t) { o.threads = parse_threads(t); },
        "\"fiber\" (default): ranks share the workers; \"os\": an OS thread for each rank");
    app.add_flag("--prefix", o.prefix, "begin each line of output with the rank that wrote it");
    add_value(
        app, "--output-dir", "DIR",
        [&](const std::string &t) { o.output_dir = std::filesystem::absolute(t).string(); },
        "write the output of each rank to files of its own in DIR");
    add_value(
        app, "--stdin", "RANK",
        [&](const std::string &t) {
            o.stdin_rank =
                t == "none" || t == "all" ? t : std::to_string(parse_whole_number("--stdin", t, 0));
        },
        "the rank that reads standard input (default 0; others find it empty), \"none\" or "
        "\"all\"");
    add_value(
        app, "--timeout", "SECONDS", [&](const std::string &t) { o.timeout_s = parse_seconds(t); },
        "end the job after SECONDS, saying where its ranks are; exit code 124");
    add_value(
        app, "--universe-size", "N",
        [&](const std::string &t) {
            o.universe_size = std::to_string(parse_whole_number("--universe-size", t));
        },
        "value of MPI_UNIVERSE_SIZE; default: the number of ranks");
    add_value(
        app, "--initial-errhandler", "NAME",
        [&](const std::string &t) { o.initial_errhandler = parse_errhandler(t); },
        "the error handler that ranks begin with, such as mpi_errors_return");
    declare_process_options(app, o);
    declare_host_options(app, o);
    app.add_flag("--bsp-report", o.bsp_report,
                 "supersteps: print what each took and should take; write bsp-report.txt and .svg");
    app.add_flag("--spawn", o.spawn,
                 "a single rank may spawn others (-n 1; seldom needed, programs are looked into); "
                 "on all --hosts, also those without ranks at the beginning");
    app.add_option("-x", o.exports,
                   "pass VAR on to the ranks, or set it; all variables are passed on anyway")
        ->type_name("VAR[=VALUE]")
        ->expected(1)
        ->take_all();
    add_value(
        app, "--configfile", "FILE", [&](const std::string &text) { config_file = text; },
        "read the program specifications from FILE, one a line");
}

// The option a word names, or nullptr. "-np", "--np" and "--np=4" all name --np; "-n" names -n.
const CLI::Option *find_option(const CLI::App &app, const std::string &word) {
    std::string name = word.substr(word.find_first_not_of('-'));
    name = name.substr(0, name.find('='));
    if (name.size() == 1)
        return word[1] == '-' ? nullptr : app.get_option_no_throw("-" + name);
    return app.get_option_no_throw("--" + name);
}

[[noreturn]] void refuse_option(const CLI::App &app, const std::string &word) {
    std::string name = word.substr(0, word.find('='));
    if (const char *reason = reason_of_refusal(name))
        throw wrong(fmt::format("{}: {}", name, reason));
    std::vector<std::string> known{"--help", "--version"};
    for (const CLI::Option *option : app.get_options())
        for (const std::string &long_name : option->get_lnames())
            known.push_back("--" + long_name);
    std::string closest = closest_option(name, known);
    throw wrong(fmt::format("unknown option {}{}", name,
                            closest.empty() ? "" : fmt::format("; did you mean {}?", closest)));
}

// Splits `words` into the options, spelled as CLI11 wants them, and the program with its arguments.
Words take_options(const CLI::App &app, const Words &words, Words &program) {
    Words options;
    size_t i = 0;
    for (; i < words.size(); ++i) {
        const std::string &word = words[i];
        if (word == "--") {
            ++i;
            break;
        }
        if (word.size() < 2 || word[0] != '-')
            break;
        const CLI::Option *option =
            word.find_first_not_of('-') == std::string::npos ? nullptr : find_option(app, word);
        if (!option) {
            // -n4 and -xVAR: a value glued to a one-letter option.
            if (word[1] != '-' && word.size() > 2 && (word[1] == 'n' || word[1] == 'x') &&
                (word[1] == 'x' || isdigit(static_cast<unsigned char>(word[2])))) {
                options.push_back(word);
                continue;
            }
            refuse_option(app, word);
        }
        bool takes_value = option->get_expected_min() > 0 && option->get_type_size() > 0;
        bool has_value = word.find('=') != std::string::npos;
        std::string stem = word.substr(word.find_first_not_of('-'));
        options.push_back((option->get_lnames().empty() || stem.size() == 1 ? "-" : "--") + stem);
        if (!takes_value || has_value)
            continue;
        if (++i == words.size() || words[i] == ":")
            throw wrong(fmt::format("{} needs a value ({})", word, option->get_type_name()));
        options.back() += options.back()[1] == '-' ? "=" + words[i] : words[i];
    }
    program.assign(words.begin() + static_cast<ptrdiff_t>(i), words.end());
    return options;
}

void print_help(const CLI::App &app) {
    fmt::print(
        "Usage: mpiexec [OPTIONS] PROGRAM [ARGUMENTS] [: [OPTIONS] PROGRAM [ARGUMENTS]]...\n\n"
        "Runs an MPI program; its ranks are threads of one process.\n\n");
    for (const CLI::Option *option : app.get_options()) {
        bool flag = option->get_expected_min() == 0;
        fmt::print("  {:<30}{}\n",
                   option->get_name(false, true) + (flag ? "" : " " + option->get_type_name()),
                   option->get_description());
    }
    fmt::print(
        "\nAfter a colon only -n, --wdir and --path may be given. man mpiexec has the details.\n");
    std::exit(0);
}

// Parses one program specification; job options only where `options` is given.
ProgramSpec parse_specification(const Words &words, Options *options, std::string &config_file) {
    ProgramSpec spec;
    CLI::App app;
    app.set_help_flag();
    app.option_defaults()->always_capture_default(false);
    declare_program_options(app, spec);
    Options ignored;
    declare_job_options(app, options ? *options : ignored, config_file);
    bool version = false, help = false;
    app.add_flag("-V,--version", version, "print the version and leave");
    app.add_flag("-h,--help", help, "print this text and leave");

    Words arguments = take_options(app, words, spec.argv);
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
    if (!options)
        for (const CLI::Option *option : app.get_options())
            if (*option && !option->check_lname("np") && !option->check_lname("wdir") &&
                !option->check_lname("path"))
                throw wrong(fmt::format("{} is for the whole job: give it before the first program",
                                        option->get_name()));
    return spec;
}

// Splits at every word ":" (MPI 5.0 section 11.5, form A).
std::vector<Words> split_at_colons(const Words &words) {
    std::vector<Words> parts(1);
    for (const std::string &word : words) {
        if (word == ":")
            parts.emplace_back();
        else
            parts.back().push_back(word);
    }
    return parts;
}

// A line of a configuration file as words; quotes keep blanks together.
Words split_line(const std::string &line) {
    Words words;
    bool inside = false;
    char quote = 0;
    for (char c : line) {
        if (!quote && (c == ' ' || c == '\t' || c == '\r')) {
            inside = false;
            continue;
        }
        if (!inside)
            words.emplace_back();
        inside = true;
        if (c == quote)
            quote = 0;
        else if (!quote && (c == '"' || c == '\''))
            quote = c;
        else
            words.back() += c;
    }
    return words;
}

// MPI 5.0 section 11.5, form B: "Lines beginning with '#' are comments, and lines may be continued
// by terminating the partial line with '\'."
std::vector<Words> read_config_file(const std::string &path) {
    std::ifstream file(path);
    if (!file)
        throw wrong(fmt::format("-configfile {}: {}", path, strerror(errno)));
    std::vector<Words> specifications;
    std::string line, whole;
    while (std::getline(file, line)) {
        if (whole.empty() && line.starts_with('#'))
            continue;
        if (line.ends_with('\\')) {
            whole += line.substr(0, line.size() - 1) + ' ';
            continue;
        }
        for (Words &words : split_at_colons(split_line(whole + line)))
            if (!words.empty())
                specifications.push_back(std::move(words));
        whole.clear();
    }
    return specifications;
}

} // namespace

// What is not allowed together.
static void check_together(const Options &options) {
    if (options.processes && options.ranks_per_process > 1)
        throw wrong("--processes means one rank in each process; leave it out, or "
                    "--ranks-per-process");
    if (!options.rank_file.empty() && !(options.bind_to + options.map_by).empty())
        throw wrong("--rankfile says where each process runs: leave --bind-to and --map-by out");
    bool deals_cores =
        options.map_by == "core" || options.map_by == "socket" || options.map_by == "numa";
    if (deals_cores && (options.bind_to.empty() || options.bind_to == "none"))
        throw wrong(fmt::format(
            "--map-by {} says in which order cores are dealt: it needs --bind-to", options.map_by));
    if ((options.processes || options.ranks_per_process > 0) && options.spawn &&
        options.hosts.empty())
        throw wrong("--spawn is for jobs of one process; leave it out, or --processes");
    if (options.hosts.empty() && options.ranks_per_host > 0)
        throw wrong("--ppn says how many ranks each host takes: it needs --hosts or --hostfile");
    if (!options.hosts.empty() && options.stdin_rank == "all")
        throw wrong(
            "--stdin all is for the ranks of one machine; name a rank, or leave --hosts out");
}

// What the hosts call the machine that we are on.
static std::string this_machine_among(const std::vector<Host> &hosts) {
    for (const Host &host : hosts)
        if (is_this_machine(host.name))
            return host.name;
    return name_of_this_machine();
}

// The environment has what the command line does not say; hosts without -n are filled.
static void complete(Options &options) {
    auto take = [](std::string &option, const char *variable) {
        if (const char *value = getenv(variable); option.empty() && value)
            option = value;
    };
    take(options.launcher_exec, "THRUM_LAUNCHER_EXEC");
    take(options.launcher, "THRUM_LAUNCHER");
    if (!options.launcher.empty())
        parse_choice("THRUM_LAUNCHER", options.launcher, {"ssh", "fork"});
    if (!options.rank_file.empty())
        options.rank_places = read_rank_file(options.rank_file);
    for (RankPlace &place : options.rank_places)
        if (is_this_machine(place.host))
            place.host = this_machine_among(options.hosts);
    for (Host &host : options.hosts)
        if (options.ranks_per_host > 0)
            host.slots = options.ranks_per_host;
    ProgramSpec &only = options.programs[0];
    if (options.hosts.empty() || options.programs.size() > 1 || only.ranks_given)
        return;
    long slots = 0;
    for (const Host &host : options.hosts)
        slots += host.slots;
    only.ranks = static_cast<int>(std::min<long>(slots, INT_MAX));
}

int count_ranks(const Options &options) {
    int ranks = 0;
    for (const ProgramSpec &spec : options.programs)
        ranks += spec.ranks;
    return ranks;
}

Options parse_command_line(int argc, char **argv) {
    Options options;
    std::string config_file, ignored;
    if (const char *limit = getenv("MPIEXEC_TIMEOUT"); limit && *limit)
        options.timeout_s = parse_seconds(limit, "MPIEXEC_TIMEOUT");
    std::vector<Words> parts = split_at_colons(Words(argv + 1, argv + argc));
    ProgramSpec first = parse_specification(parts[0], &options, config_file);
    if (!config_file.empty()) {
        if (!first.argv.empty() || parts.size() > 1)
            throw wrong("-configfile names all programs: give none on the command line");
        parts = read_config_file(config_file);
        if (parts.empty())
            throw wrong(fmt::format("-configfile {}: no program in it", config_file));
        first = parse_specification(parts[0], &options, ignored);
    }
    options.programs.push_back(std::move(first));
    for (size_t i = 1; i < parts.size(); ++i)
        options.programs.push_back(parse_specification(parts[i], nullptr, ignored));

    long total = 0;
    for (const ProgramSpec &spec : options.programs) {
        if (spec.argv.empty())
            throw wrong(parts.size() > 1 ? "a program is missing before or after a colon"
                                         : "no program given; mpiexec --help lists the options");
        total += spec.ranks;
    }
    if (total > INT_MAX)
        throw wrong(fmt::format("{} ranks are more than MPI can number", total));
    check_together(options);
    options.processes |= options.ranks_per_process > 0;
    complete(options);
    return options;
}

} // namespace mpiexec
