// Type mismatches: what happens when the data of a sender and the buffer of a receiver have
// different types (MPI 5.0 section 3.3.1, datatype/signature.h). The job prints a warning, once for
// each pair of source lines in a process. With `mpiexec --check` the receiver gets MPI_ERR_TYPE.
#pragma once
#include "base/error.h"
#include "base/settings.h"
#include "datatype/signature.h"
#include "rank/rank.h"

#include <string>

namespace thrum {

// What a type mismatch causes.
enum class TypeCheck : uint8_t { Off, Warning, Error };

// Returns what the user has chosen.
inline TypeCheck type_check() {
    if (settings().is_strict())
        return TypeCheck::Error;
    return settings().check == Settings::check_is_off ? TypeCheck::Off : TypeCheck::Warning;
}

// Returns the rules that go with it: what is harmless in practice matters only to `--check`.
inline TypeRules type_rules() {
    return type_check() == TypeCheck::Error ? TypeRules::Standard : TypeRules::Usual;
}

// Compares types whose words differ. Returns whether they match, or need not.
[[gnu::cold]] bool types_are_accepted(TypedBytes sent, TypedBytes received);

// A mismatch, described while both datatypes exist.
struct TypeMismatch {
    std::string text; // "the message from rank 0 has 1 MPI_FLOAT, but the receive expects MPI_INT"
    CallPlace sender; // the call that has sent
    CallPlace receiver;        // that receives; {}: the one that reports
    bool has_one_call = false; // a one-sided operation: only the call that reports
};

// Describes the types on both sides: "SENDER has 1 MPI_FLOAT, but RECEIVER expects MPI_INT".
std::string mismatch_text(const std::string &sender, TypedBytes sent, const std::string &receiver,
                          TypedBytes received);

// Prints the warning, unless one for the same lines has been printed, and returns success. Or
// returns the error. Called in the receiver's own MPI call.
[[gnu::cold]] Error judge_mismatch(const TypeMismatch &mismatch);

// Returns " (sent by MPI_Send at a.c:10 in main)", or "" if the call is unknown.
[[gnu::cold]] std::string sender_text(const CallPlace &sender);

} // namespace thrum
