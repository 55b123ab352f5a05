#include "start/report_job.h"

#include "plan/message.h"
#include "plan/usage_error.h"
#include "start/launch.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/core.h>
#include <sys/wait.h>
#include <unistd.h>

namespace mpiexec {
namespace {

namespace fs = std::filesystem;

// Throws UsageError if no page can be written there: better now than after hours.
void check_page(const std::string &page) {
    std::error_code ignored;
    const bool is_new = !fs::exists(page, ignored);
    const int file = ::open(page.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (file < 0)
        throw UsageError(2, fmt::format("--report {}: {}", page, std::strerror(errno)));
    ::close(file);
    if (is_new)
        fs::remove(page, ignored);
}

// Returns the array that execve() wants, of pointers into `words`.
std::vector<char *> pointers_to(const std::vector<std::string> &words) {
    std::vector<char *> pointers;
    for (const std::string &word : words)
        pointers.push_back(const_cast<char *>(word.c_str()));
    pointers.push_back(nullptr);
    return pointers;
}

// Runs the program and returns its exit code. The signals that mpiexec blocks are not blocked in
// it.
int run_program(const std::vector<std::string> &words,
                const std::vector<std::string> &environment) {
    std::vector<char *> arguments = pointers_to(words), variables = pointers_to(environment);
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

ReportJob::ReportJob(Options &options, std::vector<std::string> words)
    : page_(options.report), name_(options.report), words_(std::move(words)),
      is_quiet_(options.quiet) {
    const bool is_watched = options.top || options.live_port >= 0;
    if (page_.empty() && !is_watched)
        return;
    if (!page_.empty())
        check_page(page_);
    for (char **variable = environ; *variable; ++variable)
        environment_.emplace_back(*variable);
    if (!page_.empty())
        page_ = fs::absolute(page_).string();
    std::string name = (fs::temp_directory_path() / "thrum-report-XXXXXX").string();
    if (!::mkdtemp(name.data()))
        throw UsageError(
            2, fmt::format("{}: cannot make {}: {}",
                           page_.empty() ? (options.top ? "--top" : "--live") : "--report", name,
                           std::strerror(errno)));
    directory_ = name;
    options.given_settings["observe"] = directory_;
}

ReportJob::~ReportJob() {
    std::error_code ignored;
    if (!directory_.empty())
        fs::remove_all(directory_, ignored);
}

int ReportJob::write_page(int code) {
    const fs::path program =
        own_executable().parent_path().parent_path() / "libexec" / "thrum" / "report";
    std::vector<std::string> words = {program.string(), "--write", directory_, page_,
                                      ending_of(code)};
    words.insert(words.end(), words_.begin(), words_.end());
    const int result = run_program(words, environment_);
    if (result == 0 && !is_quiet_)
        say("the report is in {}", name_);
    else if (result == 127)
        say("--report: cannot run {}", program.string());
    return result;
}

int ReportJob::finish(int code) {
    if (directory_.empty())
        return code;
    const int result = page_.empty() ? 0 : write_page(code); // else the job was only watched
    std::error_code ignored;
    fs::remove_all(directory_, ignored);
    directory_.clear();
    return code == 0 ? result : code;
}

} // namespace mpiexec
