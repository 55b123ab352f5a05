// thrum sweep: runs a program with several numbers of ranks. bin/thrum gives it the path of mpiexec
// as its first argument.
//
// What happens: read the command line, and have mpiexec's own parser check what each run gets. Make
// the runs, printing a row for each number of ranks. Print the report of the first that fails, and
// write the files. sweep.h says how runs are made, comparison.h how outputs are compared.
#include "fiber/usable_cores.h"
#include "json.h"
#include "options.h"
#include "picture.h"
#include "plan/message.h"
#include "plan/usage_error.h"
#include "runs/progress.h"
#include "runs/runs.h"
#include "runs/verdict.h"
#include "start/ending.h"
#include "sweep.h"
#include "table.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>

namespace sweep {
namespace {

using mpiexec::say;
using mpiexec::with_commas;

void say_notes(const mpiexec::Options &job) {
    if (job.quiet || job.notes.empty())
        return;
    std::string list;
    for (const std::string &note : job.notes)
        list += (list.empty() ? "" : "; ") + note;
    say("note: ignored: {}", list);
}

void print_text(const std::string &text) {
    std::fwrite(text.data(), 1, text.size(), stdout);
    std::fflush(stdout);
}

// Returns whether the file was written; if not, says why.
bool write_file(const std::string &path, const std::string &text) {
    std::FILE *file = std::fopen(path.c_str(), "w");
    const bool is_written = file && std::fwrite(text.data(), 1, text.size(), file) == text.size();
    if ((file && std::fclose(file)) || !is_written) {
        say("cannot write {}: {}", path, strerror(errno));
        return false;
    }
    return true;
}

// Prints how the sweep has ended, and the report of the first that fails.
void say_end(const SweepOptions &options, const Result &result) {
    const size_t done = result.counts.size(), all = result.asked;
    if (result.signal != 0)
        say("interrupted after {} of {} counts", with_commas(static_cast<long>(done)),
            with_commas(static_cast<long>(all)));
    if (result.failure) {
        const Failure &failure = *result.failure;
        say("the first that fails has {} rank{}: {}; this is what the run prints:",
            with_commas(failure.ranks), failure.ranks == 1 ? "" : "s",
            mpiexec::describe_exit_code(failure.outcome.exit_code));
        if (options.json_file != "-")
            mpiexec::print(failure.outcome);
        else // standard output is a JSON text
            std::fprintf(stderr, "%s%s", failure.outcome.output.c_str(),
                         failure.outcome.errors.c_str());
        say("repeat it with");
        fmt::print(stderr, "{}\n", failure.command);
        return;
    }
    const auto differing = std::ranges::count_if(
        result.counts, [](const Count &count) { return !count.difference.empty(); });
    if (differing > 0)
        say("{} of {} counts end well with another output; lines that may differ can be left out "
            "with --ignore, and numbers may differ by --tolerance",
            with_commas(differing), with_commas(static_cast<long>(done)));
    else if (result.signal == 0)
        say("{} count{} well{} ({:.1f} s)", with_commas(static_cast<long>(done)),
            done == 1 ? ": ends" : "s: all end",
            options.compares_output && done > 1 ? ", with the same output" : "", result.seconds);
}

// Writes the files that were asked for. Returns whether that succeeds.
bool write_results(const SweepOptions &options, const Result &result) {
    bool succeeds = true;
    if (options.json_file == "-")
        print_text(json_of(options, result));
    else if (!options.json_file.empty())
        succeeds = write_file(options.json_file, json_of(options, result));
    if (options.picture_file.empty())
        return succeeds;
    const std::string title = std::filesystem::path(options.program[0]).filename().string();
    const std::string picture =
        result.counts.empty() ? "" : picture_of(result, thrum::usable_cores(), title);
    if (!picture.empty())
        return write_file(options.picture_file, picture) && succeeds;
    say("no picture: speed-up refers to the time of the smallest count, which has not ended well");
    return false;
}

// Does all of the above, and returns the exit code.
int run(int argc, char **argv) {
    if (argc < 2)
        throw mpiexec::UsageError(2, "started without the path of mpiexec: call thrum sweep");
    SweepOptions options = parse_options({argv + 2, argv + argc});
    const mpiexec::RunInput input = mpiexec::RunInput::find(options.job.notes);
    say_notes(options.job);
    const sigset_t child_mask = mpiexec::block_signals();
    const int greatest = options.counts.back();
    const bool has_table = options.json_file != "-";
    const Result result = run_sweep(options, argv[1], input, child_mask,
                                    [&](const Result &so_far, const Count &count) {
                                        if (has_table && so_far.counts.size() == 1)
                                            print_text(table_head(so_far, greatest));
                                        if (has_table)
                                            print_text(table_row(so_far, count, greatest));
                                    });
    if (has_table && result.was_side_by_side)
        print_text("Runs were side by side and share the machine; --jobs 1 measures each alone.\n");
    say_end(options, result);
    const bool is_written = write_results(options, result);
    const int code = result.exit_code();
    return code != 0 || is_written ? code : 1;
}

} // namespace
} // namespace sweep

int main(int argc, char **argv) {
    mpiexec::speaker = "thrum sweep";
    try {
        return sweep::run(argc, argv);
    } catch (const mpiexec::UsageError &error) {
        mpiexec::say("{}", error.what());
        return error.exit_code;
    } catch (const std::exception &error) {
        mpiexec::say("{}", error.what());
        return 1;
    }
}
