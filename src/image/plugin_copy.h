// What the files of plug-ins share. Internal to image/.
//
//     open_plugin        plugin.cc         a rank's copies: made, constructed, removed
//       resolve_name     plugin_search.cc  which file a name means for a rank
//       load_original    plugin_load.cc    ld.so loads; the template is taken
//       closure_of       plugin_needs.cc   dependencies, as the rank sees them
//       bind_plugin      plugin_bind.cc    slots, in the rank's own scope
//       fill_block       plugin_block.cc   variables of those compiled with --privatize
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
#include "image/blocks.h"
#include "image/plugin_caller.h"
#include "image/programs.h"
#include "image/symbol.h"

#include <atomic>
#include <mutex>
#include <string>
#include <vector>

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

// A direct dependency: a rank that has a library of this name means that one.
struct PluginNeed {
    std::string name;
    const ElfW(Dyn) *dynamic = nullptr; // what it is otherwise; nullptr: not found
    std::string reason;                 // why not
};

// Where the variables of a library are that is compiled with --privatize and opened by a program
// that is, too (plugin_block.cc). All zero: it goes by no gs base.
struct PluginBlocks {
    PrivateArea area{}; // in the original
    char *memory = nullptr;
    size_t memory_bytes = 0;

    bool exist() const { return memory != nullptr; }
};

// A library loaded after the start, private or shared.
struct Plugin {
    Object object{};
    void *handle = nullptr; // ld.so's, ours
    std::vector<PluginNeed> needs;
    std::vector<Plugin *> holds; // that ld.so has loaded before, and that stay for this one
    bool is_kept = false;        // linked with -z nodelete, or has unique symbols
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
    int users = 0;         // copies that exist, and plug-ins that hold it
    size_t tls_offset = 0; // below the FS base; 0: dynamic, or no thread-local storage
    std::vector<PluginBinding *> bindings;
    PluginBlocks blocks;
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

// By which tables of copies are ordered: unique among the images that exist, 0 for the originals.
inline int number_of(const Image *image) {
    if (!image)
        return 0;
    return program_is_privatized() ? block_number(image->private_distance) : image->number;
}

// The copy that `image` has, or nullptr.
inline PluginCopy *copy_of(const Image *image, const Plugin &plugin) {
    int number = number_of(image);
    return plugin.copies && number < plugin.count
               ? plugin.copies[number].load(std::memory_order_acquire)
               : nullptr; // [plugin-1]
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
// `object` and its dependencies, breadth first; nullptr in the list never occurs. The reason why
// one is not there for this rank goes to `error`.
std::vector<const Object *> closure_of(const Image *image, const Object &object,
                                       std::string *error = nullptr);
// The copies of the direct dependencies, as far as they are plug-ins and there.
std::vector<PluginCopy *> needed_copies(const PluginCopy &copy);
// What `plugin`, just loaded by `caller`, needs; `loaded_with`: what ld.so has loaded at the same
// time. May load more.
void find_needs(const PluginCaller &caller, Plugin &plugin,
                const std::vector<Plugin *> &loaded_with);
// The global scope of the rank: its program, and what it has opened with RTLD_GLOBAL.
std::vector<const Object *> global_scope(const Image *image);

// What dlopen() would search for its caller: DT_RUNPATH, or else DT_RPATH and the executable's.
struct SearchPath {
    std::string folders;
    bool is_inherited = false; // DT_RPATH, which comes before LD_LIBRARY_PATH
};

SearchPath search_path(const PluginCaller &caller);
// The same of the dependencies of a loaded object, without what it inherits.
SearchPath search_path(const Object &object);
// The first file `name` there and in LD_LIBRARY_PATH; empty: none.
std::string search_file(const SearchPath &path, const std::string &name);
// ld.so searches /etc/ld.so.cache for everybody.
bool is_in_loader_cache(const char *path);
// ld.so's handle, with a reference, of what it has loaded by this name; or nullptr.
void *find_loaded(const std::string &name);
// ld.so finds a name without a slash among all that is loaded, also by other ranks. What this rank
// means by it: a library that it has; or a file where it may search; or one that everybody finds.
// False: none.
bool resolve_name(const PluginCaller &caller, std::string &name);

// Loads `name` by ld.so, or finds it loaded; returns ld.so's handle with a reference, or nullptr.
// Enters all new libraries in the table.
void *load_original(const PluginCaller &caller, std::string name, std::string &error);
// The same if it is loaded.
void *find_original(const PluginCaller &caller, std::string name);
// The plug-in of a link map, or nullptr.
Plugin *plugin_of(const link_map *map);
// Nobody uses it any more.
void unload_original(Plugin &plugin);

// Nobody uses the plug-in any more, or one user less does.
void release_plugin(Plugin &plugin);

// Finds or makes the binding of `plugin` in `scope`; nullptr: a symbol is not defined, `error`.
const PluginBinding *bind_plugin(Plugin &plugin, const PluginScope &scope, bool is_lazy,
                                 std::string &error);
void apply_binding(const PluginBinding &binding, const PluginCopy &copy);
// The definition of `name` in `scope`. Of a unique symbol all objects of the rank have one.
Definition look_up_in(const PluginScope &scope, const char *name, const char *version);

// For a library compiled with --privatize in a program that is: addresses for its copies, and for
// their blocks. False and a reason: it cannot have any.
bool map_copies_and_blocks(Plugin &plugin, std::string &error);
// The variables of a copy that is bound, and away with them.
void fill_plugin_block(const PluginCopy &copy);
void clear_plugin_block(const PluginCopy &copy);
// The number of the copy whose block holds `address`, or -1.
int find_plugin_block(const Plugin &plugin, uintptr_t address);
// What to add to `address` of the original, besides the distance of the copy.
uintptr_t distance_in_block(const Image *image, const Plugin &plugin, uintptr_t address);
void forget_plugin_blocks(Plugin &plugin);

// What the thread-local variables of a fresh copy are in the threads of the rank.
void set_up_plugin_tls(const PluginCopy &copy, void *main_thread);
// Stands in for __tls_get_addr() in slots of plug-ins.
void *plugin_tls_address(size_t *index);

// gdb: the link map of a copy (debugger.cc).
void show_to_debugger(PluginCopy &copy);
void hide_from_debugger(PluginCopy &copy);
void make_debugger_look();

} // namespace thrum
