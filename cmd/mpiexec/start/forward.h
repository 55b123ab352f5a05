// Forwards a node process's standard output or standard error through mpiexec, in whole lines, each
// behind the rank that wrote it if --prefix asks for that. What the library prints in several
// processes in the same words, such as why none of them can begin, is written once.
#pragma once
#include <string>

namespace mpiexec {

// Reports, once for the job, that output is lost: "WHAT: No space left on device; ..." The job goes
// on; its exit code shows the loss. (A missing reader is different: it ends the job.)
void note_lost_output(const std::string &what, int error);
// Returns whether output of the job has been lost.
bool has_lost_output();

// One stream of one process.
class Forward {
public:
    // Reads `from`, which it owns (-1: take() is used instead), and writes to `to`. `prefix` begins
    // each line.
    Forward(int from, int to, std::string prefix);
    Forward(Forward &&other) noexcept;
    ~Forward();

    int descriptor() const { return from_; } // for poll(); -1 after the end of the stream

    // Treats `text` as if it had been read. Returns as pump().
    bool take(const std::string &text);
    // Reads once and writes the whole lines. Returns false if the reader of mpiexec's output has
    // gone.
    bool pump();
    // Reads everything that is there, without waiting for more. Returns as pump().
    bool drain();
    // Does the same for the last time, writes an unfinished line, too, and closes the descriptor.
    bool finish();

    // Returns whether the library has printed there why the process ends ("thrum: ...").
    bool has_reason() const { return has_reason_; }

private:
    bool emit(bool all);
    bool has_been_said(const std::string &line) const;

    int from_, to_;
    int number_; // identifies this stream among all
    std::string prefix_;
    std::string unfinished_; // has been read, but its line has not ended
    bool has_reason_ = false;
};

} // namespace mpiexec
