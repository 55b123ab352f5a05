// Template: the bytes that all clones have in common, taken once, and the list of differences.
//
// An image is all private objects side by side, each with ld.so's distances inside it:
//
//     | a.out: text | data | bss | libfoo.so: text | data | bss | ...
//
// Invariants
// 1. Everything is an offset in the image; nothing depends on where an image will be.
// 2. Text runs are never writable and data runs never executable.
// 3. Each offset is in `fixups` at most once, and the template holds there an offset in the image.
#pragma once
#include "image/image.h"
#include "image/object.h"

#include <sys/types.h>

namespace thrum {

// A range that is mapped readable and executable, privately, from `file`.
struct TextRun {
    size_t offset;
    size_t size_bytes;
    int file;
    off_t file_offset;
};

enum class DataKind : uint8_t {
    Copied,      // memcpy from the template into the image's anonymous memory
    CopyOnWrite, // mapped privately from the template: much initialised data
    FreshZero,   // anonymous memory of its own, so that it may have huge pages: much .bss
};

// A range of the image that a rank may write.
struct DataRun {
    size_t offset;
    size_t size_bytes;
    DataKind kind;
};

// A word that gets the address of the rank's own C-library variable, plus `addend`.
struct VariableFixup {
    size_t offset;
    size_t variable_offset;
    intptr_t addend;
};

struct Template {
    size_t size_bytes = 0;
    size_t alignment = page_bytes;
    int file = -1;         // a memfd of size_bytes
    char *bytes = nullptr; // the whole of it, mapped shared
    GrowingArray<TextRun> texts;
    GrowingArray<DataRun> data;
    GrowingArray<size_t> fixups; // the words that get the image's base added
    GrowingArray<VariableFixup> variable_fixups;
    int private_count = 0; // private objects in an image

    // Returns the byte of the template that corresponds to `address` of the original.
    char *at(const Object &object, uintptr_t address) {
        return bytes + object.image_offset + (address - object.low);
    }
};

// A variable of a library whose memory is in the executable (copies.h).
struct CopiedVariable {
    const char *name;
    uintptr_t address; // of the copy, in the original executable
    size_t size_bytes;
    const Object *source;
    uintptr_t source_address;
};

// Assigns private_index and image_offset; makes the memfd; fills it and the runs.
void build_template(Template &image_template, Objects &objects);

// Fills the fixups from the relocations of the private objects (relocate.cc), and `copies` from the
// executable's COPY relocations.
void collect_fixups(Template &image_template, const Overrides &overrides,
                    GrowingArray<CopiedVariable> &copies);

// The steps of build_template(), for programs that share objects with another (program.cc). Gives
// each private object its offset in an image.
void lay_out(Template &image_template, Objects &objects);
// Makes the memfd and maps it; t.size_bytes is known.
void make_template_memory(Template &image_template);
// Takes text and data of one object; read_mappings() has been called.
void add_object_to_template(Template &image_template, const Object &object);
// Makes the word at `slot` of `object` hold `value`, an address in the original of `target`.
void add_fixup(Template &image_template, Object &object, uintptr_t slot, uintptr_t value,
               const Object &target);
// Sorts the fixups, without duplicates.
void sort_fixups(Template &image_template);

inline uintptr_t load_word(const void *p) {
    uintptr_t word;
    __builtin_memcpy(&word, p, sizeof word); // slots of packed structures may be unaligned
    return word;
}

inline void store_word(void *p, uintptr_t word) {
    __builtin_memcpy(p, &word, sizeof word);
}

} // namespace thrum
