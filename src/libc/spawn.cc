// posix_spawn() for a rank: the child starts with the rank's descriptors 0, 1 and 2, with the mask
// of the calling thread, and ignores the signals that the rank ignores.
//
// The kernel knows none of these, so they come before what the program asks for: descriptors as
// file actions, the mask as an attribute. POSIX has no attribute that ignores a signal. A rank that
// ignores some starts its child through a shell, whose trap does that.
#include "libc/spawn.h"

#include "fiber/unbound.h"
#include "libc/libc_state.h"
#include "libc/signals.h"
#include "libc/standard_descriptors.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <unistd.h>

namespace thrum {
namespace {

// Returns the signals that the rank ignores.
SignalSet ignored_signals() {
    const SignalState *state =
        rank_signals_of(current_libc()).state.load(std::memory_order_acquire); // [signals-1]
    SignalSet ignored = 0;
    for (int signal = 1; state && signal <= signals_max; ++signal)
        if (state->actions[signal].handler == reinterpret_cast<void *>(SIG_IGN))
            ignored |= set_of(signal);
    return ignored;
}

// Returns the size of one file action, or 0 if it cannot be determined. glibc keeps actions as an
// array behind a pointer, and the size of an entry is not public. Two actions that differ in one
// number show the distance between them.
size_t action_bytes() {
    static const size_t bytes = [] {
        posix_spawn_file_actions_t probe;
        // Numbers that do not occur in an entry by chance.
        constexpr int first = 201, second = 202, target = 200;
        if (::posix_spawn_file_actions_init(&probe) != 0)
            return size_t{0};
        ::posix_spawn_file_actions_adddup2(&probe, first, target);
        ::posix_spawn_file_actions_adddup2(&probe, second, target);
        size_t found = 0;
        const auto *memory = reinterpret_cast<const char *>(probe.__actions);
        constexpr size_t entry_bytes_max = 64;
        auto find = [memory](int number) {
            for (size_t at = 0; at + sizeof number <= entry_bytes_max; at += sizeof number)
                if (!std::memcmp(memory + at, &number, sizeof number))
                    return at;
            return entry_bytes_max;
        };
        if (probe.__used == 2 && find(first) < find(second) && find(second) < entry_bytes_max)
            found = find(second) - find(first);
        ::posix_spawn_file_actions_destroy(&probe);
        return found;
    }();
    return bytes;
}

// The file actions of one call: ours, then copies of the program's, which share the program's
// strings.
class Actions {
public:
    Actions() { ::posix_spawn_file_actions_init(&actions_); }

    ~Actions() {
        actions_.__used = own_; // the program destroys its own
        ::posix_spawn_file_actions_destroy(&actions_);
    }

    // Adds actions that make `real` the child's 0, 1 and 2 (-1: closed), then those in `given`
    // (nullptr: none). Returns 0 or an error number.
    int add(const int (&real)[3], const posix_spawn_file_actions_t *given) {
        for (int i = STDIN_FILENO; i <= STDERR_FILENO; ++i) {
            int error = 0;
            if (real[i] < 0)
                error = ::posix_spawn_file_actions_addclose(&actions_, i);
            else if (real[i] != i)
                error = ::posix_spawn_file_actions_adddup2(&actions_, real[i], i);
            if (error)
                return error;
        }
        own_ = actions_.__used;
        return given && given->__used > 0 ? append(*given) : 0;
    }

    const posix_spawn_file_actions_t *get() const { return &actions_; }

private:
    // Copies the entries as bytes: there is no function that reads them.
    int append(const posix_spawn_file_actions_t &given) {
        size_t bytes = action_bytes();
        if (bytes == 0)
            return ENOTSUP;
        size_t own = static_cast<size_t>(own_), more = static_cast<size_t>(given.__used);
        auto *grown = static_cast<char *>(std::realloc(actions_.__actions, (own + more) * bytes));
        if (!grown)
            return ENOMEM;
        std::memcpy(grown + own * bytes, given.__actions, more * bytes);
        actions_.__actions = reinterpret_cast<decltype(actions_.__actions)>(grown);
        actions_.__allocated = actions_.__used = static_cast<int>(own + more);
        return 0;
    }

    posix_spawn_file_actions_t actions_;
    int own_ = 0; // how many of the actions are ours
};

// Returns the program's attributes with the mask of the calling thread, unless they set one
// themselves. glibc's posix_spawnattr_t is a plain struct, which can be copied.
posix_spawnattr_t with_mask(const posix_spawnattr_t *given) {
    posix_spawnattr_t attributes;
    if (given)
        attributes = *given;
    else
        ::posix_spawnattr_init(&attributes);
    short flags = 0;
    ::posix_spawnattr_getflags(&attributes, &flags);
    if (!(flags & POSIX_SPAWN_SETSIGMASK)) {
        sigset_t mask =
            to_sigset(signals_of(current_rank_thread()).mask.load(std::memory_order_relaxed));
        ::posix_spawnattr_setsigmask(&attributes, &mask);
        ::posix_spawnattr_setflags(&attributes, static_cast<short>(flags | POSIX_SPAWN_SETSIGMASK));
    }
    return attributes;
}

// Starts the child through sh -c "trap '' 2 13; exec \"$0\" \"$@\"" path argv[1] ...: a shell that
// ignores signals passes that on. argv[0] is then `path`.
int spawn_ignoring(pid_t &child, SignalSet ignored, const char *path,
                   const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *attributes,
                   char *const *argv, char *const *environment) {
    if (::access(path, X_OK) != 0)
        return errno; // the shell's answer would be an exit code
    std::string script = "trap ''";
    for (SignalSet rest = ignored; rest; rest &= rest - 1)
        script += " " + std::to_string(__builtin_ctzll(rest) + 1);
    script += "; exec \"$0\" \"$@\"";
    std::vector<const char *> arguments = {"sh", "-c", script.c_str(), path};
    for (size_t i = 1; argv[0] && argv[i]; ++i)
        arguments.push_back(argv[i]);
    arguments.push_back(nullptr);
    return ::posix_spawn(&child, "/bin/sh", actions, attributes,
                         const_cast<char *const *>(arguments.data()), environment);
}

// Returns the signals that the rank ignores and the process does not, as far as dash can trap them.
// Those that the process ignores are inherited anyway.
SignalSet ignored_by_rank_only() {
    constexpr int signals_of_shells_max = 31;
    SignalSet ignored = ignored_signals() & (set_of(signals_of_shells_max + 1) - 1);
    for (SignalSet rest = ignored; rest; rest &= rest - 1) {
        int signal = __builtin_ctzll(rest) + 1;
        struct sigaction present = {};
        if (::sigaction(signal, nullptr, &present) == 0 && present.sa_handler == SIG_IGN)
            ignored &= ~set_of(signal);
    }
    return ignored & ~set_of(SIGCHLD); // a shell needs it
}

} // namespace

int spawn_for_rank(pid_t &child, const char *path, const posix_spawn_file_actions_t *actions,
                   const posix_spawnattr_t *attributes, char *const *argv,
                   char *const *environment) {
    int real[3];
    standard_descriptors_of_children(current_libc(), real);
    Actions all;
    if (int error = all.add(real, actions))
        return error;
    posix_spawnattr_t with = with_mask(attributes);
    const Unbound unbound;
    if (SignalSet ignored = ignored_by_rank_only())
        return spawn_ignoring(child, ignored, path, all.get(), &with, argv, environment);
    return ::posix_spawn(&child, path, all.get(), &with, argv, environment);
}

} // namespace thrum
