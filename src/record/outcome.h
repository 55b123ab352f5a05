// Outcome: what has come of one call in which MPI leaves something open, as a word of a record. The
// outcomes of a thread, in the order of its calls, determine how its messages match.
#pragma once
#include <cstdint>

namespace thrum {

enum class OutcomeKind : uint8_t {
    None = 0,     // an unused word
    Receive = 1,  // a receive from MPI_ANY_SOURCE, in the order of posting: its source
    Probe = 2,    // MPI_Probe or MPI_Mprobe from MPI_ANY_SOURCE: the source of the message
    Missed = 3,   // calls in a row that found nothing, such as MPI_Test: how many
    Message = 4,  // MPI_Iprobe or MPI_Improbe that found a message: its source
    Complete = 5, // MPI_Test, MPI_Testall or MPI_Parrived that found all complete, or MPI_Cancel
    One = 6,      // MPI_Waitany or MPI_Testany: the index of the request
    Some = 7,     // MPI_Waitsome or MPI_Testsome: how many indices follow
    Index = 8,    // one of them
    End = 9,      // MPI_Finalize
};

struct Outcome {
    static constexpr uint32_t value_max = (1u << 28) - 1;

    OutcomeKind kind = OutcomeKind::None;
    uint32_t value = 0;

    uint32_t word() const { return static_cast<uint32_t>(kind) << 28 | value; }

    static Outcome of(uint32_t word) {
        return {static_cast<OutcomeKind>(word >> 28), word & value_max};
    }

    bool operator==(const Outcome &) const = default;
};

// Values of a receive that no message has matched: it was posted when the run ended, or cancelled.
// A replay posts the first as it is, from MPI_ANY_SOURCE.
inline constexpr uint32_t unmatched_receive = Outcome::value_max;
inline constexpr uint32_t cancelled_receive = Outcome::value_max - 1;

// Directories of a run of mpiexec --explore, in the one that the setting `explored` names: the
// record that it follows, and its own; and the file of check/choice_file.h.
inline constexpr char explored_prefix[] = "/prefix", explored_record[] = "/record",
                      explored_choices[] = "/choices";
// What the run says if it cannot follow that record.
inline constexpr char departs_from_prefix[] = "the run departs from the order that it explores";

} // namespace thrum
