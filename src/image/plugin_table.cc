// A table of pointers that is read without a lock. Entries are reused; the count of used ones only
// grows.
#include "image/plugin_table.h"

#include "base/check.h"

namespace thrum {
namespace {

constinit std::atomic<Plugin *> table[plugins_max];
constinit std::atomic<int> slots_used{0};

size_t block_bytes_of(const Plugin &plugin) {
    return plugin.blocks.area.high - plugin.blocks.area.low;
}

} // namespace

std::mutex &plugin_mutex() {
    static constinit std::mutex mutex;
    return mutex;
}

Plugin *plugin_at(int i) {
    return table[i].load(std::memory_order_acquire); // [plugin-3]
}

int plugin_slots() {
    return slots_used.load(std::memory_order_acquire); // [plugin-3]
}

void add_plugin(Plugin &plugin) {
    for (int i = 0; i < plugins_max; ++i)
        if (!table[i].load(std::memory_order_relaxed)) {
            // release [plugin-3]: the plug-in is complete.
            table[i].store(&plugin, std::memory_order_release);
            if (i >= slots_used.load(std::memory_order_relaxed))
                slots_used.store(i + 1, std::memory_order_release); // [plugin-3]
            return;
        }
    die(2, "more than %d libraries are open by dlopen", plugins_max);
}

void remove_plugin(Plugin &plugin) {
    for (int i = 0; i < plugin_slots(); ++i)
        if (plugin_at(i) == &plugin)
            table[i].store(nullptr, std::memory_order_release); // [plugin-3]
}

const PluginCopy *find_plugin_copy(uintptr_t address) {
    for (int i = 0, n = plugin_slots(); i < n; ++i) {
        const Plugin *plugin = plugin_at(i);
        if (!plugin || !plugin->low)
            continue;
        if (int number = find_plugin_block(*plugin, address); number >= 0)
            return plugin->copies[number].load(std::memory_order_acquire); // [plugin-1]
        size_t offset = address - reinterpret_cast<uintptr_t>(plugin->low);
        if (offset < plugin->stride_bytes * static_cast<size_t>(plugin->count))
            return plugin->copies[offset / plugin->stride_bytes].load(
                std::memory_order_acquire); // [plugin-1]
    }
    return nullptr;
}

Plugin *plugin_of(const link_map *map) {
    for (int i = 0, n = plugin_slots(); i < n; ++i)
        if (Plugin *plugin = plugin_at(i); plugin && plugin->object.dynamic == map->l_ld)
            return plugin;
    return nullptr;
}

// A block is as far from its image's copy as the program's own blocks are from their originals,
// since code finds both by gs base. So the stride of the blocks is the sum of both strides.
uintptr_t first_plugin_block(const Plugin &plugin) {
    return reinterpret_cast<uintptr_t>(plugin.low) + plugin.stride_bytes +
           plugin.object.image_offset + (plugin.blocks.area.low - plugin.object.low) +
           reserved_blocks().first_distance;
}

size_t plugin_block_stride(const Plugin &plugin) {
    return plugin.stride_bytes + reserved_blocks().stride_bytes;
}

int find_plugin_block(const Plugin &plugin, uintptr_t address) {
    if (!plugin.blocks.exist())
        return -1;
    uintptr_t offset = address - first_plugin_block(plugin);
    size_t stride = plugin_block_stride(plugin);
    if (offset >= stride * static_cast<size_t>(plugin.count - 1) ||
        offset % stride >= block_bytes_of(plugin))
        return -1;
    return static_cast<int>(offset / stride) + 1;
}

uintptr_t distance_in_block(const Image *image, const Plugin &plugin, uintptr_t address) {
    const PrivateArea &area = plugin.blocks.area;
    bool is_variable =
        plugin.blocks.exist() && address >= area.pointer_low && address <= area.pointer_high;
    return image && is_variable ? image->private_distance : 0;
}

} // namespace thrum
