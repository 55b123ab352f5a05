// Lets ld.so do its part: it finds the file, loads it with all that it needs, and relocates it. The
// request comes from a stub (stub.h), so that no constructor of a private library runs.
//
// ld.so binds in the scope of the process, which is not that of the rank: its choices of symbols
// are not used. A symbol that it does not find, but the rank may, is defined by the stub.
// Afterwards the template of each new private library is taken, and addresses for the copies of all
// ranks are reserved.
#include "base/tools.h"
#include "image/mapped_file.h"
#include "image/originals.h"
#include "image/privatized.h"
#include "image/refuse.h"
#include "image/sharing.h"
#include "image/stub.h"
#include "plugin/copy.h"

#include <algorithm>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace thrum {
namespace {

constinit Objects before, loaded; // of the load that is under way; under plugin_mutex()
// The libraries that this load has brought.
std::vector<Object> &fresh = *new std::vector<Object>;

bool is_loaded(const Objects &list, const Object &object) {
    for (const Object &other : list)
        if (other.dynamic == object.dynamic)
            return true;
    return false;
}

// The stub's constructor: runs when ld.so has relocated everything and before any other
// constructor. Takes the constructors away from private libraries.
void take_new_libraries() {
    loaded.shrink_to(0);
    scan_objects_into(loaded, shared_list());
    fresh.clear();
    for (Object &object : loaded) {
        bool is_stub = !std::strncmp(object.path, "/proc/", 6) && std::strstr(object.path, "/fd/");
        if (is_stub || is_loaded(before, object))
            continue;
        object.path = ::strdup(object.path); // reports may name it when ld.so has forgotten it
        if (object.is_private())
            disarm_constructors(object);
        else
            bind_upcalls_of_library(object, !program_is_privatized());
        fresh.push_back(object);
    }
}

// The value of symbols that the stub defines.
void unresolved() {
    die(127, "a plug-in called a function that dlopen() did not find (RTLD_LAZY)");
}

// Returns NAME of ld.so's message "...: undefined symbol: NAME" or "...: undefined symbol: NAME,
// version V"; empty for other messages.
std::string undefined_symbol(const char *message) {
    constexpr const char *text = "undefined symbol: ";
    const char *name = std::strstr(message, text);
    if (!name)
        return {};
    name += std::strlen(text);
    return {name, std::strcspn(name, ", ()")};
}

// Loads `name` for a stub. Returns the stub's handle, or nullptr and the reason. ld.so reports one
// undefined symbol at a time, so each attempt defines one more.
void *load_by_stub(const PluginCaller &caller, const std::string &name, std::string &error) {
    constexpr int attempts_max = 10'000;
    std::vector<std::string> missing;
    SearchPath path = search_path(caller);
    for (int i = 0; i < attempts_max; ++i) {
        Stub stub;
        stub.need(name);
        if (!path.folders.empty())
            stub.search(path.folders, path.is_inherited);
        for (const std::string &symbol : missing)
            stub.define(symbol, reinterpret_cast<const void *>(unresolved));
        if (void *handle = stub.load(take_new_libraries))
            return handle;
        const char *message = ::dlerror();
        error = message ? message : "cannot be loaded";
        std::string symbol = undefined_symbol(error.c_str());
        if (symbol.empty() || (!missing.empty() && missing.back() == symbol))
            return nullptr;
        missing.push_back(symbol);
    }
    return nullptr;
}

// Returns whether the object has unique symbols. ld.so never unloads such a library.
bool has_unique_symbols(const Object &object) {
    if (!object.gnu_hash && !object.sysv_hash)
        return false;
    size_t count = symbol_count(object);
    for (size_t i = 1; i < count; ++i)
        if (object.symbols[i].st_shndx != SHN_UNDEF &&
            ELF64_ST_BIND(object.symbols[i].st_info) == STB_GNU_UNIQUE)
            return true;
    return false;
}

// Returns whether the library was linked with -z nodelete.
bool is_marked_to_stay(const Object &object) {
    for (const ElfW(Dyn) *d = object.dynamic; d && d->d_tag != DT_NULL; ++d)
        if (d->d_tag == DT_FLAGS_1 && (d->d_un.d_val & DF_1_NODELETE))
            return true;
    return false;
}

// Reserves aligned addresses for the copies.
bool map_copies(Plugin &plugin, std::string &error) {
    size_t alignment = plugin.image_template.alignment;
    plugin.memory_bytes = plugin.stride_bytes * static_cast<size_t>(plugin.count) + alignment;
    void *memory = ::mmap(nullptr, plugin.memory_bytes, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) {
        error = std::string("cannot reserve addresses for copies for all ranks: ") +
                std::strerror(errno);
        return false;
    }
    plugin.memory = static_cast<char *>(memory);
    plugin.low = reinterpret_cast<char *>((reinterpret_cast<uintptr_t>(memory) + alignment - 1) &
                                          ~(alignment - 1));
    return true;
}

// Reserves addresses for a copy of every rank. Memory is used only by ranks that open the library.
bool reserve_copies(Plugin &plugin, int count, std::string &error) {
    Template &t = plugin.image_template;
    plugin.count = count;
    plugin.stride_bytes = (t.size_bytes + t.alignment - 1) & ~(t.alignment - 1);
    bool has_blocks = program_is_privatized() && is_compiled_for_blocks(plugin.object);
    if (!(has_blocks ? map_copies_and_blocks(plugin, error) : map_copies(plugin, error)))
        return false;
    ::madvise(plugin.memory, plugin.memory_bytes, MADV_NOHUGEPAGE);
    add_leak_check_root(plugin.memory, plugin.memory_bytes);
    plugin.was_open.resize(static_cast<size_t>(count));
    plugin.copies = new std::atomic<PluginCopy *>[static_cast<size_t>(count)]();
    return true;
}

// Copies the library's writable pages before anything of it has run.
void take_template(Plugin &plugin) {
    Template &t = plugin.image_template;
    Objects one;
    one.push_back(plugin.object);
    lay_out(t, one);
    plugin.object.image_offset = one[0].image_offset;
    one.release();
    make_template_memory(t);
    read_mappings();
    add_object_to_template(t, plugin.object);
}

// Prepares a private library for copies. Returns false and the reason if it cannot have any.
bool enter_private(Plugin &plugin, int images, std::string &error) {
    if (Unsuitable why = find_unsuitable(plugin.object); why.reason) {
        error = std::string(plugin.object.path) +
                ": ranks of one process cannot each have a copy: it " + why.reason + ". " +
                why.remedy;
        return false;
    }
    take_template(plugin);
    plugin.tls_offset = plugin.object.tls_bytes ? static_tls_offset(plugin.object) : 0;
    plugin.object.tls_offset = plugin.tls_offset;
    std::string reason;
    if (reserve_copies(plugin, images, reason))
        return true;
    error = std::string(plugin.object.path) + ": " + reason;
    return false;
}

// Enters what the stub's constructor has found in the table. Returns false and the reason if one of
// them is unsuitable; then none is entered.
bool enter_new_libraries(const PluginCaller &caller, std::string &error) {
    std::vector<Plugin *> entered;
    for (const Object &object : fresh) {
        auto *plugin = new Plugin;
        plugin->object = object;
        plugin->object.private_index = -1;
        plugin->object.plugin = plugin;
        // The name is the path that ld.so has found: always known to it.
        plugin->handle = find_loaded(object.path);
        // ld.so would not unload such a library; its copies stay, too.
        plugin->is_kept = is_marked_to_stay(object) || has_unique_symbols(object);
        entered.push_back(plugin);
        if (!object.is_private() || enter_private(*plugin, caller.images, error))
            continue;
        for (Plugin *p : entered)
            if (p->handle)
                ::dlclose(p->handle);
        return false;
    }
    for (Plugin *plugin : entered)
        add_plugin(*plugin);
    for (Plugin *plugin : entered)
        find_needs(caller, *plugin, entered);
    return true;
}

} // namespace

