// The notes by which ELF files say that they were compiled with --privatize (compiler/README.md).
// The library reads them, and the link step of mpicc --privatize. An object file has an object
// note; the link step adds a module note, whose state says that the module is whole.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <elf.h>

namespace thrum::privatized {

inline constexpr uint32_t contract_version = 1;
inline constexpr char note_name[] = "Thrum";
inline constexpr uint32_t object_note = 1, module_note = 2;

// The description of a module's note. `to_distance` is the distance in bytes from the field itself
// to the word that holds the rank's distance.
struct ModuleNote {
    uint32_t version;
    uint32_t state; // 0: unchecked; 1: whole
    int32_t to_distance;
};

// Calls visit(type, description, its bytes) for each of our notes in [notes, notes + size_bytes).
// Notes are padded to 4 bytes. Stops at a note that does not fit.
template <class Visit>
void for_each_note(char *notes, size_t size_bytes, Visit visit) {
    constexpr auto align = [](size_t n) {
        return (n + 3) & ~size_t{3};
    };
    for (size_t at = 0; at + sizeof(Elf64_Nhdr) <= size_bytes;) {
        auto *header = reinterpret_cast<const Elf64_Nhdr *>(notes + at);
        char *name = notes + at + sizeof *header;
        char *description = name + align(header->n_namesz);
        at += sizeof *header + align(header->n_namesz) + align(header->n_descsz);
        if (at > size_bytes)
            return;
        if (header->n_namesz == sizeof note_name &&
            !std::memcmp(name, note_name, sizeof note_name) && header->n_descsz >= sizeof(uint32_t))
            visit(header->n_type, description, size_t{header->n_descsz});
    }
}

} // namespace thrum::privatized
