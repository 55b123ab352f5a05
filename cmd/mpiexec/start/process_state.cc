// Encodes and describes states of processes (start/process_state.h).
#include "start/process_state.h"

#include "server/complete_message.h"

#include <algorithm>
#include <csignal>
#include <cstring>
#include <fmt/core.h>
#include <sys/wait.h>
#include <utility>
#include <vector>

namespace mpiexec {

std::string encode(const ProcessState &state) {
    thrum::Encoder encoder;
    for (bool flag : {state.handles_errors, state.ends_job, state.is_bound})
        encoder.put_number(flag);
    encoder.put_number(state.output_error);
    encoder.put_text(state.last_calls);
    encoder.put_list(state.ranks_in, [&](const auto &count) {
        encoder.put_text(count.first);
        encoder.put_number(count.second);
    });
    return encoder.text();
}

ProcessState decode_state(const std::string &text) {
    thrum::Decoder decoder(text);
    ProcessState state;
    for (bool *flag : {&state.handles_errors, &state.ends_job, &state.is_bound})
        *flag = decoder.take_bool();
    state.output_error = decoder.take_int();
    state.last_calls = decoder.take_text();
    const auto counts = decoder.take_list([&] {
        std::string what = decoder.take_text();
        return std::pair(std::move(what), decoder.take_int());
    });
    state.ranks_in = {counts.begin(), counts.end()};
    require_complete(decoder);
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

static bool is_in_init(const std::pair<const std::string, int> &count) {
    return count.first == "in MPI_Init" || count.first == "in MPI_Init_thread" ||
           count.first == "in MPI_Session_init";
}

bool ProcessState::is_beginning() const {
    return std::ranges::any_of(ranks_in, is_in_init);
}

bool some_wait(const std::map<std::string, int> &ranks_in) {
    return std::ranges::any_of(ranks_in, [](const auto &count) {
        return count.first.starts_with("in MPI_") && !is_in_init(count);
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
