// CHECK: an invariant of ours. Always on; prints the rank, the expression and values, and aborts.
#pragma once

namespace thrum {

[[noreturn, gnu::cold, gnu::format(printf, 4, 5)]] void
check_failed(const char *expression, const char *file, int line, const char *format, ...);

// Who is speaking in messages: a layer above (rank/) installs a function that names the rank.
// Writes at most `size_bytes` bytes, for example "rank 17", and returns `buffer`.
using SpeakerFunction = const char *(char *buffer, unsigned size_bytes);
void set_speaker(SpeakerFunction *function);

// Prints one whole line "thrum: ..." on the real standard error with a single write(2). Safe to
// call from a signal handler and before any constructor has run.
[[gnu::format(printf, 1, 2)]] void report(const char *format, ...);

// report(), then ends the process with `exit_code` at once. Inside run_attempt(): ends the attempt.
[[noreturn, gnu::cold, gnu::format(printf, 2, 3)]] void die(int exit_code, const char *format, ...);

// Runs function(argument). If it calls die(), in this thread, returns false and what was to be said
// in `text`; objects on the stack in between are not destroyed. For what ends the process while it
// starts, but is only an error of one call once it runs.
bool run_attempt(void (*function)(void *argument), void *argument, char *text, unsigned text_bytes);

} // namespace thrum

// CHECK(condition) or CHECK(condition, "format", values...).
#define CHECK(condition, ...)                                                                      \
    do {                                                                                           \
        if (!(condition)) [[unlikely]]                                                             \
            ::thrum::check_failed(#condition, __FILE__, __LINE__, "" __VA_ARGS__);                 \
    } while (false)
