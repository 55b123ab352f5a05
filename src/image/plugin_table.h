// Libraries that ranks have loaded with dlopen(), and the copy of each that a rank has. plugin/
// fills this table; the rest of this folder translates addresses by it.
//
// Invariants
// 1. The table changes under plugin_mutex() only. Addresses are looked up without it (by an
//    unwinder, a signal handler), so a Plugin that has been unloaded is taken off the table and
//    never freed.
// 2. The copies of a plug-in lie a stride apart, by number of the image. Number 0 is that of the
//    rank that runs the program's originals.
#pragma once
#include "image/blocks.h"
#include "image/programs.h"
#include "image/template.h"

#include <atomic>
#include <mutex>
#include <string>
#include <vector>

namespace thrum {

struct Plugin;
struct PluginBinding; // plugin/copy.h

// A rank's copy of a private plug-in; also the handle that dlopen() returns.
struct PluginCopy {
    link_map map{}; // first: programs take a handle for a link map
    Plugin *plugin = nullptr;
    const Image *image = nullptr;
    char *base = nullptr;
    int opened = 0;         // dlopen() calls less dlclose() calls
    bool is_global = false; // RTLD_GLOBAL
    bool is_kept = false;   // RTLD_NODELETE and the like: never unloaded
    bool is_constructed = false;
    uint64_t serial = 0;               // unique among all copies
    std::vector<PluginCopy *> needs;   // copies that its slots may lead into
    std::vector<const Object *> scope; // its local scope: itself and its libraries, or its opener's
};

// A direct dependency (DT_NEEDED). If a rank has a library of this name, that one is meant.
struct PluginNeed {
    std::string name;
    const ElfW(Dyn) *dynamic = nullptr; // otherwise this one; nullptr: not found
    std::string reason;                 // why it was not found
};

// The place of the variables of a library that is compiled with --privatize and opened by such a
// program (plugin/block.cc). All zero: the library does not use gs base.
struct PluginBlocks {
    PrivateArea area{}; // in the original
    char *memory = nullptr;
    size_t memory_bytes = 0;

    bool exist() const { return memory != nullptr; }
};

// A library loaded after the start, private or shared.
struct Plugin {
    Object object{};
    void *handle = nullptr; // that ld.so has given us
    std::vector<PluginNeed> needs;
    std::vector<Plugin *> holds; // libraries loaded before, which must stay for this one
    bool is_kept = false;        // linked with -z nodelete, or has unique symbols
    // The rest is for private ones only.
    Template image_template;
    char *memory = nullptr; // the reservation for all copies
    size_t memory_bytes = 0;
    char *low = nullptr;
    size_t stride_bytes = 0;
    int count = 0;
    // By number of the image; nullptr: that rank has none.
    std::atomic<PluginCopy *> *copies = nullptr;
    // By number of the image: a rank has closed its copy, and its threads may still have values of
    // it.
    std::vector<bool> was_open;
    int users = 0;         // copies that exist, and plug-ins that hold it
    size_t tls_offset = 0; // below the FS base; 0: dynamic, or no thread-local storage
    std::vector<PluginBinding *> bindings;
    PluginBlocks blocks;
};

inline constexpr int plugins_max = 8192;

// Guards the table and what plugin/ keeps. A std::mutex, as it is held while ld.so loads libraries.
std::mutex &plugin_mutex();
// Returns entry `i` of the table, or nullptr. plugin_slots() entries have been used.
Plugin *plugin_at(int i);
int plugin_slots();
// Adds a complete plug-in. Ends the process if the table is full.
void add_plugin(Plugin &plugin);
// Takes a plug-in off the table. Readers may still have it, so it must not be freed.
void remove_plugin(Plugin &plugin);

// Returns the index of an image in tables of copies: unique among the images that exist, 0 for the
// originals.
inline int number_of(const Image *image) {
    if (!image)
        return 0;
    return program_is_privatized() ? block_number(image->private_distance) : image->number;
}

// Returns the copy that `image` has, or nullptr.
inline PluginCopy *copy_of(const Image *image, const Plugin &plugin) {
    int number = number_of(image);
    return plugin.copies && number < plugin.count
               ? plugin.copies[number].load(std::memory_order_acquire)
               : nullptr; // [plugin-1]
}

// Returns the copy, of any rank, whose memory or block holds `address`; or nullptr. Takes no lock.
const PluginCopy *find_plugin_copy(uintptr_t address);

// Returns the plug-in of one of ld.so's link maps, or nullptr.
Plugin *plugin_of(const link_map *map);
// Returns the address of the block of image 1. The others follow, plugin_block_stride() bytes
// apart.
uintptr_t first_plugin_block(const Plugin &plugin);
size_t plugin_block_stride(const Plugin &plugin);
// Returns the number of the copy whose block holds `address`, or -1.
int find_plugin_block(const Plugin &plugin, uintptr_t address);
// Returns what to add to `address` of the original, besides the distance of the copy: the variables
// are in a block, if the library has blocks.
uintptr_t distance_in_block(const Image *image, const Plugin &plugin, uintptr_t address);

} // namespace thrum
