// Functions that write to stdout or stderr without naming a FILE: on the rank's own.
//
// The C library's versions use its own `stdout`, which all ranks would share. The functions here
// look up what the rank's `stdout` is at each call, because the program may assign another FILE to
// it. Messages of several parts (puts, warn, error) are written with the FILE locked, so that a
// thread of the rank does not write between them.
#include "libc/exit.h"
#include "libc/libc_state.h"
#include "libc/stdio.h"
#include "libc/streams.h"

#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstring>
#include <cwchar>
#include <err.h>
#include <error.h>
#include <unistd.h>

// The C library's checked forms (-D_FORTIFY_SOURCE); <stdio.h> declares them only when it is on.
extern "C" {
int __vfprintf_chk(FILE *file, int flag, const char *format, va_list arguments);
int __vfwprintf_chk(FILE *file, int flag, const wchar_t *format, va_list arguments);
}

namespace thrum {
namespace {

// Runs `call`, which uses `arguments`, between va_start and va_end. A declaration in `call` stays
// visible.
#define WITH_ARGUMENTS(last, call)                                                                 \
    va_list arguments;                                                                             \
    va_start(arguments, last);                                                                     \
    call;                                                                                          \
    va_end(arguments)

int override_printf(const char *format, ...) {
    WITH_ARGUMENTS(format, int n = std::vfprintf(rank_stdout(), format, arguments));
    return n;
}

int override_vprintf(const char *format, va_list arguments) {
    return std::vfprintf(rank_stdout(), format, arguments);
}

int override_printf_chk(int flag, const char *format, ...) {
    WITH_ARGUMENTS(format, int n = __vfprintf_chk(rank_stdout(), flag, format, arguments));
    return n;
}

int override_vprintf_chk(int flag, const char *format, va_list arguments) {
    return __vfprintf_chk(rank_stdout(), flag, format, arguments);
}

int override_puts(const char *text) {
    FILE *out = rank_stdout();
    flockfile(out);
    int result = fputs_unlocked(text, out);
    if (result >= 0 && putc_unlocked('\n', out) == EOF)
        result = EOF;
    funlockfile(out);
    return result;
}

int override_putchar(int c) {
    return std::putc(c, rank_stdout());
}

int override_putchar_unlocked(int c) {
    return putc_unlocked(c, rank_stdout());
}

// Prints what perror() and similar functions print: "prefix: text", or "text" alone.
void print_message(const char *prefix, const char *text) {
    bool has_prefix = prefix && *prefix;
    std::fprintf(rank_stderr(), "%s%s%s\n", has_prefix ? prefix : "", has_prefix ? ": " : "", text);
}

void override_perror(const char *prefix) {
    int error = errno;
    print_message(prefix, std::strerror(error));
}

void override_psignal(int signal, const char *prefix) {
    print_message(prefix, strsignal(signal));
}

void override_psiginfo(const siginfo_t *info, const char *prefix) {
    print_message(prefix, strsignal(info->si_signo));
}

// Prints what the functions of <err.h> print, as one line: "program: text[: error]".
void warn_line(bool with_error, int error, const char *format, va_list arguments) {
    FILE *err = rank_stderr();
    flockfile(err);
    std::fprintf(err, "%s: ", rank_program_name());
    if (format)
        std::vfprintf(err, format, arguments);
    if (with_error)
        std::fprintf(err, "%s%s", format ? ": " : "", std::strerror(error));
    putc_unlocked('\n', err);
    funlockfile(err);
}

void override_vwarn(const char *format, va_list arguments) {
    warn_line(true, errno, format, arguments);
}

void override_vwarnx(const char *format, va_list arguments) {
    warn_line(false, 0, format, arguments);
}

void override_warn(const char *format, ...) {
    WITH_ARGUMENTS(format, override_vwarn(format, arguments));
}

void override_warnx(const char *format, ...) {
    WITH_ARGUMENTS(format, override_vwarnx(format, arguments));
}

[[noreturn]] void override_verr(int code, const char *format, va_list arguments) {
    override_vwarn(format, arguments);
    rank_exit(code);
}

[[noreturn]] void override_verrx(int code, const char *format, va_list arguments) {
    override_vwarnx(format, arguments);
    rank_exit(code);
}

[[noreturn]] void override_err(int code, const char *format, ...) {
    WITH_ARGUMENTS(format, override_vwarn(format, arguments));
    rank_exit(code);
}

[[noreturn]] void override_errx(int code, const char *format, ...) {
    WITH_ARGUMENTS(format, override_vwarnx(format, arguments));
    rank_exit(code);
}

// Does what the functions of <error.h> do: "program: text[: error]", and the end of the rank if
// `code` is not 0. error_print_progname and error_one_per_line stay the process's.
void error_line(int code, int error, const char *file, unsigned line, const char *format,
                va_list arguments) {
    // As error() of glibc, so that the message follows what was printed before.
    std::fflush(rank_stdout());
    FILE *err = rank_stderr();
    flockfile(err);
    std::fprintf(err, "%s:", *current_libc().bound.program_name);
    if (file)
        std::fprintf(err, "%s:%u: ", file, line);
    else
        putc_unlocked(' ', err);
    std::vfprintf(err, format, arguments);
    if (error)
        std::fprintf(err, ": %s", std::strerror(error));
    putc_unlocked('\n', err);
    funlockfile(err);
    ++error_message_count;
    if (code)
        rank_exit(code);
}

void override_error(int code, int error, const char *format, ...) {
    WITH_ARGUMENTS(format, error_line(code, error, nullptr, 0, format, arguments));
}

void override_error_at_line(int code, int error, const char *file, unsigned line,
                            const char *format, ...) {
    WITH_ARGUMENTS(format, error_line(code, error, file, line, format, arguments));
}

// Returns whether `file` is the rank's stdout or stderr as it was at the start. These FILEs are
// narrow, because fopencookie() makes no others, so wide text is converted on its way to them. The
// C library handles other FILEs.
bool is_rank_file(const FILE *file) {
    LibcState &state = current_libc();
    return file == streams_of(state).out || file == streams_of(state).err;
}

// Writes `text` in the multibyte encoding of the rank's locale. Returns the number of characters,
// or -1.
int put_wide(const wchar_t *text, FILE *file) {
    mbstate_t shift = {};
    int characters = 0;
    flockfile(file);
    for (; *text; ++text, ++characters) {
        char bytes[MB_LEN_MAX];
        size_t n = std::wcrtomb(bytes, *text, &shift);
        if (n == static_cast<size_t>(-1) || fwrite_unlocked(bytes, 1, n, file) != n) {
            characters = -1;
            break;
        }
    }
    funlockfile(file);
    return characters;
}

// vswprintf() does not say how much room it needs, so this tries larger buffers, up to 64 Mi
// characters.
int override_vfwprintf(FILE *file, const wchar_t *format, va_list arguments) {
    if (!is_rank_file(file))
        return std::vfwprintf(file, format, arguments);
    for (size_t capacity = 256; capacity <= (64u << 20); capacity *= 4) {
        std::wstring text(capacity, L'\0');
        va_list again;
        va_copy(again, arguments);
        int n = std::vswprintf(text.data(), capacity, format, again);
        va_end(again);
        if (n >= 0)
            return put_wide(text.c_str(), file);
    }
    return -1;
}

int override_fwprintf(FILE *file, const wchar_t *format, ...) {
    WITH_ARGUMENTS(format, int n = override_vfwprintf(file, format, arguments));
    return n;
}

int override_wprintf(const wchar_t *format, ...) {
    WITH_ARGUMENTS(format, int n = override_vfwprintf(rank_stdout(), format, arguments));
    return n;
}

int override_vwprintf(const wchar_t *format, va_list arguments) {
    return override_vfwprintf(rank_stdout(), format, arguments);
}

int override_fwprintf_chk(FILE *file, int, const wchar_t *format, ...) {
    WITH_ARGUMENTS(format, int n = override_vfwprintf(file, format, arguments));
    return n;
}

int override_vfwprintf_chk(FILE *file, int, const wchar_t *format, va_list arguments) {
    return override_vfwprintf(file, format, arguments);
}

int override_wprintf_chk(int, const wchar_t *format, ...) {
    WITH_ARGUMENTS(format, int n = override_vfwprintf(rank_stdout(), format, arguments));
    return n;
}

int override_vwprintf_chk(int, const wchar_t *format, va_list arguments) {
    return override_vfwprintf(rank_stdout(), format, arguments);
}

// A null character ends the text of put_wide(), so it is written on its own.
wint_t override_fputwc(wchar_t c, FILE *file) {
    if (!is_rank_file(file))
        return std::fputwc(c, file);
    const wchar_t text[2] = {c, L'\0'};
    return c == L'\0'                 ? static_cast<wint_t>(std::putc(0, file))
           : put_wide(text, file) < 0 ? WEOF
                                      : static_cast<wint_t>(c);
}

wint_t override_putwchar(wchar_t c) {
    return override_fputwc(c, rank_stdout());
}

int override_fputws(const wchar_t *text, FILE *file) {
    if (!is_rank_file(file))
        return std::fputws(text, file);
    return put_wide(text, file) < 0 ? -1 : 1;
}

int override_fwide(FILE *file, int mode) {
    return is_rank_file(file) ? mode : std::fwide(file, mode);
}

const FunctionOverride table[] = {
    OVERRIDE("printf", override_printf),
    OVERRIDE("_IO_printf", override_printf),
    OVERRIDE("vprintf", override_vprintf),
    OVERRIDE("__printf_chk", override_printf_chk),
    OVERRIDE("__vprintf_chk", override_vprintf_chk),
    OVERRIDE("puts", override_puts),
    OVERRIDE("_IO_puts", override_puts),
    OVERRIDE("putchar", override_putchar),
    OVERRIDE("putchar_unlocked", override_putchar_unlocked),
    OVERRIDE("perror", override_perror),
    OVERRIDE("psignal", override_psignal),
    OVERRIDE("psiginfo", override_psiginfo),
    OVERRIDE("warn", override_warn),
    OVERRIDE("warnx", override_warnx),
    OVERRIDE("vwarn", override_vwarn),
    OVERRIDE("vwarnx", override_vwarnx),
    OVERRIDE("err", override_err),
    OVERRIDE("errx", override_errx),
    OVERRIDE("verr", override_verr),
    OVERRIDE("verrx", override_verrx),
    OVERRIDE("error", override_error),
    OVERRIDE("error_at_line", override_error_at_line),
    OVERRIDE("vfwprintf", override_vfwprintf),
    OVERRIDE("fwprintf", override_fwprintf),
    OVERRIDE("wprintf", override_wprintf),
    OVERRIDE("vwprintf", override_vwprintf),
    OVERRIDE("__fwprintf_chk", override_fwprintf_chk),
    OVERRIDE("__vfwprintf_chk", override_vfwprintf_chk),
    OVERRIDE("__wprintf_chk", override_wprintf_chk),
    OVERRIDE("__vwprintf_chk", override_vwprintf_chk),
    OVERRIDE("fputwc", override_fputwc),
    OVERRIDE("putwc", override_fputwc),
    OVERRIDE("fputwc_unlocked", override_fputwc),
    OVERRIDE("putwc_unlocked", override_fputwc),
    OVERRIDE("putwchar", override_putwchar),
    OVERRIDE("putwchar_unlocked", override_putwchar),
    OVERRIDE("fputws", override_fputws),
    OVERRIDE("fputws_unlocked", override_fputws),
    OVERRIDE("fwide", override_fwide),
};

} // namespace

LIBC_FUNCTIONS(table);

} // namespace thrum
