// The runs of --fuzz, --explore and thrum sweep: children that are mpiexec, several side by side.
// What they print is kept here; what is left of them at the end is killed.
//
// Each run is a process group of its own: Ctrl-C reaches only the command that has started them,
// which ends all of them at once and without their reports.
#pragma once
#include "runs/outcome.h"

#include <csignal>
#include <memory>
#include <string>
#include <sys/types.h>
#include <vector>

namespace mpiexec {

// A signal has asked this command to end.
struct Interruption {
    int signal;
};

inline constexpr size_t kept_bytes_max = 128 << 20; // of a stream of a run

// Standard input of the runs: the file that ours is, from its current position, or nothing.
struct RunInput {
    bool is_file = false;
    std::string path; // of the file; "": it has none

    // Looks at standard input. Appends a note if it has something that runs cannot share.
    static RunInput find(std::vector<std::string> &notes);
};

class Runs {
public:
    // A run that has ended.
    struct Finished {
        int number; // as given to start()
        Outcome outcome;
    };

    // `name` is what runs are called (argv[0]), `words` are those of the command line behind it
    // (runs/repetition.h). `child_mask` are the blocked signals of runs; here the watched ones
    // (start/ending.h) are blocked. `file` is the mpiexec to execute: this one, if it is one.
    Runs(std::string name, std::vector<std::string> words, RunInput input,
         const sigset_t &child_mask, std::string file = "/proc/self/exe");
    ~Runs();

    // Sets the time limit that runs get from now on. 0: they get none from here.
    void set_timeout(double timeout_s) { timeout_s_ = timeout_s; }

    // Starts a run with options of its own. Throws UsageError if the system refuses.
    void start(int number, const std::vector<std::string> &options);
    // Makes a run alone, and returns its result. Throws the same.
    Outcome run(const std::vector<std::string> &options);
    // Waits until a run has ended, for a given time at most (-1: for ever). Returns whether one has
    // ended. Throws Interruption.
    bool wait(int limit_ms, Finished &finished);
    // Kills the runs whose number is greater. They are never returned.
    void kill_after(int number);

    size_t running() const { return runs_.size(); }

private:
    struct Run;

    [[noreturn]] void become_run(const std::vector<std::string> &options, int out, int err,
                                 pid_t parent);
    std::vector<std::string> arguments_of(const std::vector<std::string> &options) const;
    bool poll_all(int limit_ms);
    void take_signals();
    bool take_ended(Finished &finished);
    void kill_and_reap(Run &run);

    std::string name_, file_;
    std::vector<std::string> words_;
    RunInput input_;
    const sigset_t &child_mask_;
    double timeout_s_ = 0;
    int signal_fd_;
    std::vector<std::unique_ptr<Run>> runs_;
};

} // namespace mpiexec
