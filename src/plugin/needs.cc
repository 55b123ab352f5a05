// Finds the dependencies of plug-ins. A process has one library of a name (DT_NEEDED, DT_SONAME),
// the first that it has loaded; ld.so sees that process in all ranks together. So a name means, for
// a rank:
//
// 1. a library of its program, or one that it has opened, or has just been asked for;
// 2. else the file that a process of its own would find, which is loaded beside others of its name
#include "plugin/copy.h"

#include <algorithm>
#include <dlfcn.h>
#include <sys/stat.h>

namespace thrum {
namespace {

using List = std::vector<const Object *>;

bool has_soname(const Object &object, const std::string &name) {
    return object.soname && name == object.soname;
}

bool is_path(const std::string &name) {
    return name.find('/') != std::string::npos;
}

// Returns what the rank means by `need`; nullptr: it does not have it. `wanted` is what it is about
// to open.
const Object *resolve(const Image *image, const PluginNeed &need, const List &wanted) {
    if (!is_path(need.name)) {
        for (const Object &object : program_of(image).objects)
            if (is_named(object, need.name.c_str()))
                return &object;
        for (const PluginCopy *copy : copies_of(image))
            if (has_soname(copy->plugin->object, need.name))
                return &copy->plugin->object;
        for (const Object *object : wanted)
            if (object->plugin && has_soname(*object, need.name))
                return object;
    }
    return need.dynamic ? object_of(image, need.dynamic) : nullptr;
}

// Calls visit(object, need) for each direct dependency; the object is nullptr if it is missing.
template <class Visit>
void for_each_dependency(const Image *image, const Object &object, const List &wanted,
                         Visit visit) {
    if (object.plugin) {
        for (const PluginNeed &need : object.plugin->needs)
            visit(resolve(image, need, wanted), &need);
        return;
    }
    for_each_needed(object, [&](const char *name) {
        for (const Object &candidate : program_of(image).objects)
            if (is_named(candidate, name)) {
                visit(&candidate, nullptr);
                return;
            }
    });
}

// Returns the private object of any program with this section, or nullptr.
const Object *object_of_another_program(const ElfW(Dyn) * dynamic) {
    for (int p = 0; p < program_count(); ++p)
        for (const Object &object : program_at(p).objects)
            if (object.dynamic == dynamic && object.is_private())
                return &object;
    return nullptr;
}

std::string why_missing(const Object &object, const PluginNeed &need) {
    const Object *foreign = need.dynamic ? object_of_another_program(need.dynamic) : nullptr;
    if (foreign)
        return std::string(object.path) + ": needs " + foreign->path +
               ", which another program of this job has loaded. Link it to this program, too";
    return std::string(object.path) + ": needs " + need.name + ": " + need.reason;
}

} // namespace

std::vector<const Object *> closure_of(const Image *image, const Object &root, std::string *error) {
    List closure = {&root};
    for (size_t i = 0; i < closure.size(); ++i) {
        const Object &dependent = *closure[i];
        for_each_dependency(
            image, dependent, closure, [&](const Object *object, const PluginNeed *need) {
                if (!object && error && error->empty())
                    *error = why_missing(dependent, *need);
                if (object && std::find(closure.begin(), closure.end(), object) == closure.end())
                    closure.push_back(object);
            });
    }
    return closure;
}

std::vector<PluginCopy *> needed_copies(const PluginCopy &copy) {
    std::vector<PluginCopy *> needed;
    for_each_dependency(copy.image, copy.plugin->object, {},
                        [&](const Object *object, const PluginNeed *) {
                            if (!object || !object->plugin)
                                return;
                            if (PluginCopy *other = copy_of(copy.image, *object->plugin))
                                needed.push_back(other);
                        });
    return needed;
}

namespace {

bool is_one_of(const std::vector<Plugin *> &plugins, const Plugin *plugin) {
    return std::find(plugins.begin(), plugins.end(), plugin) != plugins.end();
}

// Returns where ld.so searches for what `plugin` needs. DT_RPATH counts for dependencies of
// dependencies, so the chain of libraries that loaded it is followed.
SearchPath search_path_of(const PluginCaller &caller, const Plugin &plugin,
                          const std::vector<Plugin *> &loaded_with) {
    SearchPath path = search_path(plugin.object);
    const Plugin *loaded = &plugin;
    for (size_t depth = 0; path.is_inherited && loaded && depth <= loaded_with.size(); ++depth) {
        const Plugin *loader = nullptr;
        for (const Plugin *other : loaded_with)
            for_each_needed(other->object, [&](const char *name) {
                if (!loader && is_named(loaded->object, name))
                    loader = other;
            });
        SearchPath more = loader ? search_path(loader->object) : search_path(caller);
        if (more.is_inherited && !more.folders.empty())
            path.folders += ":" + more.folders;
        loaded = loader;
    }
    return path;
}

bool is_same_file(const std::string &a, const char *b) {
    struct stat first, second;
    return ::stat(a.c_str(), &first) == 0 && ::stat(b, &second) == 0 &&
           first.st_dev == second.st_dev && first.st_ino == second.st_ino;
}

// Keeps `other` loaded as long as `plugin` is.
void hold(Plugin &plugin, Plugin &other) {
    if (&other == &plugin || is_one_of(plugin.holds, &other))
        return;
    plugin.holds.push_back(&other);
    ++other.users;
}

// Decides what `need` means, given that ld.so has taken `taken`, which some rank has opened before:
// the same file, or another one, which is loaded here.
void choose_file(const PluginCaller &caller, Plugin &plugin, const Plugin &taken, PluginNeed &need,
                 const SearchPath &path) {
    std::string file = search_file(path, need.name);
    if (file.empty() ? is_in_loader_cache(taken.object.path)
                     : is_same_file(file, taken.object.path)) {
        need.dynamic = taken.object.dynamic;
        return;
    }
    if (file.empty()) {
        need.reason = "not found; only ranks that have opened " + std::string(taken.object.path) +
                      " themselves have it";
        return;
    }
    auto *map = static_cast<link_map *>(load_original(caller, file, need.reason));
    if (!map)
        return;
    need.dynamic = map->l_ld;
    Plugin *other = plugin_of(map);
    if (!other)
        return; // nothing that could be unloaded
    hold(plugin, *other);
    ::dlclose(map);
}

// Handles a dependency for which ld.so has taken a library that it had loaded for this or another
// rank.
void take_loaded(const PluginCaller &caller, Plugin &plugin, Plugin &taken, PluginNeed &need,
                 const std::vector<Plugin *> &loaded_with) {
    hold(plugin, taken); // as ld.so does
    if (is_one_of(loaded_with, &taken) || is_path(need.name))
        return;
    need.dynamic = nullptr;
    choose_file(caller, plugin, taken, need, search_path_of(caller, plugin, loaded_with));
}

} // namespace

// For each DT_NEEDED, finds out what ld.so has taken for it, and whether the caller's process would
// have taken the same.
void find_needs(const PluginCaller &caller, Plugin &plugin,
                const std::vector<Plugin *> &loaded_with) {
    for_each_needed(plugin.object, [&](const char *name) {
        PluginNeed need;
        need.name = name;
        if (auto *map = static_cast<link_map *>(find_loaded(name))) {
            Plugin *taken = plugin_of(map);
            need.dynamic = map->l_ld;
            ::dlclose(map);
            if (taken && taken->object.is_private())
                take_loaded(caller, plugin, *taken, need, loaded_with);
        } else { // ld.so knows it by another name
            for (const Plugin *other : loaded_with)
                if (is_named(other->object, name))
                    need.dynamic = other->object.dynamic;
            for (const Object &object : program_of(caller.image).objects)
                if (!need.dynamic && is_named(object, name))
                    need.dynamic = object.dynamic;
            need.reason = "ld.so does not know it";
        }
        plugin.needs.push_back(need);
    });
}

} // namespace thrum
