// Error: a mistake of MPI's caller, or a failure of the system. It consists of an MPI error class
// or code (MPI 5.0 section 9.4) and one sentence that names the argument and its value.
//
// The first function that detects an error records it with fail(); all others pass the Error on.
// Nothing throws.
#pragma once

namespace thrum {

class [[nodiscard]] Error {
public:
    constexpr Error() = default;

    constexpr explicit Error(int code) : code_(code) {}

    // True for an error: if (Error error = check(...)) return error;
    constexpr explicit operator bool() const { return code_ != 0; }

    constexpr int code() const { return code_; }

private:
    int code_ = 0;
};

inline constexpr Error success{};

// Makes an Error of class or code `code` and records its sentence, printf-style, for this thread
// (this rank). Example: fail(MPI_ERR_RANK, "dest is %d, but %s has %d ranks", ...).
[[gnu::cold, gnu::format(printf, 2, 3)]] Error fail(int code, const char *format, ...);

// Returns the sentence recorded by this thread's last fail(), or "" if its code was not `code`.
const char *error_detail(int code);

} // namespace thrum
