// Refusals: a program that cannot be cloned ends before it starts, with one line that names the
// object, the reason and the remedy. A program that is not refused must run correctly.
#pragma once
#include "image/object.h"

namespace thrum {

inline constexpr int refusal_exit_code = 2;

// Ends the process with: "a.out cannot run as several ranks of one process: it REASON. REMEDY; one
// rank (-n 1) always works."
[[noreturn, gnu::cold]] void refuse(const Object &object, const char *reason, const char *remedy);

// Why a private object cannot be cloned, as far as it can be seen without its relocations.
struct Unsuitable {
    const char *reason = nullptr; // nullptr: it can be cloned
    const char *remedy = nullptr;
};

Unsuitable find_unsuitable(const Object &object);

// Refuses the process's own program if one of its private objects is unsuitable, or if a
// constructor runs before libmpi's.
void refuse_unsuitable_objects();
// Does the same for one private object of a further program.
void refuse_unsuitable_object(const Object &object);

// The images of one program, for the count of mappings.
struct MappingDemand {
    const char *path;
    long images;
    long mappings_per_image;
};

// Refuses a job of `ranks` ranks if the kernel's limit on mappings does not suffice for all its
// images together. `why_cloned`: why they are not blocks of a privatised program, or nullptr.
void refuse_too_many_mappings(long ranks, const MappingDemand *demands, size_t count,
                              const char *why_cloned);
// Ends the process because a mapping for an image has failed with `error`, an errno.
[[noreturn, gnu::cold]] void die_of_mapping(int image_number, int error);

// Refuses, when a rank begins MPI, a process that has loaded the library of another MPI: code that
// was compiled for that one would call ours.
void refuse_foreign_mpi();

} // namespace thrum
