// top: shows in a terminal, or in lines of text, what the ranks of a job do.
//
//   top [--once] [--interval SECONDS] PID    a job that runs (thrum top)
//   top --follow DIRECTORY TITLE             for mpiexec --top: the job of program TITLE whose
//                                            observations will be in DIRECTORY. Writes to standard
//                                            error. Standard input is a pipe: it ends with the job,
//                                            after a text that says how.
#include "find_job.h"
#include "job_with_observations.h"
#include "job_without_observations.h"
#include "lines.h"
#include "plan/message.h"
#include "rank_hold.h"
#include "running_process.h"
#include "terminal.h"

#include <cerrno>
#include <charconv>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <poll.h>
#include <stdexcept>
#include <string>
#include <string_view>
#include <sys/prctl.h>
#include <unistd.h>

namespace live {
namespace {

using mpiexec::say;

constexpr double redraw_s = 0.5;
constexpr double rate_s = 0.5; // between the two looks that give rates
constexpr char keys[] = "p hold  s step  m message  u queues  g go on  q quit";

volatile std::sig_atomic_t is_asked_to_end = 0, is_stopped = 0;

void on_end(int) {
    is_asked_to_end = 1;
}

void on_stop(int) {
    is_stopped = 1;
}

// A signal ends the sleep of the loop, which then looks at the flags.
void install(int signal, void (*handler)(int)) {
    struct sigaction action{};
    action.sa_handler = handler;
    ::sigaction(signal, &action, nullptr);
}

struct Arguments {
    std::string directory, title; // --follow
    pid_t pid = 0;
    bool once = false;
    double interval_s = 5;
};

// Writes blocks of lines, where there is no terminal.
class Printer {
public:
    explicit Printer(int descriptor) : descriptor_(descriptor) {}

    void print(const View &view) {
        std::string text = is_first_ ? "" : "\n";
        is_first_ = false;
        for (const Line &line : lines_of(view, 0, 0))
            text += line.text + "\n";
        for (size_t written = 0; written < text.size();) {
            const ssize_t n = ::write(descriptor_, text.data() + written, text.size() - written);
            if (n < 0 && errno != EINTR)
                throw std::runtime_error(fmt::format("cannot write: {}", std::strerror(errno)));
            written += static_cast<size_t>(n < 0 ? 0 : n);
        }
    }

private:
    int descriptor_;
    bool is_first_ = true;
};

void sleep_s(double seconds) {
    ::poll(nullptr, 0, static_cast<int>(seconds * 1000));
}

// A job that runs already.
class RunningJob {
public:
    // Throws std::runtime_error if the process is not part of a job.
    explicit RunningJob(pid_t pid) : process_(pid) {
        const FoundJob found = find_job(pid);
        if (found.observations.empty()) {
            job_ = std::make_unique<JobWithoutObservations>(pid, found);
        } else {
            auto job = std::make_unique<JobWithObservations>(found.observations, "");
            hold_ = std::make_unique<RankHold>(*job);
            job_ = std::move(job);
        }
    }

    // Returns what the ranks do now, and how the job has ended if it has.
    View look() {
        const bool has_ended = job_->has_ended() && !process_.is_alive();
        View view = job_->look();
        if (has_ended)
            view.ended = ending_of(view);
        return view;
    }

    // Returns nullptr if the ranks cannot be held.
    RankHold *hold() { return hold_.get(); }

private:
    RunningProcess process_; // that the user has named
    std::unique_ptr<WatchedJob> job_;
    std::unique_ptr<RankHold> hold_; // ends before the job
};

// Does what a key asks for, and keeps a text about it for the last line.
class Keys {
public:
    explicit Keys(RankHold *hold) : hold_(hold) {}

    void press(char key) {
        queues_ = {};
        shows_queues_ = false;
        try {
            note_ = hold_ ? act(key) : "the job is not observed: its ranks cannot be held";
        } catch (const std::exception &error) { // the view goes on
            note_ = error.what();
        }
    }

