// Thread-local storage of plug-ins. ld.so gives each thread a block with the initial values of the
// original. These are wrong where they hold addresses, and where a thread has the block of a copy
// that was closed before. So the thread that opens a plug-in, and each that starts later, copies
// the values from the copy. A thread that existed before does so when it first asks for the
// address.
//
// A plug-in's storage is static (a fixed offset from the thread pointer, tls_offset) or dynamic (a
// block that __tls_get_addr() allocates). Static storage can be filled for all threads at once.
#include "plugin/copy.h"

#include <cstdlib>
#include <cstring>

extern "C" void *__tls_get_addr(size_t *);

namespace thrum {
namespace {

constexpr size_t modules_max = 4096;
constinit std::atomic<Plugin *> plugin_of_module[modules_max]; // those with dynamic storage

// The copies whose initial values this thread has.
struct Marks {
    uint64_t *serials = nullptr; // by module
    size_t count = 0;
};

constinit thread_local Marks marks;

// Records that this thread has the values of the copy with this serial.
void mark(size_t module, uint64_t serial) {
    if (module >= marks.count) {
        size_t count = module + 8;
        auto *serials = static_cast<uint64_t *>(std::calloc(count, sizeof *marks.serials));
        CHECK(serials, "out of memory for thread-local storage");
        for (size_t i = 0; i < marks.count; ++i)
            serials[i] = marks.serials[i];
        std::free(marks.serials);
        marks = {serials, count};
    }
    marks.serials[module] = serial;
}

// Copies the initial values into a block.
void fill(const PluginCopy &copy, void *block) {
    const Object &object = copy.plugin->object;
    auto *bytes = static_cast<char *>(block);
    std::memcpy(bytes, copy.base + object.image_offset + (object.tls_image - object.low),
                object.tls_file_bytes);
    std::memset(bytes + object.tls_file_bytes, 0, object.tls_bytes - object.tls_file_bytes);
}

// Fills the calling thread's block, which ld.so allocates if need be.
void fill_dynamic(const PluginCopy &copy) {
    size_t index[2] = {copy.plugin->object.tls_module, 0};
    void *block = __tls_get_addr(index);
    mark(index[0], copy.serial);
    fill(copy, block);
}

} // namespace

// Dynamic storage of other threads is filled when they ask for it (plugin_tls_address()).
void set_up_plugin_tls(const PluginCopy &copy, void *main_thread) {
    Plugin &plugin = *copy.plugin;
    if (plugin.object.tls_bytes == 0)
        return;
    if (plugin.tls_offset == 0) {
        CHECK(plugin.object.tls_module < modules_max,
              "too many libraries with thread-local variables");
        // release [plugin-2]: the plug-in is complete.
        plugin_of_module[plugin.object.tls_module].store(&plugin, std::memory_order_release);
        fill_dynamic(copy);
        return;
    }
    fill(copy, static_cast<char *>(main_thread) - plugin.tls_offset);
    for (void *thread : threads_of(copy.image))
        fill(copy, static_cast<char *>(thread) - plugin.tls_offset);
}

void *plugin_tls_address(size_t *index) {
    void *address = __tls_get_addr(index);
    size_t module = index[0];
    // acquire [plugin-2]
    Plugin *plugin =
        module < modules_max ? plugin_of_module[module].load(std::memory_order_acquire) : nullptr;
    if (!plugin)
        return address;
    const PluginCopy *copy = copy_of(current_image(), *plugin);
    if (copy && (module >= marks.count || marks.serials[module] != copy->serial))
        fill_dynamic(*copy);
    return address;
}

// Under the lock: a plug-in that is opened meanwhile either finds the thread in the list or is
// found by it.
void enter_plugin_thread(const Image *image) {
    std::lock_guard guard(plugin_mutex());
    threads_of(image).push_back(__builtin_thread_pointer());
    for (const PluginCopy *copy : copies_of(image)) {
        const Plugin &plugin = *copy->plugin;
        if (plugin.object.tls_bytes == 0 || !plugin.object.tls_has_fixups)
            continue;
        if (plugin.tls_offset)
            fill(*copy, static_cast<char *>(__builtin_thread_pointer()) - plugin.tls_offset);
        else
            fill_dynamic(*copy);
    }
}

void leave_plugin_thread(const Image *image) {
    std::lock_guard guard(plugin_mutex());
    std::erase(threads_of(image), __builtin_thread_pointer());
    std::free(marks.serials);
    marks = {};
}

} // namespace thrum
