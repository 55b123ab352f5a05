// Opens and closes plug-ins (plugin/plugin.h): makes, binds, constructs and removes a rank's
// copies.
//
// open_plugin() works in two phases. Under plugin_mutex() the original is loaded, and the rank gets
// a copy of it and of each dependency that it does not have yet; all are bound and filled, or all
// are removed again (Opening). Then the constructors run without the lock, because they are code of
// the program and may call dlopen() themselves. close_plugin() is the reverse: destructors without
// the lock, then removal of the copies that nothing holds.
#include "plugin/plugin.h"

#include "image/addresses.h"
#include "image/constructors.h"
#include "image/debugger.h"
#include "image/fill_image.h"
#include "plugin/copy.h"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstring>
#include <dlfcn.h>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

namespace thrum {
namespace {

// Returns a number that no copy has had. Under plugin_mutex().
uint64_t next_serial() {
    static uint64_t serial = 0;
    return ++serial;
}

// The plug-ins of one rank. Made on first use.
struct RankPlugins {
    std::vector<PluginCopy *> copies;
    std::vector<const Object *> global; // opened with RTLD_GLOBAL, and their dependencies
    std::vector<void *> threads;        // FS bases of the rank's threads
};

// By number of the rank's image; allocated at first use and never destroyed: ranks may outlive
// static objects.
constinit std::vector<RankPlugins *> *plugins_of_ranks = nullptr;
constinit std::mutex ranks_mutex; // guards the list; taken after plugin_mutex()

// Keeps a child of fork() from finding the lock held by a thread that it does not have. Every rank
// takes it at its end, whether it has plug-ins or not.
[[gnu::constructor]] void hold_ranks_over_fork() {
    ::pthread_atfork([] { ranks_mutex.lock(); }, [] { ranks_mutex.unlock(); },
                     [] { ranks_mutex.unlock(); });
}

// Does the same for plugin_mutex(). It is registered later, so that it is taken earlier: that is
// the order of the two locks.
void hold_over_fork() {
    static bool is_registered = false;
    if (is_registered)
        return;
    is_registered = true;
    ::pthread_atfork([] { plugin_mutex().lock(); }, [] { plugin_mutex().unlock(); },
                     [] { plugin_mutex().unlock(); });
}

// Returns the plug-ins of a rank. The reference stays valid.
RankPlugins &plugins_of(const Image *image) {
    std::lock_guard guard(ranks_mutex);
    if (!plugins_of_ranks)
        plugins_of_ranks = new std::vector<RankPlugins *>;
    std::vector<RankPlugins *> &ranks = *plugins_of_ranks;
    auto number = static_cast<size_t>(number_of(image));
    if (number >= ranks.size())
        ranks.resize(number + 1);
    if (!ranks[number])
        ranks[number] = new RankPlugins;
    return *ranks[number];
}

// Makes a relative path absolute: ranks have working directories of their own, and ld.so recognises
// libraries by their names.
std::string absolute(const char *file) {
    if (file[0] == '/' || !std::strchr(file, '/'))
        return file;
    char directory[PATH_MAX];
    if (!::getcwd(directory, sizeof directory))
        return file;
    while (file[0] == '.' && file[1] == '/')
        for (file += 2; *file == '/';)
            ++file;
    return std::string(directory) + "/" + file;
}

void push_unique(std::vector<PluginCopy *> &list, PluginCopy *copy) {
    if (copy && std::find(list.begin(), list.end(), copy) == list.end())
        list.push_back(copy);
}

// Maps text and data of a copy. Returns 0 or an error number.
int map_copy(Plugin &plugin, PluginCopy &copy) {
    const Template &t = plugin.image_template;
    int error = map_text(t, copy.base);
    return error ? error : fill_data(t, copy.base);
}

// Fills in the link map that dlinfo() and debuggers see, with the addresses of the copy.
void set_link_map(PluginCopy &copy) {
    const Object &object = copy.plugin->object;
    auto moved = static_cast<uintptr_t>(delta_of(copy.image, object));
    copy.map.l_addr = object.bias + moved;
    copy.map.l_name = const_cast<char *>(object.path);
    copy.map.l_ld =
        reinterpret_cast<ElfW(Dyn) *>(reinterpret_cast<uintptr_t>(object.dynamic) + moved);
}

// Undoes what make_copy() has done. The copy leaves the table before its memory is replaced,
// because lookups of addresses take no lock. The addresses stay reserved for the rank.
void remove_copy(PluginCopy &copy) {
    Plugin &plugin = *copy.plugin;
    RankPlugins &rank = plugins_of(copy.image);
    std::erase(rank.copies, &copy);
    std::erase(rank.global, &plugin.object);
    hide_from_debugger(copy);
    plugin.was_open[static_cast<size_t>(number_of(copy.image))] = true;
    plugin.copies[number_of(copy.image)].store(nullptr, std::memory_order_release); // [plugin-1]
    ::mmap(copy.base, plugin.stride_bytes, PROT_READ | PROT_WRITE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    clear_plugin_block(copy);
    delete &copy;
    release_plugin(plugin);
}

// Makes the rank's copy, with the contents of the template, and enters it in the table. Returns
// nullptr and the reason in `error` if that fails.
PluginCopy *make_copy(Plugin &plugin, const Image *image, std::string &error) {
    if (number_of(image) >= plugin.count) {
        error = std::string(plugin.object.path) + ": was opened by another rank, with room for " +
                std::to_string(plugin.count) + " ranks; this is rank number " +
                std::to_string(number_of(image));
        return nullptr;
    }
    auto *copy = new PluginCopy;
    copy->plugin = &plugin;
    copy->image = image ? image : &originals_image();
    copy->base = plugin.low + plugin.stride_bytes * static_cast<size_t>(number_of(image));
    copy->serial = next_serial();
    copy->is_kept = plugin.is_kept;
    // release [plugin-1]: the copy's fields.
    plugin.copies[number_of(image)].store(copy, std::memory_order_release);
    ++plugin.users;
    set_link_map(*copy);
    plugins_of(image).copies.push_back(copy);
    if (int cause = map_copy(plugin, *copy)) {
        error = std::string(plugin.object.path) +
                ": cannot map a copy for this rank: " + std::strerror(cause);
        if (cause == ENOMEM)
            error += " (a process may have vm.max_map_count mappings: raise it with sysctl)";
        remove_copy(*copy);
        return nullptr;
    }
    return copy;
}

// Appends the copy to `ordered` after its dependencies. `seen` ends cycles.
void order(PluginCopy *copy, std::vector<PluginCopy *> &ordered, std::vector<PluginCopy *> &seen) {
    if (std::find(seen.begin(), seen.end(), copy) != seen.end())
        return;
    seen.push_back(copy);
    for (PluginCopy *needed : needed_copies(*copy))
        order(needed, ordered, seen);
    ordered.push_back(copy);
}

// One dlopen() that must make copies. run() makes all of them, or none and sets `error`.
struct Opening {
    const PluginCaller &caller;
    Plugin &root;
    int flags;
    std::string &error;
    std::vector<PluginCopy *> fresh; // dependencies first

    bool make_copies(const std::vector<const Object *> &closure);
    bool bind(const std::vector<const Object *> &closure);
    bool can_fill_threads(const Plugin &plugin) const;
    void undo();
    bool run();
};

// Makes the missing copies of the closure, and puts them into `fresh` in the order of construction.
bool Opening::make_copies(const std::vector<const Object *> &closure) {
    std::vector<PluginCopy *> made;
    for (const Object *object : closure) {
        if (!object->plugin || !object->is_private() || copy_of(caller.image, *object->plugin))
            continue;
        PluginCopy *copy = make_copy(*object->plugin, caller.image, error);
        if (!copy)
            break;
        made.push_back(copy);
    }
    std::vector<PluginCopy *> ordered, seen;
    if (PluginCopy *copy = copy_of(caller.image, root))
        order(copy, ordered, seen);
    for (PluginCopy *copy : made) // all of them: a dependency may be found by another way
        order(copy, ordered, seen);
    for (PluginCopy *copy : ordered)
        if (std::find(made.begin(), made.end(), copy) != made.end())
            fresh.push_back(copy);
    return error.empty();
}

// Binds the fresh copies in the rank's scope, and records what each of them needs.
bool Opening::bind(const std::vector<const Object *> &closure) {
    PluginScope scope;
    scope.search = global_scope(caller.image);
    // glibc: RTLD_DEEPBIND puts the library's own scope before the global one.
    scope.search.insert(flags & RTLD_DEEPBIND ? scope.search.begin() : scope.search.end(),
                        closure.begin(), closure.end());
    for (const Object &object : program_of(caller.image).objects)
        scope.loaded.push_back(&object);
    for (const PluginCopy *copy : copies_of(caller.image))
        scope.loaded.push_back(&copy->plugin->object);
    bool is_lazy = !(flags & RTLD_NOW);
    for (PluginCopy *copy : fresh) {
        const PluginBinding *binding = bind_plugin(*copy->plugin, scope, is_lazy, error);
        if (!binding)
            return false;
        apply_binding(*binding, *copy);
        fill_plugin_block(*copy);
        copy->scope = closure;
        for (PluginCopy *needed : needed_copies(*copy))
            push_unique(copy->needs, needed);
        for (const Plugin *reached : binding->reached)
            push_unique(copy->needs, copy_of(caller.image, *reached));
    }
    return true;
}

void Opening::undo() {
    for (size_t i = fresh.size(); i-- > 0;)
        remove_copy(*fresh[i]);
    fresh.clear();
}

// Returns whether the object uses TLS descriptors. Their code cannot be replaced by one that first
// looks for a copy, as plugin_tls_address() does.
bool has_descriptors(const Object &object) {
    bool found = false;
    for_each_relocation(
        object, [&](const ElfW(Rela) & r) { found |= ELF64_R_TYPE(r.r_info) == R_X86_64_TLSDESC; });
    return found;
}

// Returns whether threads that the rank already has can get the initial values of a new copy. ld.so
// initialises the block of a thread that asks late from the original.
bool Opening::can_fill_threads(const Plugin &plugin) const {
    bool is_stale = plugin.object.tls_has_fixups ||
                    plugin.was_open[static_cast<size_t>(number_of(caller.image))];
    bool is_dynamic = plugin.object.tls_bytes && plugin.tls_offset == 0;
    return !is_stale || !is_dynamic || threads_of(caller.image).empty() ||
           !has_descriptors(plugin.object);
}

// Nothing of the new copies runs here. If a step fails, all copies are removed again.
bool Opening::run() {
    std::vector<const Object *> closure = closure_of(caller.image, root.object, &error);
    if (!error.empty())
        return false;
    if (!make_copies(closure) || !bind(closure)) {
        undo();
        return false;
    }
    for (PluginCopy *copy : fresh)
        if (!can_fill_threads(*copy->plugin)) {
            error = std::string(copy->plugin->object.path) +
                    ": its thread-local variables use TLS descriptors, so threads that this rank "
                    "already has cannot get the initial values of its copy. Open it before "
                    "creating threads, do not close it, or compile it with -mtls-dialect=gnu";
            undo();
            return false;
        }
    for (PluginCopy *copy : fresh) {
        set_up_plugin_tls(*copy, caller.main_thread);
        show_to_debugger(*copy);
    }
    return true;
}

// Returns the rank's copy of a plug-in, with one more reference by dlopen(). New copies are in
// `fresh`, to be constructed. Under plugin_mutex().
PluginCopy *find_or_make(const PluginCaller &caller, Plugin &plugin, int flags,
                         std::vector<PluginCopy *> &fresh, std::string &error) {
    PluginCopy *copy = copy_of(caller.image, plugin);
    if (!copy && (flags & RTLD_NOLOAD))
        return nullptr;
    if (!copy) {
        Opening opening{caller, plugin, flags, error, {}};
        if (!opening.run())
            return nullptr;
        fresh = opening.fresh;
        copy = copy_of(caller.image, plugin);
    }
    ++copy->opened;
    copy->is_kept |= (flags & RTLD_NODELETE) != 0;
    if ((flags & RTLD_GLOBAL) && !copy->is_global) {
        RankPlugins &rank = plugins_of(caller.image);
        for (const Object *object : closure_of(caller.image, plugin.object)) {
            if (!object->plugin ||
                std::find(rank.global.begin(), rank.global.end(), object) != rank.global.end())
                continue;
            rank.global.push_back(object);
            if (PluginCopy *other = copy_of(caller.image, *object->plugin))
                other->is_global = true;
        }
    }
    return copy;
}

// Returns what dlopen() of a loaded original means for a rank that gets no copy: ld.so's handle, or
// nullptr and the reason in `error`.
void *shared_handle(const PluginCaller &caller, const Plugin *plugin, void *handle,
                    std::string &error) {
    auto *map = static_cast<link_map *>(handle);
    if (plugin || object_of(caller.image, map->l_ld))
        return handle;
    for (int p = 0; p < program_count(); ++p)
        for (const Object &object : program_at(p).objects)
            if (object.dynamic == map->l_ld && object.is_private() &&
                &program_at(p) != &program_of(caller.image)) {
                error = std::string(object.path) +
                        ": belongs to another program of this job. Link it to this program, too";
                ::dlclose(handle);
                return nullptr;
            }
    return handle; // loaded by the C library for itself
}

// Adds the copy and all that it needs to `used`.
void mark_used(PluginCopy *copy, std::vector<PluginCopy *> &used) {
    if (std::find(used.begin(), used.end(), copy) != used.end())
        return;
    used.push_back(copy);
    for (PluginCopy *needed : copy->needs)
        mark_used(needed, used);
}

// Returns the copies that nothing holds, dependents first.
std::vector<PluginCopy *> unused_copies(const Image *image) {
    std::vector<PluginCopy *> used, unused, ordered, seen;
    for (PluginCopy *copy : copies_of(image))
        if (copy->opened > 0 || copy->is_kept)
            mark_used(copy, used);
    for (PluginCopy *copy : copies_of(image))
        order(copy, ordered, seen);
    for (size_t i = ordered.size(); i-- > 0;)
        if (std::find(used.begin(), used.end(), ordered[i]) == used.end())
            unused.push_back(ordered[i]);
    return unused;
}

// Runs the destructors of a copy, once.
void destruct(PluginCopy &copy) {
    if (copy.is_constructed)
        call_destructors(copy.image, copy.plugin->object);
    copy.is_constructed = false;
}

} // namespace

std::vector<PluginCopy *> &copies_of(const Image *image) {
    return plugins_of(image).copies;
}

std::vector<void *> &threads_of(const Image *image) {
    return plugins_of(image).threads;
}

PluginCopy *find_copy_by_handle(const Image *image, const void *handle) {
    for (PluginCopy *copy : copies_of(image))
        if (copy == handle)
            return copy;
    return nullptr;
}

const Object *object_of(const Image *image, const ElfW(Dyn) * dynamic) {
    for (const Object &object : program_of(image).objects)
        if (object.dynamic == dynamic)
            return &object;
    for (int i = 0, n = plugin_slots(); i < n; ++i)
        if (const Plugin *plugin = plugin_at(i); plugin && plugin->object.dynamic == dynamic)
            return &plugin->object;
    return nullptr;
}

std::vector<const Object *> global_scope(const Image *image) {
    std::vector<const Object *> scope;
    for (const Object &object : program_of(image).objects)
        if (*object.path) // not the kernel's
            scope.push_back(&object);
    const auto &global = plugins_of(image).global;
    scope.insert(scope.end(), global.begin(), global.end());
    return scope;
}

// A copy counts as constructed before its constructors run: they may call exit() or dlopen().
void *open_plugin(const PluginCaller &caller, const char *file, int flags, std::string &error) {
    std::string name = absolute(file);
    std::vector<PluginCopy *> fresh;
    PluginCopy *copy = nullptr;
    {
        std::lock_guard guard(plugin_mutex());
        hold_over_fork();
        void *handle =
            flags & RTLD_NOLOAD ? find_original(caller, name) : load_original(caller, name, error);
        if (!handle)
            return nullptr;
        Plugin *plugin = plugin_of(static_cast<link_map *>(handle));
        if (!plugin || !plugin->object.is_private())
            return shared_handle(caller, plugin, handle, error);
        copy = find_or_make(caller, *plugin, flags, fresh, error);
        ::dlclose(handle); // the plug-in has a reference of its own
        // No copy was made: nothing needs the original.
        if (plugin->users == 0)
            unload_original(*plugin);
        if (copy && !fresh.empty())
            make_debugger_look();
    }
    for (PluginCopy *c : fresh) {
        c->is_constructed = true;
        if (caller.before_construction)
            caller.before_construction(c->plugin->object.path);
        call_constructors(c->image, c->plugin->object, caller.argc, caller.argv,
                          caller.environment);
    }
    return copy;
}

bool close_plugin(const Image *image, void *handle, std::string &error) {
    PluginCopy *copy = find_copy_by_handle(image, handle);
    if (!copy || copy->opened == 0) {
        error = "invalid handle";
        return false;
    }
    if (--copy->opened > 0)
        return true;
    std::vector<PluginCopy *> unused = unused_copies(image);
    for (PluginCopy *c : unused)
        destruct(*c);
    std::lock_guard guard(plugin_mutex());
    // A destructor may have opened one of them again.
    std::vector<PluginCopy *> still = unused_copies(image);
    for (PluginCopy *c : unused)
        if (std::find(still.begin(), still.end(), c) != still.end())
            remove_copy(*c);
    return true;
}

void run_plugin_destructors(const Image *image) {
    std::vector<PluginCopy *> ordered, seen;
    for (PluginCopy *copy : copies_of(image))
        order(copy, ordered, seen);
    for (size_t i = ordered.size(); i-- > 0;)
        destruct(*ordered[i]);
}

void forget_plugins(const Image *image) {
    std::lock_guard guard(plugin_mutex());
    RankPlugins &rank = plugins_of(image);
    while (!rank.copies.empty())
        remove_copy(*rank.copies.back());
    rank.global.clear();
    rank.threads.clear();
}

void keep_plugin(const Image *image, const void *dso_handle) {
    const PluginCopy *found = find_plugin_copy(reinterpret_cast<uintptr_t>(dso_handle));
    if (!found)
        return;
    for (PluginCopy *copy : copies_of(image))
        if (copy == found)
            copy->is_kept = true;
}

} // namespace thrum
