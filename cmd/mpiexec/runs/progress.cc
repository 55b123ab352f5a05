#include "runs/progress.h"

#include "plan/message.h"
#include "start/ending.h"

#include <cstdio>
#include <fmt/core.h>
#include <unistd.h>

namespace mpiexec {
namespace {

constexpr double interval_s = 0.1;
constexpr const char *erase_line = "\r\033[K";

} // namespace

Progress::Progress(bool is_quiet) : is_shown_(!is_quiet && isatty(STDERR_FILENO)) {}

void Progress::show(const std::string &text) {
    if (!is_shown_ || now_s() - last_s_ < interval_s)
        return;
    last_s_ = now_s();
    is_there_ = true;
    const std::string line = fmt::format("{}{}: {}", erase_line, speaker, text);
    std::fwrite(line.data(), 1, line.size(), stderr);
}

void Progress::clear() {
    if (is_there_)
        std::fputs(erase_line, stderr);
    is_there_ = false;
}

std::string with_commas(long number) {
    std::string text = std::to_string(number);
    for (auto at = static_cast<long>(text.size()) - 3; at > 0; at -= 3)
        text.insert(static_cast<size_t>(at), 1, ',');
    return text;
}

} // namespace mpiexec
