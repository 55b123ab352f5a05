// Signature: the sequence of basic types of a datatype's type map. MPI 5.0 section 3.3.1 wants it
// to be the same at the sender and at the receiver of a message, section 6.1 at the members of a
// collective operation.
//
// When a datatype is made, its signature is reduced to
//
//   - a word (Datatype::signature). If the type map repeats one basic type, the word says which;
//     otherwise it is a hash of the shortest sequence that the constructors have repeated. So
//     datatypes with equal words match, whatever their counts: one sequence is a prefix of the
//     other. Right programs usually pay for this comparison only.
//   - a hash of the whole sequence (Datatype::sequence), a polynomial modulo 2^61 - 1. The hash of
//     n repetitions takes O(log n) steps. So 2 times {int, double} equals 1 time {int, double, int,
//     double}, which have different words.
//
// Rules of equality:
//   1. All names of one representation are equal: MPI_INT, MPI_INTEGER and MPI_INT32_T; MPI_LONG,
//      MPI_AINT and MPI_OFFSET; MPI_DOUBLE, MPI_DOUBLE_PRECISION and MPI_REAL8; MPI_CHAR,
//      MPI_CHARACTER and MPI_SIGNED_CHAR; MPI_C_BOOL and MPI_LOGICAL1. A pair such as
//      MPI_DOUBLE_INT is its two members.
//   2. MPI_PACKED matches everything, and so does a datatype that contains it.
//   3. MPI_BYTE matches only MPI_BYTE, and a signed integer no unsigned one. Many programs rely
//      on the opposite, so this holds under TypeRules::Standard only. Under TypeRules::Usual a
//      datatype that contains MPI_BYTE matches everything.
//   4. A message may be shorter than its receive: its sequence must be a prefix.
//   5. A message without data matches everything.
//
// Different sequences have the same hash with a probability of about 2^-60, and the same word with
// 2^-31. Such a mistake is not noticed; equal sequences never differ.
#pragma once
#include "datatype/datatype.h"
#include "datatype/sequence_hash.h"

#include <string>

namespace thrum {

// Sums up the signature of a datatype under construction. The order of the calls is that of the
// type map.
class SignatureSum {
public:
    // Appends `copies` elements of `type`.
    void add(const Datatype &type, Count copies) {
        if (type.signature == 0 || copies == 0)
            return;
        if (&type != last_)
            flush();
        last_ = &type;
        copies_ += static_cast<uint64_t>(copies);
    }

    // Stores the signature.
    void finish(Datatype &result);

private:
    void flush();

    const Datatype *last_ = nullptr; // its copies have not been appended yet
    uint64_t copies_ = 0;
    uint32_t word_ = 0;
    bool mixed_ = false;
    uint8_t wildcards_ = 0;
    const Datatype *element_ = nullptr;
    uint64_t sequence_[2] = {0, 0};
};

// Gives a datatype the signature of another one.
void copy_signature(const Datatype &from, Datatype &to);

// Data of a datatype, described by their size.
struct TypedBytes {
    const Datatype *type;
    size_t bytes;
};

// Returns whether the words show that the types match. Otherwise types_match() decides.
inline bool types_surely_match(const Datatype &sent, const Datatype &received) {
    return sent.signature == received.signature;
}

// Returns whether the sent sequence is a prefix of the received one. Of data that do not fit in the
// receive, only those are compared that do.
[[gnu::cold]] bool types_match(TypedBytes sent, TypedBytes received, TypeRules rules);

// The hash of the first bytes of data, to be compared where the datatype is not known.
struct PrefixHash {
    uint64_t hash = 0;
    bool is_cut = false; // the bytes end inside a basic element
};

PrefixHash prefix_hash(TypedBytes data, TypeRules rules);

// Describes the basic types of data: "4 MPI_INT, 2 MPI_DOUBLE, ..." and the program's name of the
// datatype, if it has one. `with_count`: also where there is only one basic type.
std::string types_text(TypedBytes data, bool with_count);
// Describes the first element that differs ("element 3 is MPI_INT here and MPI_DOUBLE there"), with
// `sent_name` and `received_name` for the places; "" if it is the first of all.
std::string difference_text(TypedBytes sent, TypedBytes received, TypeRules rules,
                            const char *sent_name, const char *received_name);

// Keep the signature of a datatype that the program may free meanwhile, for data that wait in the
// library's memory. Predefined datatypes are not counted, and where all basic types are alike one
// of them suffices. Each datatype that was kept must be dropped.
[[gnu::cold, gnu::noinline]] const Datatype *keep_derived(const Datatype &type);
[[gnu::cold, gnu::noinline]] void drop_derived(const Datatype &type);

inline const Datatype *keep_type(const Datatype *type) {
    return !type || type->predefined ? type : keep_derived(*type);
}

inline void drop_type(const Datatype *type) {
    if (type && !type->predefined) [[unlikely]]
        drop_derived(*type);
}

// A named basic datatype as one byte, for messages between processes; 0: none. 255 is never used.
uint8_t number_of_basic(const Datatype &basic);
const Datatype &basic_of_number(uint8_t number);

} // namespace thrum
