// Decides which file a rank means by a name: the one that ld.so would find for the caller of
// dlopen(), or for the library that needs it, if the rank had a process of its own.
#include "image/addresses.h"
#include "plugin/copy.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <unistd.h>

namespace thrum {
namespace {

// Returns the text of an entry of the dynamic section, or nullptr.
const char *dynamic_string(const Object &object, ElfW(Sxword) tag) {
    for (const ElfW(Dyn) *d = object.dynamic; d && d->d_tag != DT_NULL; ++d)
        if (d->d_tag == tag)
            return object.string(d->d_un.d_val);
    return nullptr;
}

// Replaces $ORIGIN by the folder of the object that contains it, not that of the stub.
std::string expand_origin(const char *folders, const Object &object) {
    std::string path = object.path;
    std::string origin = path.substr(0, path.rfind('/'));
    std::string text = folders;
    for (const char *token : {"${ORIGIN}", "$ORIGIN"})
        for (size_t at; (at = text.find(token)) != std::string::npos;)
            text.replace(at, std::strlen(token), origin);
    return text;
}

// Returns the object that the address is in, as the rank sees it; or nullptr.
const Object *object_around(const Image *image, const void *address) {
    auto a = reinterpret_cast<uintptr_t>(address);
    if (ClonePlace place = find_clone(a); place.image)
        return place.object;
    for (const Object &object : program_of(image).objects)
        if (object.contains(a))
            return &object;
    return nullptr;
}

} // namespace

// As ld.so: DT_RPATH of the caller and of the executable counts only where there is no DT_RUNPATH.
SearchPath search_path(const PluginCaller &caller) {
    const Object *object = object_around(caller.image, caller.address);
    if (!object)
        return {};
    if (dynamic_string(*object, DT_RUNPATH))
        return search_path(*object);
    const Object &executable = program_of(caller.image).objects[0];
    std::string folders;
    for (const Object *o : {object, &executable}) {
        const char *text = dynamic_string(*o, DT_RPATH);
        if (!text || dynamic_string(*o, DT_RUNPATH) ||
            (o == &executable && o == object && !folders.empty()))
            continue;
        folders += (folders.empty() ? "" : ":") + expand_origin(text, *o);
    }
    return {folders, true};
}

SearchPath search_path(const Object &object) {
    if (const char *folders = dynamic_string(object, DT_RUNPATH))
        return {expand_origin(folders, object), false};
    const char *folders = dynamic_string(object, DT_RPATH);
    return {folders ? expand_origin(folders, object) : "", true};
}

std::string search_file(const SearchPath &path, const std::string &name) {
    const char *variable = ::getenv("LD_LIBRARY_PATH");
    std::string of_job = variable ? variable : "";
    std::string folders =
        path.is_inherited ? path.folders + ":" + of_job : of_job + ":" + path.folders;
    for (size_t begin = 0, end; begin < folders.size(); begin = end + 1) {
        end = std::min(folders.find_first_of(":;", begin), folders.size());
        std::string file = folders.substr(begin, end - begin) + "/" + name;
        if (end > begin && ::access(file.c_str(), R_OK) == 0)
            return file;
    }
    return {};
}

void *find_loaded(const std::string &name) {
    void *handle = ::dlopen(name.c_str(), RTLD_LAZY | RTLD_NOLOAD);
    if (!handle)
        ::dlerror();
    return handle;
}

// The cache is a binary file of strings; the path with its terminating zero is searched in all of
// it.
bool is_in_loader_cache(const char *path) {
    std::string cache;
    int fd = ::open("/etc/ld.so.cache", O_RDONLY | O_CLOEXEC);
    char block[4096];
    for (ssize_t n; fd >= 0 && (n = ::read(fd, block, sizeof block)) > 0;)
        cache.append(block, static_cast<size_t>(n));
    if (fd >= 0)
        ::close(fd);
    return cache.find(std::string(path) + '\0') != std::string::npos;
}

bool resolve_name(const PluginCaller &caller, std::string &name) {
    if (name.find('/') != std::string::npos)
        return true;
    void *handle = find_loaded(name);
    if (!handle)
        return true;
    const Plugin *plugin = plugin_of(static_cast<link_map *>(handle));
    ::dlclose(handle);
    if (!plugin || !plugin->object.is_private())
        return true;
    // In the order in which the rank has loaded them: of two libraries of one name the first.
    for (const PluginCopy *copy : copies_of(caller.image))
        if (copy->plugin == plugin || is_named(copy->plugin->object, name.c_str())) {
            name = copy->plugin->object.path;
            return true;
        }
    if (std::string file = search_file(search_path(caller), name); !file.empty()) {
        name = file;
        return true;
    }
    return is_in_loader_cache(plugin->object.path);
}

} // namespace thrum
