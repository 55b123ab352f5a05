#include "start/observed_job.h"

#include "observe/event_log.h"
#include "plan/exec_pointers.h"
#include "plan/message.h"
#include "plan/usage_error.h"
#include "start/launch.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/core.h>
#include <fstream>
#include <sys/wait.h>
#include <unistd.h>

namespace mpiexec {
namespace {

namespace fs = std::filesystem;

// Throws UsageError if no file can be written there: better now than after hours. A pipe that
// nobody reads is refused, too: opening it would wait. Returns a descriptor that keeps the pipe
// open, so that its reader waits for the job; -1: it is not a pipe.
int check_file(const char *option, const std::string &path) {
    std::error_code ignored;
    const bool is_new = !fs::exists(path, ignored);
    const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_NONBLOCK | O_CLOEXEC, 0666);
    if (file < 0)
        throw UsageError(
            2, fmt::format("{} {}: {}", option, path,
                           errno == ENXIO ? "no process reads this pipe" : std::strerror(errno)));
    if (fs::is_fifo(path, ignored))
        return file;
    ::close(file);
    if (is_new)
        fs::remove(path, ignored);
    return -1;
}

// An OTF2 archive is a directory. One that exists is not overwritten: it may have files of others.
void check_archive(const std::string &path) {
    std::error_code ignored;
    if (fs::exists(path, ignored))
        throw UsageError(2, fmt::format("--trace {}: it exists already; remove it, or choose "
                                        "another name",
                                        path));
    if (!fs::create_directory(path, ignored))
        throw UsageError(2, fmt::format("--trace {}: {}", path, ignored.message()));
    fs::remove(path, ignored);
}

fs::path program_of(const char *name) {
    return own_executable().parent_path().parent_path() / "libexec" / "thrum" / name;
}

// Returns the program that writes such a trace, by the end of its name.
const char *writer_of(const std::string &path) {
    if (path.ends_with(".json") || path.ends_with(".pftrace"))
        return "trace";
    if (!path.ends_with(".otf2"))
        throw UsageError(2, fmt::format("--trace {}: the name must end in .json (Chrome), .pftrace "
                                        "(Perfetto) or .otf2",
                                        path));
    if (!fs::exists(program_of("trace_otf2")))
        throw UsageError(2, "--trace: this Thrum was built without OTF2 (Debian: "
                            "libotf2-trace-dev); .json and .pftrace work");
    return "trace_otf2";
}

constexpr size_t default_limit_bytes = size_t{256} << 20;
constexpr size_t least_bytes_of_rank = 8192; // a ring of two chunks (src/observe/events.h)

// Returns the bytes that the events of the job may take.
size_t limit_of(const Options &options) {
    const auto ranks = static_cast<size_t>(count_ranks(options));
    const size_t least_bytes = (ranks + 1) * least_bytes_of_rank;
    size_t bytes = options.trace.limit_bytes;
    if (bytes == 0)
        bytes = std::max(default_limit_bytes, 2 * least_bytes);
    if (bytes < least_bytes)
        throw UsageError(2, fmt::format("--trace-limit {}: {} ranks need at least {}K", bytes,
                                        ranks, least_bytes / 1024));
    return bytes;
}

// Runs the program and returns its exit code. The signals that mpiexec blocks are not blocked in
// it.
int run_program(const std::vector<std::string> &words,
                const std::vector<std::string> &environment) {
    const std::vector<char *> arguments = exec_pointers(words);
    const std::vector<char *> variables = exec_pointers(environment);
    const pid_t child = ::fork();
    if (child == 0) {
        sigset_t none;
        ::sigemptyset(&none);
        ::sigprocmask(SIG_SETMASK, &none, nullptr);
        ::execve(arguments[0], arguments.data(), variables.data());
        ::_exit(127);
    }
    int status = 0;
    if (child < 0 || ::waitpid(child, &status, 0) != child || !WIFEXITED(status))
        return 1;
    return WEXITSTATUS(status);
}

} // namespace

std::string ending_of(int code) {
    if (code == 0)
        return "normally";
    const int signal = code - 128;
    if (signal > 0 && signal < NSIG && ::sigabbrev_np(signal))
        return fmt::format("with exit code {} (SIG{})", code, ::sigabbrev_np(signal));
    return fmt::format("with exit code {}", code);
}

void write_trace_request(const std::string &directory, const std::string &request) {
    const std::string path = directory + "/" + thrum::observe::log_request_name;
    std::ofstream file(path);
    if (file << request && file.flush())
        return;
    const int error = errno;
    std::error_code ignored;
    fs::remove_all(directory, ignored);
    throw UsageError(2, fmt::format("--trace: cannot write {}: {}", path, std::strerror(error)));
}

ObservedJob::ObservedJob(Options &options, std::vector<std::string> words)
    : page_{"--report", options.report, "", "report"},
      trace_{"--trace", options.trace.file, "", "trace"}, words_(std::move(words)),
      is_quiet_(options.quiet) {
    const char *option = observing_option(options);
    if (!option)
        return;
    if (!page_.name.empty()) {
        page_.pipe = check_file("--report", page_.name);
        page_.path = fs::absolute(page_.name).string();
    }
    if (!trace_.name.empty()) {
        if (!std::strcmp(writer_of(trace_.name), "trace"))
            trace_.pipe = check_file("--trace", trace_.name);
        else
            check_archive(trace_.name);
        trace_.path = fs::absolute(trace_.name).string();
        options.trace.request =
            fmt::format("{} {}\n", limit_of(options), options.trace.keeps_last ? "last" : "first");
    }
    for (char **variable = environ; *variable; ++variable)
        environment_.emplace_back(*variable);
    std::string name = (fs::temp_directory_path() / "thrum-observed-XXXXXX").string();
    if (!::mkdtemp(name.data()))
        throw UsageError(2,
                         fmt::format("{}: cannot make {}: {}", option, name, std::strerror(errno)));
    directory_ = name;
    if (!trace_.name.empty())
        write_trace_request(directory_, options.trace.request);
    options.given_settings["observe"] = directory_;
}

ObservedJob::~ObservedJob() {
    for (const Product *product : {&page_, &trace_})
        if (product->pipe >= 0)
            ::close(product->pipe);
    std::error_code ignored;
    if (!directory_.empty())
        fs::remove_all(directory_, ignored);
}

int ObservedJob::make(const Product &product, const char *name,
                      const std::vector<std::string> &arguments) {
    const fs::path program = program_of(name);
    std::vector<std::string> words = {program.string()};
    words.insert(words.end(), arguments.begin(), arguments.end());
    const int result = run_program(words, environment_);
    if (result == 0 && !is_quiet_)
        say("the {} is in {}", product.what, product.name);
    else if (result == 127)
        say("{}: cannot run {}", product.option, program.string());
    return result;
}

int ObservedJob::finish(int code) {
    if (directory_.empty())
        return code;
    if (!page_.name.empty()) {
        std::vector<std::string> arguments = {"--write", directory_, page_.path, ending_of(code)};
        arguments.insert(arguments.end(), words_.begin(), words_.end());
        const int result = make(page_, "report", arguments);
        code = code == 0 ? result : code;
    }
    if (!trace_.name.empty()) {
        const int result = make(trace_, writer_of(trace_.path), {directory_, trace_.path});
        code = code == 0 ? result : code;
    }
    std::error_code ignored;
    fs::remove_all(directory_, ignored);
    directory_.clear();
    return code;
}

} // namespace mpiexec
