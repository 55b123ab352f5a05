// Counts copies by page, in a small table without locks, and asks the kernel for huge pages where
// it pays.
#include "fabric/shared_memory/huge_pages.h"

#include "base/bytes.h"
#include "base/fabric_settings.h"
#include "fabric/packet/packet.h"
#include "trace/variables.h"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <malloc.h>
#include <string_view>
#include <sys/mman.h>
#include <unistd.h>

#ifndef MADV_COLLAPSE
#define MADV_COLLAPSE 25
#endif

namespace thrum {
namespace {

std::atomic<uint64_t> made_huge{0};

PERFORMANCE_VARIABLE(
    huge_pages_made, .category = "messages",
    .description = "huge pages (2 MiB) of this process that contain memory of its large messages",
    .read = [](uint32_t) { return made_huge.load(std::memory_order_relaxed); });

// Returns whether this machine permits huge pages.
bool system_has_huge_pages() {
    char text[64] = "";
    if (std::FILE *file = std::fopen("/sys/kernel/mm/transparent_hugepage/enabled", "re")) {
        if (!std::fgets(text, sizeof text, file))
            *text = '\0';
        std::fclose(file);
    }
    return *text && !std::strstr(text, "[never]");
}

// Returns whether the user has configured how malloc uses the heap. Whether it asks for huge pages
// is another matter, and may be mpiexec's wish.
bool environment_tunes_malloc() {
    for (const char *name :
         {"MALLOC_MMAP_THRESHOLD_", "MALLOC_TRIM_THRESHOLD_", "MALLOC_MMAP_MAX_"})
        if (std::getenv(name))
            return true;
    constexpr std::string_view malloc_tunable = "glibc.malloc.", huge_pages = "hugetlb";
    const char *given = std::getenv("GLIBC_TUNABLES");
    std::string_view tunables = given ? given : "";
    for (size_t at; (at = tunables.find(malloc_tunable)) != tunables.npos;) {
        tunables.remove_prefix(at + malloc_tunable.size());
        if (!tunables.starts_with(huge_pages))
            return true;
    }
    return false;
}

// Makes the 2 MiB at `address` a huge page, if the kernel can.
void make_huge(uint64_t address) {
    const auto end_of_heap = reinterpret_cast<uint64_t>(::sbrk(0));
    if (address < end_of_heap && end_of_heap < address + HugePages::page_bytes) {
        // Makes the heap extend to the end of the page: malloc has less than that left.
        void *volatile further = std::malloc(HugePages::page_bytes);
        std::free(further);
    }
    if (::madvise(reinterpret_cast<void *>(address), HugePages::page_bytes, MADV_COLLAPSE) == 0)
        made_huge.fetch_add(1, std::memory_order_relaxed);
}

} // namespace

void HugePages::begin() {
    enabled_ = fabric_settings().huge_pages && system_has_huge_pages();
}

// malloc maps arrays above its threshold separately. With the largest threshold they come from the
// heap, where the next one begins with a huge page.
void HugePages::arrange_heap() {
    constexpr int largest_in_heap = 32 << 20; // malloc's own limit, like the next one
    if (!enabled_ || environment_tunes_malloc())
        return;
    ::mallopt(M_MMAP_THRESHOLD, largest_in_heap);
    ::mallopt(M_TRIM_THRESHOLD, 2 * largest_in_heap);
    // The next allocation begins with a huge page, behind what the heap has had until now: where
    // malloc asks for huge pages, the kernel treats that as another piece of memory, and makes no
    // huge page of two pieces. The memory before it is never touched.
    constexpr size_t head_bytes = 16; // malloc's header of the next piece
    const auto end = reinterpret_cast<uintptr_t>(::sbrk(0));
    static void *before = std::malloc(2 * page_bytes);
    const auto at = reinterpret_cast<uintptr_t>(before);
    const size_t bytes = align_up(std::max(at, end), page_bytes) - at;
    if (void *cut = before && bytes > head_bytes && bytes < 2 * page_bytes
                        ? std::realloc(before, bytes - head_bytes)
                        : nullptr)
        before = cut;
}

void HugePages::about_to_be_copied(uint64_t address, size_t bytes) {
    if (!enabled_)
        return;
    for (const uint64_t end = address + bytes; address < end;) {
        const uint64_t next = std::min(end, (address / page_bytes + 1) * page_bytes);
        count(address / page_bytes, next - address);
        address = next;
    }
}

// Acts after the first `patience_bytes`, and whenever the same amount has been copied again: the
// memory may have been freed meanwhile and be other memory.
void HugePages::count(uint64_t page, size_t bytes) {
    std::atomic<uint64_t> &place = counts_[page % counts_.size()];
    uint64_t before = place.load(std::memory_order_relaxed);
    if (before >> 32 != static_cast<uint32_t>(page))
        before = 0;
    const uint64_t kib = static_cast<uint32_t>(before);
    const uint64_t now = std::min<uint64_t>(kib + (bytes + 1023) / 1024, UINT32_MAX);
    place.store((page << 32) | now, std::memory_order_relaxed);
    constexpr uint64_t patience = patience_bytes / 1024;
    if (std::bit_width(now / patience) > std::bit_width(kib / patience))
        make_huge(page * page_bytes);
}

} // namespace thrum
