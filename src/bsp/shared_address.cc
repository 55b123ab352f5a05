// Shared addresses (shared_address.h). The upper 24 bits are a hash of the object's file name. So
// libraries may be loaded in any order, and node processes may run several programs.
#include "bsp/shared_address.h"

#include "base/spinlock.h"

#include <climits>
#include <cstring>
#include <link.h>
#include <string>
#include <unistd.h>
#include <vector>

namespace thrum::bsp {
namespace {

constexpr int name_shift = 40;

// An object that has been looked up.
struct Object {
    uint64_t name; // shifted
    uint64_t begin, end;
};

constinit SpinLock lock; // guards the table

std::vector<Object> &objects() {
    static auto *table = new std::vector<Object>;
    return *table;
}

// Returns the path of an object; ld.so has none for the executable.
const char *path_of(const link_map &object) {
    static const std::string executable = [] {
        char path[PATH_MAX];
        const ssize_t length = ::readlink("/proc/self/exe", path, sizeof path);
        return std::string(path, length > 0 ? static_cast<size_t>(length) : 0);
    }();
    return *object.l_name ? object.l_name : executable.c_str();
}

// Returns the upper bits for an object; never 0, which means "no address".
uint64_t name_number(const link_map &object) {
    const char *path = path_of(object);
    const char *slash = std::strrchr(path, '/');
    uint64_t hash = 0xcbf29ce484222325; // FNV-1a
    for (const char *c = slash ? slash + 1 : path; *c; ++c)
        hash = (hash ^ static_cast<unsigned char>(*c)) * 0x100000001b3;
    hash ^= hash >> 32;
    const uint64_t number = hash & 0xffffff;
    return (number ? number : 1) << name_shift;
}

// Asks ld.so for the object around an address. Returns false if there is none.
bool find_object(const void *address, Object &object) {
    dl_find_object found;
    if (_dl_find_object(const_cast<void *>(address), &found) != 0)
        return false;
    object = {name_number(*found.dlfo_link_map), reinterpret_cast<uint64_t>(found.dlfo_map_start),
              reinterpret_cast<uint64_t>(found.dlfo_map_end)};
    return true;
}

// Finds the table's entry for which test(entry) is true.
template <class Test>
bool look_up(Test test, Object &object) {
    LockGuard guard(lock);
    for (const Object &known : objects())
        if (test(known)) {
            object = known;
            return true;
        }
    return false;
}

// Two threads may add the same object: that does no harm.
void keep(const Object &object) {
    LockGuard guard(lock);
    objects().push_back(object);
}

} // namespace

uint64_t shared_address(const void *original) {
    const auto a = reinterpret_cast<uint64_t>(original);
    Object object;
    if (!look_up([a](const Object &known) { return a >= known.begin && a < known.end; }, object)) {
        if (!find_object(original, object))
            return 0;
        keep(object);
    }
    return object.name + (a - object.begin);
}

void *local_address(uint64_t shared) {
    constexpr uint64_t distance_mask = (uint64_t{1} << name_shift) - 1;
    const uint64_t name = shared & ~distance_mask, distance = shared & distance_mask;
    Object object;
    bool known = look_up([name](const Object &o) { return o.name == name; }, object);
    // Objects that a program loads while it runs are at the end of ld.so's list.
    for (const link_map *map = _r_debug.r_map; map && !known; map = map->l_next)
        if (name_number(*map) == name && find_object(map->l_ld, object)) {
            keep(object);
            known = true;
        }
    if (!known || distance >= object.end - object.begin)
        return nullptr;
    return reinterpret_cast<void *>(object.begin + distance);
}

} // namespace thrum::bsp
