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

// Another call that the sentence of an error is about: of another rank, or the one that has started
// the operation.
struct OtherCall {
    char who[48];          // "rank 1", "MPI_Irecv"
    const void *call_site; // return address in the program
};

inline constexpr int other_calls_max = 2;

// Adds a call to the record of this thread's last fail(), for the report of a fatal error: "(at
// a.c:6 in main; rank 1: a.c:4 in main)". At most other_calls_max; the next fail() begins anew.
[[gnu::cold]] void add_other_call(const char *who, const void *call_site);

// The calls of this thread's last fail(); copied, as the record belongs to the next fail(), too.
struct OtherCalls {
    int count = 0;
    OtherCall calls[other_calls_max];
};

OtherCalls other_calls();

} // namespace thrum
