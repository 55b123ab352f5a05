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

// The objects in which a copy's symbols are looked up, and all that the rank has loaded.
struct PluginScope {
    std::vector<const Object *> search;
    std::vector<const Object *> loaded;
};

// All copies of a rank, in order of loading.
std::vector<PluginCopy *> &copies_of(const Image *image);
// FS bases of the threads that a rank has made, under plugin_mutex().
std::vector<void *> &threads_of(const Image *image);
PluginCopy *find_copy_by_handle(const Image *image, const void *handle);
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
void forget_plugin_blocks(Plugin &plugin);

// What the thread-local variables of a fresh copy are in the threads of the rank.
void set_up_plugin_tls(const PluginCopy &copy, void *main_thread);
// Stands in for __tls_get_addr() in slots of plug-ins.
void *plugin_tls_address(size_t *index);

} // namespace thrum