void *find_original(const PluginCaller &caller, std::string name) {
    return resolve_name(caller, name) ? find_loaded(name) : nullptr;
}

// The stub is closed only when the new libraries are in the table, each with a reference of its
// own: otherwise ld.so would unload them with the stub.
void *load_original(const PluginCaller &caller, std::string name, std::string &error) {
    if (!resolve_name(caller, name)) {
        error = name + ": cannot open shared object file: No such file or directory";
        return nullptr;
    }
    if (void *handle = find_loaded(name))
        return handle;
    before.shrink_to(0);
    scan_objects_into(before, shared_list());
    fresh.clear();
    void *stub = load_by_stub(caller, name, error);
    if (!stub)
        return nullptr;
    void *handle = find_loaded(name);
    bool is_complete = enter_new_libraries(caller, error);
    ::dlclose(stub);
    if (handle && is_complete) {
        error.clear();
        return handle;
    }
    if (handle)
        ::dlclose(handle);
    else
        error = name + ": loaded, but no longer found";
    return nullptr;
}

// Out of the table first: lookups of addresses must not find memory that is about to be unmapped.
void unload_original(Plugin &plugin) {
    remove_plugin(plugin);
    ::munmap(plugin.memory, plugin.memory_bytes);
    forget_plugin_blocks(plugin);
    ::munmap(plugin.image_template.bytes, plugin.image_template.size_bytes);
    int last = -1;
    for (const TextRun &run : plugin.image_template.texts)
        if (run.file != plugin.image_template.file && run.file != last)
            ::close(last = run.file);
    ::close(plugin.image_template.file);
    for (PluginBinding *binding : plugin.bindings)
        delete binding;
    plugin.bindings.clear();
    if (plugin.handle)
        ::dlclose(plugin.handle);
    plugin.handle = nullptr;
    std::vector<Plugin *> held;
    held.swap(plugin.holds);
    for (Plugin *other : held)
        release_plugin(*other);
}

void release_plugin(Plugin &plugin) {
    if (--plugin.users == 0)
        unload_original(plugin);
}

} // namespace thrum
