// CHECK: an invariant of Thrum itself. It is always on; a failure prints the rank, the expression
// and its values, and aborts.
#pragma once

namespace thrum {

[[noreturn, gnu::cold, gnu::format(printf, 4, 5)]] void
check_failed(const char *expression, const char *file, int line, const char *format, ...);

// Names the speaker in messages: a layer above (rank/) installs a function that knows the rank. The
// function writes at most `size_bytes` bytes, for example "rank 17", and returns `buffer`.
using SpeakerFunction = const char *(char *buffer, unsigned size_bytes);
void set_speaker(SpeakerFunction *function);

// Prints one whole line "thrum: ..." on the real standard error with a single write(2). Safe to
// call from a signal handler and before any constructor has run.
[[gnu::format(printf, 1, 2)]] void report(const char *format, ...);

// Sets a function that report() asks first: if it returns true it has kept the line, which is then
// not printed. It must be safe in a signal handler.
using ReportKeeper = bool(const char *line);
void set_report_keeper(ReportKeeper *function);

// Sets a function that gets a copy of each line that is printed. It must be safe in a signal
// handler.
using ReportWitness = void(const char *line);
void set_report_witness(ReportWitness *function);

// Reports like report(), then ends the process with `exit_code` at once. Inside run_attempt() it
// ends the attempt instead.
[[noreturn, gnu::cold, gnu::format(printf, 2, 3)]] void die(int exit_code, const char *format, ...);

// Runs function(argument). If it calls die() in this thread, returns false and stores the message
// in `text`; objects on the stack in between are not destroyed. For failures that are fatal while
// the process starts, but only an error of one call later.
bool run_attempt(void (*function)(void *argument), void *argument, char *text, unsigned text_bytes);

} // namespace thrum

// CHECK(condition) or CHECK(condition, "format", values...).
#define CHECK(condition, ...)                                                                      \
    do {                                                                                           \
        if (!(condition)) [[unlikely]]                                                             \
            ::thrum::check_failed(#condition, __FILE__, __LINE__, "" __VA_ARGS__);                 \
    } while (false)
