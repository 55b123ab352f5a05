#include "start/process_state.h"

#include "server/parcel.h"

#include <algorithm>
#include <csignal>
#include <cstring>
#include <fmt/core.h>
#include <sys/wait.h>
#include <utility>
#include <vector>

namespace mpiexec {

std::string encode(const ProcessState &state) {
    Parcel parcel;
    parcel.put(state.handles_errors);
    parcel.put(state.ends_job);
    parcel.put(state.is_bound);
    parcel.put(state.output_error);
    parcel.put(state.last_calls);
    parcel.put(static_cast<int64_t>(state.ranks_in.size()));
    for (const auto &[what, count] : state.ranks_in) {
        parcel.put(what);
        parcel.put(count);
    }
    return parcel.text();
}

ProcessState decode_state(const std::string &text) {
    Parcel parcel(text);
    ProcessState state;
    state.handles_errors = parcel.take_number() != 0;
    state.ends_job = parcel.take_number() != 0;
    state.is_bound = parcel.take_number() != 0;
    state.output_error = static_cast<int>(parcel.take_number());
    state.last_calls = parcel.take();
    for (int64_t left = parcel.take_number(); left > 0; --left) {
        std::string what = parcel.take();
        state.ranks_in[what] = static_cast<int>(parcel.take_number());
    }
    return state;
}

std::string describe_counts(const std::map<std::string, int> &ranks_in) {
    std::vector<std::pair<std::string, int>> counts(ranks_in.begin(), ranks_in.end());
    std::stable_sort(counts.begin(), counts.end(),
                     [](const auto &a, const auto &b) { return a.second > b.second; });
    std::string text;
    for (const auto &[what, count] : counts)
        text += text.empty() ? fmt::format("{} rank{} {}", count, count == 1 ? "" : "s", what)
                             : fmt::format(", {} {}", count, what);
    return text;
}

bool ProcessState::is_beginning() const {
    return std::ranges::any_of(ranks_in, [](const auto &item) {
        return item.first == "in MPI_Init" || item.first == "in MPI_Init_thread" ||
               item.first == "in MPI_Session_init";
    });
}

int exit_code_of(int status) {
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

static std::string describe_signal(int signal) {
    const char *name = sigabbrev_np(signal);
    return fmt::format("signal {} (SIG{}: {})", signal, name ? name : "?", strsignal(signal));
}

std::string describe_failure(const std::string &name, int status, bool connected,
                             const std::string &rest) {
    if (!WIFSIGNALED(status))
        return fmt::format("{} ended with exit code {} {}{}", name, exit_code_of(status),
                           connected ? "without calling MPI_Finalize" : "before MPI_Init", rest);
    return fmt::format("{} was ended by {}{}{}", name, describe_signal(WTERMSIG(status)), rest,
                       WTERMSIG(status) == SIGKILL
                           ? "; if nobody killed it, the machine may have run out of memory (see "
                             "dmesg)"
                           : "");
}

} // namespace mpiexec
