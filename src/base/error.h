// Error: what the caller of MPI did wrong, or what the world refused. An MPI error class or code
// (MPI 5.0 section 9.4) and, beside it, one sentence that names the argument and its value.
//
// The first function that knows of an error records it with fail(); everybody else hands the Error
// on. Nothing throws.
#pragma once

namespace thrum {

class [[nodiscard]] Error {
public:
    constexpr Error() = default;

    constexpr explicit Error(int code) : code_(code) {}

    // True if something went wrong: if (Error error = check(...)) return error;
    constexpr explicit operator bool() const { return code_ != 0; }

    constexpr int code() const { return code_; }

private:
    int code_ = 0;
};

inline constexpr Error success{};

// Makes an Error of class or code `code` and records its sentence for this thread (this rank),
// printf-style, for example fail(MPI_ERR_RANK, "dest is %d, but %s has %d ranks", ...).
[[gnu::cold, gnu::format(printf, 2, 3)]] Error fail(int code, const char *format, ...);

// The sentence recorded by this thread's last fail(), or "" if its code was not `code`.
const char *error_detail(int code);

} // namespace thrum
