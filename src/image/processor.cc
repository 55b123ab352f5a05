#include "image/processor.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace thrum {
namespace {

constexpr size_t guard_bytes = 16;  // the guard begins in them
constexpr size_t cpuid_bytes = 64;  // and the first cpuid in these
constexpr size_t names_bytes = 256; // and the makers' names in these, before the next function

// "Genu" of GenuineIntel and "Auth" of AuthenticAMD, as cpuid gives them in EBX.
constexpr unsigned char intel[] = {'G', 'e', 'n', 'u'};
constexpr unsigned char amd[] = {'A', 'u', 't', 'h'};
constexpr unsigned char cpuid[] = {0x0f, 0xa2};

bool has(std::span<const unsigned char> code, std::span<const unsigned char> wanted) {
    return std::ranges::search(code, wanted).begin() != code.end();
}

// Returns whether the instruction reads a word of writable data of `object`: `mov disp(%rip), reg`
// or `cmpl $0, disp(%rip)`.
bool reads_own_word(const Object &object, const unsigned char *instruction) {
    bool is_mov = instruction[0] == 0x8b && (instruction[1] & 0xc7) == 0x05;
    bool is_compare = instruction[0] == 0x83 && instruction[1] == 0x3d && instruction[6] == 0;
    if (!is_mov && !is_compare)
        return false;
    int32_t distance = 0;
    std::memcpy(&distance, instruction + 2, sizeof distance);
    auto word = reinterpret_cast<uintptr_t>(instruction) + (is_mov ? 6 : 7) +
                static_cast<uintptr_t>(static_cast<intptr_t>(distance));
    const ElfW(Phdr) *segment = object.contains(word) ? find_segment(object, word) : nullptr;
    return segment && (segment->p_flags & PF_W);
}

} // namespace

bool asks_the_processor(const Object &object, const unsigned char *code, size_t bytes) {
    if (bytes < cpuid_bytes)
        return false;
    std::span<const unsigned char> all{code, std::min(bytes, names_bytes)};
    if (!has(all.first(cpuid_bytes), cpuid) || !has(all, intel) || !has(all, amd))
        return false;
    for (size_t i = 0; i < guard_bytes; ++i)
        if (reads_own_word(object, code + i))
            return true;
    return false;
}

void ask_the_processor(const Object &object) {
    for (uintptr_t entry : object.init_array) {
        const ElfW(Phdr) *segment = object.contains(entry) ? find_segment(object, entry) : nullptr;
        if (!segment || !(segment->p_flags & PF_X))
            continue;
        size_t bytes = object.bias + segment->p_vaddr + segment->p_memsz - entry;
        if (asks_the_processor(object, reinterpret_cast<const unsigned char *>(entry), bytes))
            reinterpret_cast<void (*)()>(entry)();
    }
}

} // namespace thrum