    const std::string &note() const { return note_; }

    bool shows_queues() const { return shows_queues_; }

    const Queues &queues() const { return queues_; }

private:
    std::string act(char key) {
        if (!hold_->is_held() && (key == 's' || key == 'm'))
            hold_->hold();
        switch (key) {
        case 'p':
            hold_->hold();
            return "each rank is held at its next MPI call";
        case 'g':
            hold_->go_on();
            return "the ranks go on";
        case 's':
            return hold_->step(no_peer);
        case 'm':
            return hold_->step_message();
        case 'u':
            queues_ = hold_->queues();
            shows_queues_ = true;
            return note_;
        default:
            return keys;
        }
    }

    RankHold *hold_; // nullptr: the job is not observed
    std::string note_ = keys;
    bool shows_queues_ = false;
    Queues queues_;
};

// Gives the terminal back while the process is stopped (Ctrl-Z).
void stop_if_asked(Terminal &terminal) {
    if (!is_stopped)
        return;
    is_stopped = 0;
    terminal.leave();
    ::raise(SIGSTOP);
    terminal.take();
}

void draw(Terminal &terminal, const View &view, const Keys &pressed) {
    terminal.measure();
    const size_t rows = terminal.rows() ? terminal.rows() - 1 : 0;
    std::vector<Line> lines = pressed.shows_queues()
                                  ? lines_of(pressed.queues(), rows, terminal.columns())
                                  : lines_of(view, rows, terminal.columns());
    if (terminal.reads_keys()) {
        lines.resize(rows);
        lines.push_back(line_of(Tone::Faint, pressed.note(), terminal.columns()));
    }
    terminal.draw(lines);
}

// Draws until the job has ended or the user quits. Returns how the job has ended; "": it runs.
std::string show_on_screen(RunningJob &job) {
    Terminal terminal(STDOUT_FILENO, Terminal::Use::WholeScreen);
    Keys pressed(job.hold());
    while (!is_asked_to_end) {
        stop_if_asked(terminal);
        const View view = job.look();
        if (job.hold())
            job.hold()->renew();
        draw(terminal, view, pressed);
        if (!view.ended.empty())
            return view.ended;
        pollfd input{terminal.reads_keys() ? STDIN_FILENO : -1, POLLIN, 0};
        ::poll(&input, 1, static_cast<int>(redraw_s * 1000));
        while (const char key = terminal.key()) {
            if (key == 'q')
                return "";
            pressed.press(key);
        }
        if (input.revents & POLLHUP)
            return "";
    }
    return "";
}

int show_running(const Arguments &arguments) {
    RunningJob job(arguments.pid);
    install(SIGTERM, on_end);
    install(SIGINT, on_end);
    install(SIGHUP, on_end);
    install(SIGWINCH, [](int) {});
    if (!arguments.once && ::isatty(STDOUT_FILENO)) {
        install(SIGTSTP, on_stop);
        if (const std::string ending = show_on_screen(job); !ending.empty())
            say("{}", ending);
        return 0;
    }
    Printer printer(STDOUT_FILENO);
    (void)job.look();
    for (double wait_s = rate_s; !is_asked_to_end; wait_s = arguments.interval_s) {
        sleep_s(wait_s);
        const View view = job.look();
        printer.print(view);
        if (!view.ended.empty() || arguments.once)
            break;
    }
    return 0;
}

// Reads how the job has ended, within the time. Returns false while it runs.
bool read_ending(double seconds, std::string &ending) {
    pollfd input{STDIN_FILENO, POLLIN, 0};
    if (::poll(&input, 1, static_cast<int>(seconds * 1000)) <= 0)
        return false;
    char text[256];
    const ssize_t n = ::read(STDIN_FILENO, text, sizeof text);
    if (n > 0)
        ending = std::string(text, static_cast<size_t>(n));
    return n >= 0 || errno != EINTR;
}

// Ctrl-C is for the job; mpiexec says when it has ended.
int follow(const Arguments &arguments) {
    ::prctl(PR_SET_NAME, "thrum-view");
    install(SIGINT, SIG_IGN);
    install(SIGQUIT, SIG_IGN);
    install(SIGTERM, on_end);
    install(SIGHUP, on_end);
    install(SIGWINCH, [](int) {});
    JobWithObservations job(arguments.directory, arguments.title);
    std::string ending;
    if (!::isatty(STDERR_FILENO)) {
        Printer printer(STDERR_FILENO);
        while (!is_asked_to_end && !read_ending(arguments.interval_s, ending))
            printer.print(job.look());
        View view = job.look();
        view.ended = ending;
        if (!ending.empty())
            printer.print(view);
        return 0;
    }
    install(SIGTSTP, on_stop);
    Terminal terminal(STDERR_FILENO, Terminal::Use::LastRows);
    while (!is_asked_to_end) {
        stop_if_asked(terminal);
        terminal.measure();
        terminal.draw(lines_of(job.look(), terminal.rows(), terminal.columns()));
        if (read_ending(redraw_s, ending))
            break;
    }
    return 0;
}

constexpr char usage[] =
    "Usage: thrum top [--once] [--interval SECONDS] PID\n\n"
    "Shows what the ranks of a running job do. PID is that of mpiexec, or of a process with "
    "ranks.\n"
    "On a terminal the picture is drawn again and again; otherwise a block of lines is written\n"
    "every 5 seconds.\n\n"
    "  --once              write one block and end\n"
    "  --interval SECONDS  from one block to the next\n";

template <class Number>
bool parse(std::string_view text, Number &number) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size();
}

// Returns the exit code of a wrong command line; 0: it is right.
int read_arguments(int argc, char **argv, Arguments &arguments) {
    for (int i = 1; i < argc; ++i) {
        const std::string word = argv[i];
        const bool has_value = i + 1 < argc;
        constexpr double interval_max_s = 86400;
        if (word == "--follow" && i + 2 < argc) {
            arguments.directory = argv[++i];
            arguments.title = argv[++i];
        } else if (word == "--once") {
            arguments.once = true;
        } else if (word == "--interval" && has_value) {
            if (!parse(argv[++i], arguments.interval_s) || !(arguments.interval_s >= 0.1) ||
                arguments.interval_s > interval_max_s) {
                say("--interval {} is not a number of seconds from 0.1 to {}", argv[i],
                    interval_max_s);
                return 2;
            }
        } else if (word.starts_with('-') || arguments.pid) {
            say("{} {}; see thrum top --help",
                word.starts_with('-')
                    ? (word == "--interval" ? "missing value of" : "unknown option")
                    : "one process is expected, not also",
                word);
            return 2;
        } else if (!parse(word, arguments.pid) || arguments.pid <= 0) {
            say("{} is not the id of a process", word);
            return 2;
        }
    }
    if (arguments.directory.empty() && !arguments.pid) {
        say("the id of a process is missing; see thrum top --help");
        return 2;
    }
    return 0;
}

} // namespace
} // namespace live

int main(int argc, char **argv) {
    mpiexec::speaker = "thrum top";
    for (int i = 1; i < argc; ++i)
        if (std::string_view(argv[i]) == "--help" || std::string_view(argv[i]) == "-h") {
            std::fputs(live::usage, stdout);
            return 0;
        }
    live::Arguments arguments;
    if (const int code = live::read_arguments(argc, argv, arguments))
        return code;
    try {
        if (arguments.directory.empty())
            return live::show_running(arguments);
        mpiexec::speaker = "mpiexec: --top";
        return live::follow(arguments);
    } catch (const std::exception &error) {
        mpiexec::say("{}", error.what());
        return 1;
    }
}
