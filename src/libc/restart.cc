// Restarts of the process (restart.h).
#include "libc/restart.h"

#include "base/check.h"
#include "base/environment_variables.h"
#include "image/foreign_mpi.h"
#include "image/image.h"
#include "image/sharing.h"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstring>
#include <dlfcn.h>
#include <string_view>
#include <sys/mman.h>
#include <unistd.h>

namespace thrum {
namespace {

// Executes the program with `entry` ("NAME=value") in its environment, or ends the process.
[[noreturn]] void restart_with(char *entry, char **argv, char **environment) {
    size_t count = 0;
    while (environment[count])
        ++count;
    void *memory = ::mmap(nullptr, (count + 2) * sizeof(char *), PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory != MAP_FAILED) {
        auto **out = static_cast<char **>(memory);
        const size_t name_bytes = std::strcspn(entry, "=") + 1;
        for (char **e = environment; *e; ++e)
            if (std::strncmp(*e, entry, name_bytes) != 0)
                *out++ = *e;
        *out = entry;
        ::execve("/proc/self/exe", argv, static_cast<char **>(memory));
    }
    die(2, "cannot start %s again with %s, which it needs: %s", argv[0] ? argv[0] : "the program",
        entry, std::strerror(errno));
}

// Calls see(path, library) for each entry: a C string, and its place in `list`.
template <class See>
void visit_preloaded(const char *list, See see) {
    while (*list) {
        const size_t length = std::strcspn(list, ": ");
        char path[PATH_MAX];
        if (length > 0 && length < sizeof path) {
            std::memcpy(path, list, length);
            path[length] = 0;
            see(path, std::string_view(list, length));
        }
        list += length + (list[length] != 0);
    }
}

bool is_libmpi(const char *path) {
    return std::string_view(base_name(path)).starts_with("libmpi_abi.so");
}

// Returns the front in the list; nullptr: none.
const FrontLibraries *preloaded_front(const char *list) {
    const FrontLibraries *front = nullptr;
    visit_preloaded(list, [&](const char *path, std::string_view) {
        if (is_front(path))
            front = front_of(base_name(path));
    });
    return front;
}

// Returns the path of this library.
const char *path_of_libmpi() {
    Dl_info info{};
    return ::dladdr(reinterpret_cast<const void *>(&restart_with_bound_slots), &info)
               ? info.dli_fname
               : "";
}

// A text that is put together without malloc.
class Text {
public:
    void put(std::string_view part) {
        const size_t bytes = std::min(part.size(), sizeof text_ - 1 - length_);
        std::memcpy(text_ + length_, part.data(), bytes);
        length_ += bytes;
        is_cut_ |= bytes < part.size();
    }

    bool is_cut() const { return is_cut_; }

    char *c() { return text_; }

private:
    char text_[4 * PATH_MAX] = "";
    size_t length_ = 0;
    bool is_cut_ = false;
};

// Writes "LD_PRELOAD=", what others want in `list`, `front`, and libmpi_abi, whose functions have
// the same names as the front's.
void put_preload(Text &text, const char *list, const FrontLibraries *front) {
    text.put("LD_PRELOAD=");
    visit_preloaded(list, [&](const char *path, std::string_view library) {
        if (is_front(path) || is_libmpi(path))
            return;
        text.put(library);
        text.put(":");
    });
    const std::string_view libmpi = path_of_libmpi();
    if (front)
        for (const char *its : front->libraries()) {
            text.put(libmpi.substr(0, libmpi.rfind('/') + 1));
            text.put(fronts_directory);
            text.put(its);
            text.put(":");
        }
    text.put(libmpi);
}

} // namespace

void restart_with_bound_slots(char **argv, char **environment) {
    static char bind_now[] = "LD_BIND_NOW=1";
    restart_with(bind_now, argv, environment);
}

void restart_with_right_front(char **argv, char **environment) {
    const char *variable = find_variable(environment, "LD_PRELOAD");
    const char *list = variable ? variable : "";
    const NeededMpi needed = mpi_needed_by_program();
    if (needed.front == preloaded_front(list) || needed.libmpi == (needed.front != nullptr))
        return;
    static Text text;
    put_preload(text, list, needed.front);
    if (text.is_cut())
        die(2, "%s needs another LD_PRELOAD, which would be too long: shorten it",
            argv[0] ? argv[0] : "the program");
    restart_with(text.c(), argv, environment);
}

} // namespace thrum
