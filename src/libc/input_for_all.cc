// Gives every rank the job's standard input (libc/input_for_all.h). A file is opened again for each
// rank, which then has a position of its own in it. Anything else (a pipe, a terminal) is read by a
// thread, the pump, which writes it into a pipe for each rank.
//
// Invariants
// 1. The pump reads on when at least one rank has received all that has been read. What it keeps is
//    therefore bounded by what the fastest rank has read, and a rank that does not read delays no
//    other.
// 2. Everything here but the descriptors belongs to the pump alone once it runs.
#include "libc/input_for_all.h"

#include "base/check.h"
#include "base/own_threads.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <string>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace thrum {
namespace {

// A rank that reads, as the pump sees it.
struct Reader {
    int pipe;        // our end of its pipe, non-blocking
    size_t position; // how much of `kept_` it has received
};

// The thread's state. It ends when no reader is left.
class Pump {
public:
    std::vector<Reader> readers;

    static void *run(void *pump) {
        auto *self = static_cast<Pump *>(pump);
        while (!self->readers.empty())
            self->step();
        return nullptr;
    }

private:
    bool has_all(const Reader &reader) const { return reader.position == kept_.size(); }

    void step();
    void read_more();
    void give(Reader &reader);
    void drop_what_all_have();

    std::string kept_;   // input that some rank has not received yet
    bool ended_ = false; // end of input
};

// Waits until a rank has room or input arrives, and moves what can be moved.
void Pump::step() {
    // A reader that has everything is polled without an event, only to see whether the rank has
    // closed its end. Input is polled only if some rank could take it (invariant 1).
    std::vector<pollfd> polled;
    for (const Reader &reader : readers) // without an event: only whether it is closed
        polled.push_back({reader.pipe, static_cast<short>(has_all(reader) ? 0 : POLLOUT), 0});
    bool wants_more = std::any_of(readers.begin(), readers.end(),
                                  [this](const Reader &reader) { return has_all(reader); });
    polled.push_back({wants_more && !ended_ ? STDIN_FILENO : -1, POLLIN, 0});
    if (::poll(polled.data(), polled.size(), -1) < 0)
        return; // EINTR
    if (polled.back().revents)
        read_more();
    // From the end, because readers are erased.
    for (size_t i = readers.size(); i-- > 0;) {
        if (polled[i].revents & POLLOUT)
            give(readers[i]);
        bool closed = polled[i].revents & (POLLERR | POLLNVAL);
        if (closed || (ended_ && has_all(readers[i]))) {
            ::close(readers[i].pipe);
            readers.erase(readers.begin() + static_cast<std::ptrdiff_t>(i));
        }
    }
    drop_what_all_have();
}

// Reads what standard input has. An error counts as its end.
void Pump::read_more() {
    char block[16 << 10];
    ssize_t n = ::read(STDIN_FILENO, block, sizeof block);
    if (n > 0)
        kept_.append(block, static_cast<size_t>(n));
    else if (n == 0 || (errno != EINTR && errno != EAGAIN))
        ended_ = true;
}

void Pump::give(Reader &reader) {
    ssize_t n =
        ::write(reader.pipe, kept_.data() + reader.position, kept_.size() - reader.position);
    if (n > 0)
        reader.position += static_cast<size_t>(n);
}

// Frees what every rank has received, in large pieces: each piece moves the rest of the string.
void Pump::drop_what_all_have() {
    size_t least = kept_.size();
    for (const Reader &reader : readers)
        least = std::min(least, reader.position);
    constexpr size_t worth_moving_bytes = 64 << 10;
    if (least < std::min(worth_moving_bytes, kept_.size()))
        return;
    kept_.erase(0, least);
    for (Reader &reader : readers)
        reader.position -= least;
}

// Never destroyed: its thread runs while the process exits.
Pump &pump() {
    static auto *the_pump = new Pump; // never destroyed: its thread runs while the process exits
    return *the_pump;
}

// Moves the descriptor above 0, 1 and 2, which may be closed in this process. Returns -1 with errno
// if that fails, or if `descriptor` is -1.
int above_standard(int descriptor) {
    if (descriptor < 0 || descriptor > STDERR_FILENO)
        return descriptor;
    int higher = ::fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    ::close(descriptor);
    return higher;
}

// Opens the file of standard input once more, at the position where the process has it.
int open_file_again() {
    int descriptor = above_standard(::open("/proc/self/fd/0", O_RDONLY | O_CLOEXEC));
    if (descriptor >= 0)
        ::lseek(descriptor, ::lseek(STDIN_FILENO, 0, SEEK_CUR), SEEK_SET);
    return descriptor;
}

// Makes a pipe for one rank and adds it to the pump. Returns the rank's end, or -1 with errno.
int open_pipe() {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0)
        return -1;
    ::fcntl(ends[1], F_SETFL, O_NONBLOCK);
    pump().readers.push_back({above_standard(ends[1]), 0});
    return above_standard(ends[0]);
}

} // namespace

int open_input_for_all(int rank_count) {
    struct stat status;
    bool is_file = ::fstat(STDIN_FILENO, &status) == 0 && S_ISREG(status.st_mode);
    int descriptor = is_file ? open_file_again() : open_pipe();
    if (descriptor < 0)
        die(2,
            "--stdin all: cannot create a descriptor for the standard input of each of %d ranks: "
            "%s. Raise the hard limit (ulimit -Hn): a file takes one for each rank, a pipe two",
            rank_count, std::strerror(errno));
    return descriptor;
}

// Pipes belong to the pump from here on.
void start_input_for_all() {
    if (pump().readers.empty())
        return;
    // The pump blocks all signals, SIGPIPE included: a rank that has closed its end shows as
    // POLLERR.
    sigset_t all, old;
    ::sigfillset(&all); // also SIGPIPE, of ranks that have closed theirs
    ::pthread_sigmask(SIG_SETMASK, &all, &old);
    pthread_t thread;
    int error = create_own_thread(&thread, nullptr, &Pump::run, &pump());
    ::pthread_sigmask(SIG_SETMASK, &old, nullptr);
    if (error)
        die(1, "--stdin all: cannot start a thread that reads standard input: %s",
            std::strerror(error));
    ::pthread_detach(thread);
}

} // namespace thrum
