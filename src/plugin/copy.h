// The steps of open_plugin(), which the files of this folder do:
//
//     open_plugin       plugin.cc   makes, constructs and removes a rank's copies
//       resolve_name    search.cc   decides which file a name means for a rank
//       load_original   load.cc     lets ld.so load the original and takes the template
//       closure_of      needs.cc    finds the dependencies, as the rank sees them
//       bind_plugin     bind.cc     binds slots in the rank's own scope
//       fill_block      block.cc    fills the variables of those compiled with --privatize
//       set_up_plugin_tls  tls.cc   sets thread-local initial values
//     find_symbol       symbol.cc
//
// Invariant: nothing but resolvers of indirect functions runs in an original; its data is as ld.so
// left it.
#pragma once
#include "image/plugin_table.h"
#include "image/symbol.h"
#include "plugin/caller.h"

#include <string>
#include <vector>

namespace thrum {

// A slot of a plug-in and its value: an address in `target` moves with the rank's copy of it;
// without a target it is the same for all ranks.
struct PluginSlot {
    size_t offset; // in a copy
    uintptr_t value;
    const Object *target;
};

// How the slots of a plug-in are bound in one scope. Nearly always all ranks have the same scope,
// so one binding serves them all.
struct PluginBinding {
    std::vector<const Object *> key; // the scope: objects of `search`, nullptr, those of `loaded`
    std::vector<PluginSlot> slots;
    std::vector<VariableFixup> variables;
    std::vector<const Plugin *> reached; // other plug-ins that a slot points into
    bool has_unresolved = false;         // a function is missing, which RTLD_LAZY permits
};

// The objects in which a copy's symbols are looked up, and all that the rank has loaded.
struct PluginScope {
    std::vector<const Object *> search;
    std::vector<const Object *> loaded;
};

// Returns all copies of a rank, in the order of loading.
std::vector<PluginCopy *> &copies_of(const Image *image);
// Returns the FS bases of the threads that a rank has made. Under plugin_mutex().
std::vector<void *> &threads_of(const Image *image);
// Returns the rank's copy with this handle, or nullptr.
PluginCopy *find_copy_by_handle(const Image *image, const void *handle);
// Returns the object with ld.so's `dynamic` section as `image` sees it; nullptr: not loaded for it.
const Object *object_of(const Image *image, const ElfW(Dyn) * dynamic);
// Returns `object` and its dependencies, breadth first, without nullptr. If one is missing for this
// rank, `error` gets the reason.
std::vector<const Object *> closure_of(const Image *image, const Object &object,
                                       std::string *error = nullptr);
// Returns the copies of the direct dependencies that are plug-ins and that the rank has.
std::vector<PluginCopy *> needed_copies(const PluginCopy &copy);
// Finds what `plugin`, just loaded by `caller`, needs. `loaded_with` is what ld.so has loaded at
// the same time. May load more.
void find_needs(const PluginCaller &caller, Plugin &plugin,
                const std::vector<Plugin *> &loaded_with);
// Returns the global scope of the rank: its program, and what it has opened with RTLD_GLOBAL.
std::vector<const Object *> global_scope(const Image *image);

// The folders that dlopen() would search for its caller: DT_RUNPATH, or else DT_RPATH and the
// executable's.
struct SearchPath {
    std::string folders;
    bool is_inherited = false; // DT_RPATH, which comes before LD_LIBRARY_PATH
};

// Returns the folders for a call of dlopen().
SearchPath search_path(const PluginCaller &caller);
// Returns the same for the dependencies of a loaded object, without what it inherits.
SearchPath search_path(const Object &object);
// Returns the first file `name` there and in LD_LIBRARY_PATH; empty: none.
std::string search_file(const SearchPath &path, const std::string &name);
// Returns whether /etc/ld.so.cache lists the path, which ld.so searches for every process.
bool is_in_loader_cache(const char *path);
// Returns ld.so's handle, with a reference, of what it has loaded by this name; or nullptr.
void *find_loaded(const std::string &name);
// Replaces a name without a slash by the file that this rank means. ld.so would find any library of
// that name that is loaded, also by other ranks. The rank means a library that it has, a file where
// it may search, or one that every process finds. Returns false if there is none.
bool resolve_name(const PluginCaller &caller, std::string &name);

// Loads `name` by ld.so, or finds it loaded. Returns ld.so's handle with a reference, or nullptr
// and the reason in `error`. Enters all new libraries in the table. Under plugin_mutex().
void *load_original(const PluginCaller &caller, std::string name, std::string &error);
// Returns the same if it is loaded, else nullptr.
void *find_original(const PluginCaller &caller, std::string name);
// Frees a plug-in that has no users, and lets ld.so unload its original.
void unload_original(Plugin &plugin);

// Takes one user off; without users the plug-in is unloaded.
void release_plugin(Plugin &plugin);

// Returns the binding of `plugin` in `scope`, which the plug-in owns; makes it if there is none.
// Returns nullptr, and the reason in `error`, if a symbol is not defined. `is_lazy`: functions may
// be missing.
const PluginBinding *bind_plugin(Plugin &plugin, const PluginScope &scope, bool is_lazy,
                                 std::string &error);
// Writes the slots of a copy.
void apply_binding(const PluginBinding &binding, const PluginCopy &copy);
// Returns the definition of `name` in `scope`. A unique symbol (STB_GNU_UNIQUE) has one definition
// for all objects of the rank.
Definition look_up_in(const PluginScope &scope, const char *name, const char *version);

// Reserves addresses for the copies of a library compiled with --privatize, and for their blocks,
// in a program that is compiled so, too. Returns false and the reason if that is impossible.
bool map_copies_and_blocks(Plugin &plugin, std::string &error);
// Fills in the variables of a copy that is bound; clear_plugin_block() discards them.
// forget_plugin_blocks() frees the memory of all blocks.
void fill_plugin_block(const PluginCopy &copy);
void clear_plugin_block(const PluginCopy &copy);
void forget_plugin_blocks(Plugin &plugin);

// Sets the initial values of the thread-local variables of a fresh copy in the threads of the rank.
void set_up_plugin_tls(const PluginCopy &copy, void *main_thread);
// Replaces __tls_get_addr() in slots of plug-ins.
void *plugin_tls_address(size_t *index);

} // namespace thrum
