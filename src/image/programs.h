// Programs and their images: where the clones are and what an Image is. Internal to image/.
//
// The clones of a program lie side by side in one reservation, a stride apart, so that an address
// tells its clone by a division, and page tables are shared as much as they can be. Ranks that are
// added later (MPI_Comm_spawn) get reservations of their own, and the places of ranks that have
// ended.
#pragma once
#include "image/image.h"
#include "image/template.h"

#include <atomic>

namespace thrum {

struct Image;

// The addresses of a group of clones that were reserved together. All but `made` is constant once
// the region is published.
struct Region {
    char *low = nullptr;
    size_t stride_bytes = 0; // bytes from one clone to the next; 0: blocks
    int count = 0;
    std::atomic<int> made{0}; // images that have been made, a prefix of the region
    Image *images = nullptr;
    intptr_t *deltas = nullptr;   // of all images, private_count for each
    uintptr_t *upcalls = nullptr; // of all images, upcall_stride for each
    size_t upcall_stride = 0;
};

// Enough: each region is at least as large as all before it together.
inline constexpr int regions_max = 24;

// An executable with all objects that it needs, in the order in which symbols are looked up. The
// first is what the process executes; others are loaded beside it (program.h).
struct Program {
    Objects objects;
    Template image_template;
    GrowingArray<CopiedVariable> copies;
    GrowingArray<const Object *> construction_order; // dependencies first, the executable last
    Region regions[regions_max];
    // release [region-1]: the region is complete; pairs with the acquire in regions_of().
    std::atomic<int> region_count{0};
    GrowingArray<Image *> free_images; // of ranks that have ended
    // For programs beside the process's own: their entry point, and the offset of their
    // executable's thread-local storage below a thread's FS base.
    uintptr_t entry = 0;
    size_t tls_offset = 0;
    size_t tls_bytes = 0;
};

inline constexpr int programs_max = 64;
// Functions of private objects that shared ones call: malloc and few more.
inline constexpr size_t upcalls_max = 512;

// The arguments and results of capture(). Before that, and in a process of one rank, there are only
// originals.
struct Capture {
    bool is_done = false;
    bool is_privatized = false; // the first program: no clones
    Overrides overrides{};
    const char *shared_list = nullptr;
};

extern constinit Capture the_capture; // written by capture()

inline bool has_captured() {
    return the_capture.is_done;
}

inline int regions_of(const Program &program) {
    return program.region_count.load(std::memory_order_acquire); // [region-1]
}

// Calls visit(image, region, its number in the region) for each image that a rank has.
template <class Visit>
void for_each_image(const Program &program, Visit visit);

inline const Overrides &captured_overrides() {
    return the_capture.overrides;
}

inline const char *shared_list() {
    return the_capture.shared_list;
}

// Returns program `number`; 0 is what the process executes.
Program &program_at(int number);
int program_count();
// Adds an empty program. Ends the process if there are too many.
Program &add_program();
// Empties the last program again, since it could not be loaded.
void remove_last_program();

// A rank's image. Written by make_image() and remove_image(), read without a lock.
struct Image {
    int number; // the caller's, > 0; 0: the originals; -1: the rank has ended
    char *base; // nullptr for the originals
    // For each private object, by private_index: what to add to an address of the original.
    const intptr_t *deltas;
    const Program *program;
    void *variables;            // the rank's, of C-library variables; nullptr: the originals
    uintptr_t private_distance; // of a privatised program (privatized.h): gs base; else 0
    const uintptr_t *upcalls;   // by number: its functions that shared objects call (upcalls.cc)
};

template <class Visit>
void for_each_image(const Program &program, Visit visit) {
    for (int r = 0, count = regions_of(program); r < count; ++r) {
        const Region &region = program.regions[r];
        for (int i = 0; i < region.made.load(std::memory_order_acquire); ++i) // [region-2]
            if (region.images[i].number > 0)
                visit(region.images[i], region, i);
    }
}

// Returns the image that stands for the originals: number 0, all distances 0.
const Image &originals_image();

inline const Program &program_of(const Image *image) {
    return image ? *image->program : program_at(0);
}

// More private objects than any program has: no_deltas, the originals' deltas, is a constant array
// of this length.
inline constexpr int private_objects_max = 1000;
extern const intptr_t no_deltas[private_objects_max];

// Returns the template of the process's own program.
Template &the_template();

// Returns the distance in bytes from a thread's FS base to its pointer to the current rank's Image
// (never null). It is the same in all threads, so thunks contain it.
int32_t current_image_tls_offset();

// Returns whether the program is compiled with --privatize: its images are blocks (privatized.h),
// not clones.
inline bool program_is_privatized() {
    return the_capture.is_privatized;
}

} // namespace thrum
