// Places and fills the variables of plug-ins compiled with --privatize, in a program that is, too.
// Their code accesses a variable at its own place plus gs base, which is the distance of the rank's
// block from the program's variables. So each rank gets a copy of the whole library, as of a plain
// one (it holds what the code accesses without gs base: slots of functions, constants). Besides, it
// gets the variables, at that distance from the copy:
//
//     copies   |text|slots|.....|text|slots|.....|                    a stride of the plug-in apart
//     blocks             |vars|..........|vars|..........       that plus the stride of all blocks
//
// Rank 0 has distance 0: its variables are those of its copy.
#include "image/privatized.h"
#include "plugin/copy.h"

#include <cstring>
#include <sys/mman.h>

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif

namespace thrum {
namespace {

// Reserves addresses exactly at `at`. Returns false if some are in use.
bool map_at(uintptr_t at, size_t size_bytes) {
    void *memory = ::mmap(reinterpret_cast<void *>(at), size_bytes, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    if (memory != MAP_FAILED && memory != reinterpret_cast<void *>(at)) { // before Linux 4.17
        ::munmap(memory, size_bytes);
        return false;
    }
    return memory != MAP_FAILED;
}

// Returns where an address of the original is in a copy.
uintptr_t offset_of(const Plugin &plugin, uintptr_t address) {
    return plugin.object.image_offset + (address - plugin.object.low);
}

// Maps copies at `low` and blocks where they then must be, or nothing.
bool map_both(Plugin &plugin, uintptr_t low) {
    constexpr uintptr_t address_min = 16 * page_bytes, address_end = uintptr_t{1} << 47;
    plugin.low = reinterpret_cast<char *>(low);
    uintptr_t blocks_low = page_floor(first_plugin_block(plugin));
    size_t blocks_bytes =
        plugin_block_stride(plugin) * static_cast<size_t>(plugin.count) + page_bytes;
    if (blocks_low < address_min || blocks_low >= address_end ||
        blocks_low + blocks_bytes >= address_end || low + plugin.memory_bytes >= address_end ||
        !map_at(low, plugin.memory_bytes))
        return false;
    if (!map_at(blocks_low, blocks_bytes)) {
        ::munmap(plugin.low, plugin.memory_bytes);
        return false;
    }
    plugin.memory = plugin.low;
    plugin.blocks.memory = reinterpret_cast<char *>(blocks_low);
    plugin.blocks.memory_bytes = blocks_bytes;
    // Huge pages would give each small block 2 MiB.
    ::madvise(plugin.blocks.memory, blocks_bytes, MADV_NOHUGEPAGE);
    return true;
}

// Returns the pages of a block. No other block shares them: between two blocks is room for the
// library's text.
void *pages_of_block(const PluginCopy &copy, size_t &size_bytes) {
    const PrivateArea &area = copy.plugin->blocks.area;
    uintptr_t low = reinterpret_cast<uintptr_t>(copy.base) + offset_of(*copy.plugin, area.low) +
                    copy.image->private_distance;
    size_bytes = page_ceil(low + (area.high - area.low)) - page_floor(low);
    return reinterpret_cast<void *>(page_floor(low));
}

} // namespace

bool map_copies_and_blocks(Plugin &plugin, std::string &error) {
    PluginBlocks &blocks = plugin.blocks;
    if (const char *reason = find_private_area(plugin.object, blocks.area)) {
        error = reason;
        return false;
    }
    ReservedBlocks reserved = reserved_blocks();
    size_t wanted = alignment_of(blocks.area);
    if ((reserved.first_distance | reserved.stride_bytes) & (wanted - 1)) {
        error = "has variables aligned to " + std::to_string(wanted) +
                " bytes, more than those of the program, which is compiled with --privatize: "
                "compile it without --privatize";
        return false;
    }
    plugin.memory_bytes = plugin.stride_bytes * static_cast<size_t>(plugin.count);
    // The distance between copies and blocks is given, so both places must be free: several are
    // tried.
    constexpr uintptr_t step = uintptr_t{1} << 36, address_end = uintptr_t{1} << 47;
    static_assert(step % (1 << 30) == 0); // any alignment of a segment
    for (uintptr_t low = step; low < address_end; low += step)
        if (map_both(plugin, low))
            return true;
    blocks = {};
    error = "cannot reserve addresses for the copies of all ranks and their variables (ulimit -v, "
            "vm.overcommit_memory): compile it without --privatize";
    return false;
}

void fill_plugin_block(const PluginCopy &copy) {
    const Plugin &plugin = *copy.plugin;
    uintptr_t distance = copy.image->private_distance;
    if (!plugin.blocks.exist() || distance == 0)
        return;
    const PrivateArea &area = plugin.blocks.area;
    auto in_copy = [&](uintptr_t address) {
        return copy.base + offset_of(plugin, address);
    };
    for (const ElfW(Phdr) & p : plugin.object.headers) {
        uintptr_t low = plugin.object.bias + p.p_vaddr, file_end = low + p.p_filesz;
        low = low > area.low ? low : area.low;
        if (p.p_type == PT_LOAD && (p.p_flags & PF_W) && low < file_end)
            std::memcpy(in_copy(low) + distance, in_copy(low), file_end - low);
    }
    store_word(in_copy(area.distance_word) + distance, distance);
}

void clear_plugin_block(const PluginCopy &copy) {
    if (!copy.plugin->blocks.exist() || copy.image->private_distance == 0)
        return;
    size_t size_bytes;
    void *pages = pages_of_block(copy, size_bytes);
    ::mmap(pages, size_bytes, PROT_READ | PROT_WRITE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    ::madvise(pages, size_bytes, MADV_NOHUGEPAGE);
}

// `blocks` keeps its values: a lookup of an address that runs meanwhile may still read them.
void forget_plugin_blocks(Plugin &plugin) {
    if (plugin.blocks.exist())
        ::munmap(plugin.blocks.memory, plugin.blocks.memory_bytes);
}

} // namespace thrum
