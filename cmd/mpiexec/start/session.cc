// Recognises debuggers and other launchers by the words of the command line (start/session.h).
#include "start/session.h"

#include "image/elf_check.h"
#include "plan/usage_error.h"
#include "start/program.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fmt/core.h>
#include <sstream>
#include <unistd.h>

namespace mpiexec {
namespace {

// A program that runs another under its control.
struct Tool {
    const char *name;     // of its file
    bool is_dialogue;     // reads commands from the terminal
    const char *batch[2]; // options with which it reads no commands
};

constexpr Tool tools[] = {
    {"gdb", true, {"-batch", "--batch"}},
    {"cgdb", true, {}},
    {"lldb", true, {"-b", "--batch"}},
    {"rr", false, {}},
    {"valgrind", false, {}},
};

// Shells, which run commands that the command line does not show.
constexpr const char *shells[] = {"sh",   "bash", "dash", "ash",  "zsh",    "ksh",
                                  "mksh", "fish", "csh",  "tcsh", "busybox"};

// Returns the tool that a word names, or nullptr.
const Tool *find_tool(const std::string &word) {
    const std::string name = std::filesystem::path(word).filename();
    for (const Tool &tool : tools)
        if (name == tool.name)
            return &tool;
    return nullptr;
}

// Returns the words of the command line, also those of a command in one word (xterm -e "gdb
// ./a.out").
std::vector<std::string> words_of(const std::vector<std::string> &argv) {
    std::vector<std::string> words;
    for (const std::string &argument : argv) {
        std::istringstream parts(argument);
        for (std::string word; parts >> word;)
            words.push_back(word);
    }
    return words;
}

// Returns whether the file is a dynamically linked ELF program.
bool is_dynamic_program(const std::string &path) {
    char loader[4096];
    return thrum::find_interpreter(path.c_str(), loader, sizeof loader);
}

// Returns the file that `word`, an argument of a tool, may mean; "": none. A word without a slash
// may mean a file in the directory where the tool runs.
std::string file_of(const std::string &word, const ProgramSpec &spec) {
    const std::filesystem::path directory = spec.working_dir.empty()
                                                ? std::filesystem::current_path()
                                                : std::filesystem::path(spec.working_dir);
    const std::string here = (directory / word).string();
    std::error_code error;
    if (std::filesystem::is_regular_file(here, error) && !access(here.c_str(), X_OK))
        return here;
    return word.find('/') == std::string::npos ? search_in_path(word) : "";
}

// What the tool runs: the first of its arguments that is an MPI program.
struct Subject {
    std::string path;    // "": there is none
    std::string refusal; // why its ranks cannot be threads
};

// Returns the subject among the words from `first` on. Throws UsageError as find_program().
Subject find_subject(const std::vector<std::string> &words, size_t first, const Options &options) {
    for (size_t i = first; i < words.size(); ++i) {
        ProgramSpec spec;
        spec.path = words[i].starts_with('-') ? "" : file_of(words[i], options.programs[0]);
        if (spec.path.empty() || !is_dynamic_program(spec.path))
            continue;
        spec.argv = {spec.path};
        find_program(spec, count_ranks(options), options.exports);
        if (!spec.is_launcher)
            return {spec.path, spec.refusal};
    }
    return {};
}

// Throws the error for several debuggers at one terminal, with the reason why one session is
// impossible.
[[noreturn]] void refuse_dialogues(const std::string &tool, const Subject &subject, int ranks) {
    const std::string why =
        subject.path.empty()
            ? "none of its arguments is an MPI program whose ranks could be threads of one process"
            : subject.refusal;
    throw UsageError(
        2, fmt::format("{0} cannot debug {1} ranks in one session: {2}{3} {1} sessions would read "
                       "from one terminal: give each a window (mpiexec -n {1} xterm -e {0} ...), "
                       "or debug one rank (mpiexec -n 1 {0} ... : -n {4} ...)",
                       tool, ranks, why, why.ends_with('.') ? "" : ".", ranks - 1));
}

// Returns whether an option makes the tool run without a dialogue.
bool reads_no_commands(const Tool &tool, const std::vector<std::string> &words) {
    return std::any_of(words.begin(), words.end(), [&](const std::string &word) {
        return std::any_of(std::begin(tool.batch), std::end(tool.batch),
                           [&](const char *option) { return option && word == option; });
    });
}

// Returns whether there is a subject whose ranks can be threads.
bool can_be_threads(const Subject &subject) {
    return !subject.path.empty() && subject.refusal.empty();
}

// Returns whether the program is a script or a shell: what it starts is not on the command line.
bool runs_commands(const ProgramSpec &spec) {
    const std::string name = std::filesystem::path(spec.argv[0]).filename();
    return spec.is_script ||
           std::find(std::begin(shells), std::end(shells), name) != std::end(shells);
}

} // namespace

bool asks_for_threads(const Options &options) {
    return options.is_given("threads") || options.ranks_per_process > 1;
}

// A tool among the words decides. Without one, a launcher may be passed if the user has asked for
// threads or --spawn: if it runs commands that are not visible here, or an MPI program is among its
// words.
bool find_session(Options &options) {
    ProgramSpec &spec = options.programs[0];
    const int ranks = count_ranks(options);
    if (options.programs.size() != 1 || !spec.is_launcher ||
        (ranks == 1 && !options.is_on("spawn")))
        return false;
    const std::vector<std::string> words = words_of(spec.argv);
    auto found = std::find_if(words.begin(), words.end(), find_tool);
    if (found == words.end()) {
        spec.is_passed = (asks_for_threads(options) || options.is_on("spawn")) &&
                         (runs_commands(spec) || can_be_threads(find_subject(words, 1, options)));
        return false;
    }
    const auto at = static_cast<size_t>(found - words.begin());
    const Tool &tool = *find_tool(*found);
    const Subject subject = find_subject(words, at + 1, options);
    const bool is_alone = !options.processes && options.hosts.empty(); // in one process
    spec.is_passed = is_alone && can_be_threads(subject);
    if (spec.is_passed)
        return tool.is_dialogue;
    if (tool.is_dialogue && at == 0 && !reads_no_commands(tool, words))
        refuse_dialogues(tool.name, subject, ranks);
    return false;
}

bool leads_to_dialogue(const ProgramSpec &spec) {
    const std::vector<std::string> words = words_of(spec.argv);
    return spec.is_launcher && std::any_of(words.begin(), words.end(), [](const auto &word) {
               const Tool *tool = find_tool(word);
               return tool && tool->is_dialogue;
           });
}

void allow_commands_for_ranks(std::vector<std::string> &argv, const std::string &library) {
    const std::string directory = std::filesystem::path(library).parent_path().string();
    auto gdb = std::find_if(argv.begin(), argv.end(), [](const std::string &word) {
        return std::filesystem::path(word).filename() == "gdb";
    });
    if (gdb == argv.end() || directory.find(' ') != std::string::npos)
        return;
    const std::array<std::string, 2> options = {
        "-iex", fmt::format("add-auto-load-safe-path {}", directory)};
    argv.insert(gdb + 1, options.begin(), options.end());
}

} // namespace mpiexec
