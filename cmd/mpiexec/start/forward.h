// The way of a node process's standard output or standard error through mpiexec: whole lines, each
// behind the rank that wrote it if --prefix wants that. What the library says in several processes
// in the same words, such as why none of them can begin, is written once.
#pragma once
#include <string>

namespace mpiexec {

// Says, once for the job, which goes on: "WHAT: No space left on device; ..." Its exit code tells
// of it, too. (The want of a reader is another thing, which ends the job.)
void note_lost_output(const std::string &what, int error);
bool has_lost_output();

class Forward {
public:
    // Reads `from`, which it owns, and writes to `to`. `prefix` begins each line.
    Forward(int from, int to, std::string prefix);
    Forward(Forward &&other) noexcept;
    ~Forward();

    int descriptor() const { return from_; } // -1 after the end

    // Takes `text` for what has been read.
    bool take(const std::string &text);
    // Reads what there is. False if nobody reads what it writes any more.
    bool pump();
    // Reads all that is there, without waiting for more.
    bool drain();
    // The same for the last time: an unfinished line goes, too.
    bool finish();

    // Whether the library has said there why the process ends ("thrum: ...").
    bool has_reason() const { return has_reason_; }

private:
    bool emit(bool all);
    bool has_been_said(const std::string &line) const;

    int from_, to_;
    int number_; // among all
    std::string prefix_;
    std::string unfinished_;
    bool has_reason_ = false;
};

} // namespace mpiexec
