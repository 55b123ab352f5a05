// What the files of plug-ins share. Internal to image/.
//
//     open_plugin        plugin.cc         a rank's copies: made, constructed, removed
//       load_original    plugin_load.cc    ld.so loads; the template is taken
//       bind_plugin      plugin_bind.cc    slots, in the rank's own scope
//       plugin_tls.cc                      thread-local initial values
//     find_symbol        plugin_symbol.cc
//
// Invariants
// 1. Tables change under plugin_mutex() only. Addresses are looked up without it (an unwinder, a
//    signal handler): a Plugin that has been unloaded is taken off the table and never freed.
// 2. Nothing but resolvers of indirect functions runs in an original: its data is as ld.so left it.
// 3. The copies of a plug-in lie a stride apart, by number of the image; 0 is of the rank that runs
//    the originals of the start.
#pragma once
#include "image/clone.h"
#include "image/plugin.h"
#include "image/symbol.h"

#include <atomic>
#include <mutex>

namespace thrum {

struct Plugin;

// A rank's copy of a private plug-in; also the handle that dlopen() returns.
struct PluginCopy {
    link_map map{}; // first: programs take a handle for a link map
    Plugin *plugin = nullptr;
    const Image *image = nullptr;
    char *base = nullptr;
    int opened = 0;         // by dlopen(), less dlclose()
    bool is_global = false; // RTLD_GLOBAL
    bool is_kept = false;   // RTLD_NODELETE and the like
    bool is_constructed = false;
    uint64_t serial = 0;               // no two copies have the same
    std::vector<PluginCopy *> needs;   // what its slots may lead into
    std::vector<const Object *> scope; // local: it and its dependencies, or whose it was loaded as
};

// A slot that gets `value`, moved along with `target` if there is one.
struct PluginSlot {
    size_t offset;
    uintptr_t value;
    const Object *target;
};

// How the slots of a plug-in are bound in one scope; nearly always all ranks have the same.
struct PluginBinding {
    std::vector<const Object *> key;
    std::vector<PluginSlot> slots;
    std::vector<VariableFixup> variables;
    std::vector<const Plugin *> reached;
    bool has_unresolved = false;
};

// A library loaded after the start, private or shared.
struct Plugin {
    Object object{};
    void *handle = nullptr;               // ld.so's, ours
    std::vector<const ElfW(Dyn) *> needs; // direct dependencies, by their dynamic sections
    bool is_kept = false;                 // linked with -z nodelete, or has unique symbols
    // The rest for private ones.
    Template image_template;
    char *memory = nullptr; // the reservation for all copies
    size_t memory_bytes = 0;
    char *low = nullptr;
    size_t stride_bytes = 0;
    int count = 0;
    std::atomic<PluginCopy *> *copies = nullptr; // by number of the image
    std::vector<bool>
        was_open;          // by number: a rank has closed its copy; threads may have its values
    int users = 0;         // copies that exist
    size_t tls_offset = 0; // below the FS base; 0: dynamic, or no thread-local storage
    std::vector<PluginBinding *> bindings;
};

// The objects in which a copy's symbols are looked up, and all that the rank has loaded.
struct PluginScope {
    std::vector<const Object *> search;
    std::vector<const Object *> loaded;
};

inline constexpr int plugins_max = 8192;

std::mutex &plugin_mutex();
// Number `i` of the table, or nullptr; plugin_slots() numbers have been used.
Plugin *plugin_at(int i);
int plugin_slots();
void add_plugin(Plugin &plugin);
void remove_plugin(Plugin &plugin);

inline int number_of(const Image *image) {
    return image ? image->number : 0;
}

// The copy that `image` has, or nullptr.
inline PluginCopy *copy_of(const Image *image, const Plugin &plugin) {
    int number = number_of(image);
    return plugin.copies && number < plugin.count
               ? plugin.copies[number].load(std::memory_order_acquire)
               : nullptr; // [plugin-2]
}

// All copies of a rank, in order of loading.
std::vector<PluginCopy *> &copies_of(const Image *image);
// FS bases of the threads that a rank has made, under plugin_mutex().
std::vector<void *> &threads_of(const Image *image);
PluginCopy *find_copy_by_handle(const Image *image, const void *handle);
// The copy whose memory holds `address`, of any rank.
const PluginCopy *find_plugin_copy(uintptr_t address);

// The object of ld.so's `dynamic` section as `image` sees it; nullptr: not loaded for it.
const Object *object_of(const Image *image, const ElfW(Dyn) * dynamic);
// `object` and its dependencies, breadth first; nullptr in the list never occurs. A dependency that
// belongs to another program of the job goes to `foreign`.
std::vector<const Object *> closure_of(const Image *image, const Object &object,
                                       const Object **foreign = nullptr);
// The global scope of the rank: its program, and what it has opened with RTLD_GLOBAL.
std::vector<const Object *> global_scope(const Image *image);

// Loads `name` by ld.so, or finds it loaded; returns ld.so's handle with a reference, or nullptr.
// Enters all new libraries in the table.
void *load_original(const PluginCaller &caller, std::string name, std::string &error);
// The same if it is loaded.
void *find_original(const PluginCaller &caller, std::string name);
// The plug-in of a link map, or nullptr.
Plugin *plugin_of(const link_map *map);
// Nobody uses it any more.
void unload_original(Plugin &plugin);

// Finds or makes the binding of `plugin` in `scope`; nullptr: a symbol is not defined, `error`.
const PluginBinding *bind_plugin(Plugin &plugin, const PluginScope &scope, bool is_lazy,
                                 std::string &error);
void apply_binding(const PluginBinding &binding, const PluginCopy &copy);
// The definition of `name` in `scope`. Of a unique symbol all objects of the rank have one.
Definition look_up_in(const PluginScope &scope, const char *name, const char *version);

// What the thread-local variables of a fresh copy are in the threads of the rank.
void set_up_plugin_tls(const PluginCopy &copy, void *main_thread);
// Stands in for __tls_get_addr() in slots of plug-ins.
void *plugin_tls_address(size_t *index);

// gdb: the link map of a copy (debugger.cc).
void show_to_debugger(PluginCopy &copy);
void hide_from_debugger(PluginCopy &copy);
void make_debugger_look();

} // namespace thrum
