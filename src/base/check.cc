// Messages that must appear whatever state the process is in: no allocation, a single write(2).
#include "base/check.h"

#include "base/end_function.h"
#include "base/tools.h"

#include <atomic>
#include <csetjmp>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <unistd.h>

namespace thrum {
namespace {

SpeakerFunction *speaker = nullptr;
constinit std::atomic<void (*)(int)> end_function{nullptr};
constinit std::atomic<void (*)()> output_function{nullptr};
constinit std::atomic<ReportKeeper *> report_keeper{nullptr};
constinit std::atomic<ReportWitness *> report_witness{nullptr};
constexpr int line_bytes_max = 2048;

// A thread's run_attempt(): where die() jumps back to, and where it leaves its text.
struct Attempt {
    jmp_buf start;
    char *text;
    unsigned text_bytes;
};

constinit thread_local Attempt *current_attempt = nullptr;

void write_whole(const char *text, int size_bytes) {
    while (size_bytes > 0) {
        ssize_t n = ::write(STDERR_FILENO, text, static_cast<size_t>(size_bytes));
        if (n <= 0)
            return;
        text += n;
        size_bytes -= static_cast<int>(n);
    }
}

int clamp(int n) {
    return n < 0 ? 0 : n >= line_bytes_max ? line_bytes_max - 1 : n;
}

constexpr char line_prefix[] = "thrum: ";

// Writes one line, cut off at line_bytes_max, or lets it be kept. Allocates nothing, so it is safe
// in a signal handler.
void write_line(const char *format, va_list arguments) {
    char line[line_bytes_max];
    int n = clamp(std::snprintf(line, sizeof line, line_prefix));
    n = clamp(n +
              std::vsnprintf(line + n, sizeof line - static_cast<size_t>(n), format, arguments));
    // acquire [report-keeper-1]: what it needs.
    ReportKeeper *keeps = report_keeper.load(std::memory_order_acquire);
    if (keeps && keeps(line + sizeof line_prefix - 1))
        return;
    // acquire [report-witness-1]: what it needs.
    if (ReportWitness *witness = report_witness.load(std::memory_order_acquire))
        witness(line + sizeof line_prefix - 1);
    if (n == line_bytes_max - 1)
        --n;
    line[n++] = '\n';
    write_whole(line, n);
}

} // namespace

void set_speaker(SpeakerFunction *function) {
    speaker = function;
}

void set_report_keeper(ReportKeeper *function) {
    report_keeper.store(function, std::memory_order_release); // release [report-keeper-1]
}

void set_report_witness(ReportWitness *function) {
    report_witness.store(function, std::memory_order_release); // release [report-witness-1]
}

void report(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    write_line(format, arguments);
    va_end(arguments);
}

bool run_attempt(void (*function)(void *argument), void *argument, char *text,
                 unsigned text_bytes) {
    Attempt attempt{{}, text, text_bytes};
    current_attempt = &attempt;
    bool is_done = _setjmp(attempt.start) == 0;
    if (is_done)
        function(argument);
    current_attempt = nullptr;
    return is_done;
}

void die(int exit_code, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    if (Attempt *attempt = current_attempt) {
        std::vsnprintf(attempt->text, attempt->text_bytes, format, arguments);
        va_end(arguments);
        longjmp(attempt->start, 1);
    }
    write_line(format, arguments);
    va_end(arguments);
    call_output_function();
    call_end_function(exit_code);
    exit_at_once(exit_code);
}

void set_output_function(void (*function)()) {
    output_function.store(function, std::memory_order_release); // release [output-function-1]
}

void call_output_function() {
    // acquire [output-function-1]: what it needs. Called once only, because it may fail itself.
    if (auto *write = output_function.exchange(nullptr, std::memory_order_acquire))
        write();
}

void set_end_function(void (*function)(int code)) {
    end_function.store(function, std::memory_order_release); // release [end-function-1]
}

void call_end_function(int code) {
    // acquire [end-function-1]: what it needs. Called once only, because it may fail itself.
    if (auto *function = end_function.exchange(nullptr, std::memory_order_acquire))
        function(code);
}

void check_failed(const char *expression, const char *file, int line, const char *format, ...) {
    char who[64] = "";
    char values[512];
    va_list arguments;
    va_start(arguments, format);
    std::vsnprintf(values, sizeof values, format, arguments);
    va_end(arguments);
    if (speaker)
        speaker(who, sizeof who);
    report("internal error: %s%s%s:%d: CHECK(%s) failed%s%s", who, *who ? ": " : "", file, line,
           expression, *values ? ": " : "", values);
    std::abort();
}

} // namespace thrum
