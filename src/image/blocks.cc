// Places the ranks' blocks in the address space and fills them (blocks.h).
//
// With one group of neighbouring areas any addresses serve. If executable and libraries are far
// apart, the same distance must be free for all of them at once, which is found by trying.
#include "image/blocks.h"

#include "image/refuse.h"
#include "image/template.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif

namespace thrum {
namespace {

constexpr size_t alignment_min = 64; // neighbouring ranks must not share a cache line
// From this stride a block fills huge pages of its own.
constexpr size_t huge_bytes_min = 4 << 20;

constinit const BlockTemplate *block_template = nullptr;
constinit const GrowingArray<PrivateArea> *areas = nullptr;

// The reservation, and how much of it is used. Calls that change it come one at a time (image.h).
struct Blocks {
    uintptr_t first_distance = 0;
    size_t stride_bytes = 0;
    int count = 0;
    int made = 0;
};

constinit Blocks blocks;
constinit GrowingArray<uintptr_t> free_blocks; // distances

// Both arguments in bytes; `alignment` is a power of two.
size_t align_up(size_t value, size_t alignment) {
    return (value + alignment - 1) & ~(alignment - 1);
}

// Returns whether the copies of two areas overlap at this stride.
bool copies_meet(const PrivateArea &a, const PrivateArea &b, size_t stride) {
    if (b.low < a.low)
        return copies_meet(b, a, stride);
    size_t from_a = (b.low - a.low) % stride; // where b begins in a's period
    return from_a < a.high - a.low || stride - from_a < b.high - b.low;
}

// Addresses that the copies of a group of neighbouring areas take, at distance 0.
struct Span {
    uintptr_t low, high;
};

// Returns the addresses that all copies take, at distance 0: whole pages, sorted, neighbours
// joined.
GrowingArray<Span> spans_of_copies() {
    GrowingArray<Span> spans;
    uintptr_t length = blocks.stride_bytes * static_cast<size_t>(blocks.count);
    for (const PrivateArea &area : *areas)
        spans.push_back({page_floor(area.low), page_ceil(area.high + length)});
    std::sort(spans.begin(), spans.end(),
              [](const Span &a, const Span &b) { return a.low < b.low; });
    size_t last = 0;
    for (size_t i = 1; i < spans.size(); ++i) {
        if (spans[i].low <= spans[last].high)
            spans[last].high = std::max(spans[last].high, spans[i].high);
        else
            spans[++last] = spans[i];
    }
    spans.shrink_to(last + 1);
    return spans;
}

// Maps anonymous memory that costs nothing until it is written. `at`: 0, or where it must be.
void *map_blocks(uintptr_t at, size_t size_bytes, int flags) {
    void *memory = ::mmap(reinterpret_cast<void *>(at), size_bytes, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | flags, -1, 0);
    // Huge pages would give each small block of a rank that runs 2 MiB.
    if (memory != MAP_FAILED && blocks.stride_bytes < huge_bytes_min)
        ::madvise(memory, size_bytes, MADV_NOHUGEPAGE);
    return memory;
}

// Maps the copies of all spans at `distance`, or nothing if one of the ranges is in use.
bool map_spans(const GrowingArray<Span> &spans, uintptr_t distance) {
    for (size_t i = 0; i < spans.size(); ++i) {
        uintptr_t at = spans[i].low + distance;
        if (map_blocks(at, spans[i].high - spans[i].low, MAP_FIXED_NOREPLACE) ==
            reinterpret_cast<void *>(at))
            continue;
        while (i-- > 0)
            ::munmap(reinterpret_cast<void *>(spans[i].low + distance),
                     spans[i].high - spans[i].low);
        return false;
    }
    return true;
}

// Returns whether the spans, moved by `distance`, stay in the user's half of the address space, and
// above its first pages.
bool fits(const GrowingArray<Span> &spans, intptr_t distance) {
    constexpr intptr_t address_max = intptr_t{1} << 47;
    auto low = static_cast<intptr_t>(spans[0].low) + distance;
    auto high = static_cast<intptr_t>(spans[spans.size() - 1].high) + distance;
    return low >= static_cast<intptr_t>(page_bytes) * 16 && high < address_max;
}

// Finds and maps the addresses of all blocks. Returns false if no distance is free.
bool place_blocks(size_t alignment) {
    GrowingArray<Span> spans = spans_of_copies();
    size_t step = std::max<size_t>(alignment, page_bytes);
    if (spans.size() == 1) {
        size_t size_bytes = spans[0].high - spans[0].low;
        void *memory = map_blocks(0, size_bytes + step, 0);
        if (memory == MAP_FAILED)
            return false;
        uintptr_t distance = reinterpret_cast<uintptr_t>(memory) - spans[0].low;
        blocks.first_distance = align_up(distance, step);
        return true;
    }
    // The executable and its libraries are far from each other, so the same shift must suit both.
    // Without FSGSBASE the kernel sets gs base by arch_prctl(), which accepts only a value that
    // could be an address: positive distances are tried first.
    constexpr intptr_t step_up = intptr_t{1} << 36, step_down = -(intptr_t{1} << 40);
    constexpr int tries = 100;
    for (intptr_t unit : {step_up, step_down})
        for (int i = 1; i <= tries; ++i) {
            intptr_t distance = i * unit;
            if (!fits(spans, distance) || !map_spans(spans, static_cast<uintptr_t>(distance)))
                continue;
            blocks.first_distance = static_cast<uintptr_t>(distance);
            return true;
        }
    return false;
}

} // namespace

size_t choose_stride(const GrowingArray<PrivateArea> &areas, size_t alignment) {
    size_t total = 0;
    for (const PrivateArea &area : areas)
        total += align_up(area.high - area.low, alignment);
    for (size_t stride = std::max(total, alignment); stride <= 64 * total; stride += alignment) {
        bool meet = false;
        for (size_t i = 0; i < areas.size() && !meet; ++i)
            for (size_t j = i + 1; j < areas.size() && !meet; ++j)
                meet = copies_meet(areas[i], areas[j], stride);
        if (!meet)
            return stride;
    }
    return 0;
}

void set_block_template(const BlockTemplate &t, const GrowingArray<PrivateArea> &a) {
    block_template = &t;
    areas = &a;
}

size_t block_bytes() {
    size_t bytes = 0;
    for (const BlockTemplate::Run &run : block_template->runs)
        bytes += run.size_bytes;
    return bytes;
}

void reserve_blocks(int count, int spare_count) {
    size_t alignment = alignment_min;
    for (const PrivateArea &area : *areas)
        alignment = std::max(alignment, alignment_of(area));
    blocks.count = count + spare_count;
    blocks.stride_bytes = choose_stride(*areas, alignment);
    if (!blocks.stride_bytes || !place_blocks(alignment))
        die(refusal_exit_code,
            "cannot reserve %zu KiB of private variables for each of %d ranks: %s. Check ulimit -v "
            "and vm.overcommit_memory, or use fewer ranks",
            blocks.stride_bytes >> 10, count + 1, std::strerror(errno));
}

// Reads the alignment from the section headers of the file. The segment's is a page or more, which
// would waste memory in each block; it counts only if there are no section headers.
size_t alignment_of(const PrivateArea &area) {
    const Object &object = *area.object;
    int fd = ::open(object.is_executable ? "/proc/self/exe" : object.path, O_RDONLY | O_CLOEXEC);
    ElfW(Ehdr) header{};
    size_t alignment = 0;
    if (fd >= 0 && ::pread(fd, &header, sizeof header, 0) == sizeof header)
        for (int i = 0; i < header.e_shnum; ++i) {
            ElfW(Shdr) s;
            if (::pread(fd, &s, sizeof s,
                        static_cast<off_t>(header.e_shoff + static_cast<size_t>(i) * sizeof s)) !=
                sizeof s)
                break;
            uintptr_t address = object.bias + s.sh_addr;
            if ((s.sh_flags & SHF_ALLOC) && address >= area.low && address < area.high)
                alignment = std::max<size_t>(alignment, s.sh_addralign);
        }
    if (fd >= 0)
        ::close(fd);
    return std::max(alignment ? alignment : object.alignment, alignment_min);
}

ReservedBlocks reserved_blocks() {
    return {blocks.first_distance, blocks.stride_bytes, blocks.count};
}

int block_number(uintptr_t distance) {
    return distance ? static_cast<int>((distance - blocks.first_distance) / blocks.stride_bytes) + 1
                    : 0;
}

namespace {

// Returns the distance of a block that is not in use.
uintptr_t take_block() {
    if (size_t count = free_blocks.size()) {
        uintptr_t distance = free_blocks[count - 1];
        free_blocks.shrink_to(count - 1);
        return distance;
    }
    CHECK(blocks.made < blocks.count, "more than %d blocks", blocks.count);
    return blocks.first_distance + static_cast<size_t>(blocks.made++) * blocks.stride_bytes;
}

} // namespace

int blocks_left() {
    return blocks.count - blocks.made + static_cast<int>(free_blocks.size());
}

// Cleared and not unmapped: neighbouring blocks share pages with it, and make_block() expects
// zeros.
void free_block(uintptr_t distance) {
    for (const PrivateArea &area : *areas)
        std::memset(reinterpret_cast<void *>(area.low + distance), 0, area.high - area.low);
    free_blocks.push_back(distance);
}

uintptr_t make_block(void *variables) {
    uintptr_t distance = take_block();
    auto at = [distance](uintptr_t address) {
        return reinterpret_cast<char *>(address + distance);
    };
    const BlockTemplate &t = *block_template;
    // The runs come first, because the fixups change words in them. All other bytes are zero
    // already.
    for (const BlockTemplate::Run &run : t.runs)
        std::memcpy(at(run.low), run.bytes, run.size_bytes);
    for (uintptr_t word : t.fixups)
        store_word(at(word), load_word(at(word)) + distance);
    for (const BlockTemplate::VariableFixup &v : t.variable_fixups)
        store_word(at(v.word), reinterpret_cast<uintptr_t>(variables) + v.variable_offset +
                                   static_cast<uintptr_t>(v.addend));
    for (uintptr_t word : t.distance_words)
        store_word(at(word), distance);
    return distance;
}

} // namespace thrum
