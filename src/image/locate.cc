// Finds the object of an address. Safe in a signal handler: takes no lock, allocates nothing.
#include "image/addresses.h"
#include "image/programs.h"

#include <climits>
#include <dlfcn.h>
#include <unistd.h>

namespace thrum {
namespace {

// The path of the executable, which ld.so's list leaves empty. Several ranks may crash at a time,
// so it is read before any can.
const struct ExecutablePath {
    char text[PATH_MAX];

    ExecutablePath() {
        const ssize_t n = ::readlink("/proc/self/exe", text, sizeof text - 1);
        text[n > 0 ? n : 0] = 0;
    }
} executable_path;

} // namespace

Location locate(const void *address) {
    auto a = reinterpret_cast<uintptr_t>(address);
    if (ClonePlace place = find_clone(a); place.image)
        return {place.object->path, place.original - place.object->bias, place.image->number};
    // Not in a clone: an original or a shared object, which ld.so knows.
    dl_find_object found;
    if (::_dl_find_object(const_cast<void *>(address), &found) != 0 || !found.dlfo_link_map)
        return {};
    const link_map &object = *found.dlfo_link_map;
    return {object.l_name && *object.l_name ? object.l_name : executable_path.text,
            a - object.l_addr, 0};
}

} // namespace thrum
