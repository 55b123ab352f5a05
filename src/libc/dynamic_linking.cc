// dlopen, dlsym, dladdr and related functions as a rank sees them: libraries that it loads are its
// own copies (plugin/plugin.h), and addresses are those of its image. dl_iterate_phdr is in the
// image layer.
//
// dlopen() and dlclose() run constructors and destructors, which may wait. Other threads of the
// rank wait for them, as they do for the lock of the C library's dlopen; other ranks do not.
#include "base/clock.h"
#include "base/settings.h"
#include "fiber/thread_block.h"
#include "fiber/timer.h"
#include "libc/descriptors.h"
#include "libc/forked_child.h"
#include "libc/libc_state.h"
#include "libc/openmp.h"
#include "libc/thread_states.h"
#include "plugin/plugin.h"
#include "rank/added.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <link.h>
#include <unistd.h>

namespace thrum {
namespace {

// The rank's lock of dlopen() and dlclose(). It is recursive, because a constructor may call
// dlopen(). Guarded by LibcState::lock.
struct Loader {
    RankThread *thread = nullptr; // that is in dlopen() or dlclose()
    int depth = 0;                // how many of these calls of it are nested
};

LIBC_STATE(Loader, loader_of)

// Returns the calling rank's image; nullptr: the originals.
const Image *image() {
    return current_image();
}

// Gives the calling thread the rank's libraries for itself, for a scope. The lock may be held
// across suspensions of the holder, so a thread that must wait looks again every 50 us instead of
// spinning. Before there are ranks and in a child of fork() there is nothing to lock.
class LoaderLock {
public:
    LoaderLock() : state_(current_libc()), locked_(rank_count() > 0 && !in_forked_child()) {
        constexpr int64_t pause_ns = 50'000;
        while (locked_ && !try_lock())
            wait_until(now_ns() + pause_ns);
    }

    ~LoaderLock() {
        if (!locked_)
            return;
        LockGuard guard(state_.lock);
        if (--loader_of(state_).depth == 0)
            loader_of(state_).thread = nullptr;
    }

    LoaderLock(const LoaderLock &) = delete;
    LoaderLock &operator=(const LoaderLock &) = delete;

private:
    bool try_lock() {
        RankThread &self = current_rank_thread();
        LockGuard guard(state_.lock);
        if (loader_of(state_).thread && loader_of(state_).thread != &self)
            return false;
        loader_of(state_).thread = &self;
        ++loader_of(state_).depth;
        return true;
    }

    LibcState &state_;
    bool locked_;
};

// Makes the message the next result of dlerror() in the calling thread.
void set_error(const std::string &message) {
    own_thread_state().dl_error = message;
}

// Describes the calling rank, and its code at `address`, for plugin/.
PluginCaller caller_at(const void *address) {
    LibcState &state = current_libc();
    void *main_thread = threads_of(state).main.thread_pointer;
    if (!main_thread) // a constructor of the originals, before there are ranks
        main_thread = current_thread_pointer();
    char **environment = state.bound.environment ? *state.bound.environment : environ;
    return {image(),    address,    main_thread, images_max(),
            state.argc, state.argv, environment, choose_openmp_defaults_for_plugin};
}

// Does what dlopen() by the code at `caller_address` does: its RUNPATH and its scope count. An
// empty name means the program itself, which the real function knows.
void *open_for(const void *caller_address, const char *file, int flags) {
    if (!file || !*file)
        return ::dlopen(file, flags);
    LoaderLock lock;
    PluginCaller caller = caller_at(caller_address);
    std::string error;
    void *handle = open_plugin(caller, file, flags, error);
    if (!handle && !error.empty())
        set_error(error);
    return handle;
}

void *override_dlopen(const char *file, int flags) {
    return open_for(__builtin_return_address(0), file, flags);
}

void *override_dlmopen(Lmid_t space, const char *file, int flags) {
    if (space != LM_ID_BASE) {
        set_error("dlmopen: a rank has one namespace; use dlopen");
        return nullptr;
    }
    return open_for(__builtin_return_address(0), file, flags);
}

// Returns whether the handle is one of ld.so's: it is in the list of what it has loaded.
bool is_known_to_loader(const void *handle) {
    void *main = ::dlopen(nullptr, RTLD_LAZY | RTLD_NOLOAD);
    ::dlclose(main);
    for (auto *map = static_cast<const link_map *>(main); map; map = map->l_next)
        if (map == handle)
            return true;
    return false;
}

// The handle is a plug-in of the rank, or one that ld.so has returned (shared libraries), or wrong.
// The real dlclose() would use a wrong one as a pointer.
int override_dlclose(void *handle) {
    LoaderLock lock;
    std::string error;
    if (close_plugin(image(), handle, error))
        return 0;
    if (is_known_to_loader(handle))
        return ::dlclose(handle);
    set_error(error);
    return -1;
}

// Does what dlsym() and dlvsym() do (`version` nullptr: any) for the code at `address`, since
// RTLD_NEXT depends on the caller.
void *find(const void *address, void *handle, const char *name, const char *version) {
    LoaderLock lock;
    PluginCaller caller = caller_at(address);
    std::string error;
    void *found = find_symbol(caller, handle, name, version, error);
    if (!found && !error.empty())
        set_error(error);
    return found;
}

void *override_dlsym(void *handle, const char *name) {
    return find(__builtin_return_address(0), handle, name, nullptr);
}

void *override_dlvsym(void *handle, const char *name, const char *version) {
    return find(__builtin_return_address(0), handle, name, version);
}

// A failure of ours comes before one of the C library.
char *override_dlerror() {
    ThreadState &state = own_thread_state();
    if (state.dl_error.empty())
        return ::dlerror();
    state.dl_error_text.swap(state.dl_error); // stays valid until the next error
    state.dl_error.clear();
    return state.dl_error_text.data();
}

// Does what dladdr() and dladdr1() do. ld.so knows the originals only, so the address is translated
// to theirs, and the addresses in the result back to the clone's. The path is that of the original.
int find_address(const void *address, Dl_info *info, void **extra, int flags) {
    const void *original = original_of(address);
    int found = extra ? ::dladdr1(original, info, extra, flags) : ::dladdr(original, info);
    if (!found)
        return found;
    ptrdiff_t distance = static_cast<const char *>(address) - static_cast<const char *>(original);
    info->dli_fbase = static_cast<char *>(info->dli_fbase) + distance_of_object(address);
    if (info->dli_saddr)
        info->dli_saddr = static_cast<char *>(info->dli_saddr) + distance;
    if (extra && flags == RTLD_DL_LINKMAP)
        *extra = link_map_of_original(image(), static_cast<link_map *>(*extra));
    return found;
}

int override_dladdr(const void *address, Dl_info *info) {
    return find_address(address, info, nullptr, 0);
}

int override_dladdr1(const void *address, Dl_info *info, void **extra, int flags) {
    return find_address(address, info, extra, flags);
}

// One line of backtrace_symbols(), in pieces: "file", "(function", "+0x12)", " [0x1234]".
struct FrameText {
    const char *file = "";
    const char *function = "";
    char offset[24] = "";
    char address[24] = "";

    explicit FrameText(void *frame) {
        Dl_info info{};
        std::snprintf(address, sizeof address, "[%p]", frame);
        if (!find_address(frame, &info, nullptr, 0) || !info.dli_fname || !*info.dli_fname)
            return;
        file = info.dli_fname;
        function = info.dli_sname ? info.dli_sname : "";
        const void *base = info.dli_sname ? info.dli_saddr : info.dli_fbase;
        ptrdiff_t distance = static_cast<const char *>(frame) - static_cast<const char *>(base);
        std::snprintf(offset, sizeof offset, "%c%#tx)", distance < 0 ? '-' : '+',
                      distance < 0 ? -distance : distance);
    }

    // At least the bytes of the line with its terminating zero.
    size_t size_bytes() const {
        return std::strlen(file) + std::strlen(function) + sizeof offset + sizeof address + 2;
    }
};

// The result is one block of memory that the program frees. asprintf() gets it from the program's
// own malloc, if it has one; ours might be another.
char **override_backtrace_symbols(void *const *addresses, int count) {
    const auto frames = static_cast<size_t>(std::max(count, 0));
    size_t size_bytes = frames * sizeof(char *);
    for (size_t i = 0; i < frames; ++i)
        size_bytes += FrameText(addresses[i]).size_bytes();
    char *block = nullptr;
    if (::asprintf(&block, "%*s", static_cast<int>(size_bytes), "") < 0)
        return nullptr;
    auto **lines = reinterpret_cast<char **>(block);
    char *text = block + frames * sizeof(char *);
    for (size_t i = 0; i < frames; ++i) {
        FrameText frame(addresses[i]);
        lines[i] = text;
        text += std::sprintf(text, "%s%s%s%s%s%s", frame.file, *frame.file ? "(" : "",
                             frame.function, frame.offset, *frame.file ? " " : "", frame.address) +
                1;
    }
    return lines;
}

// May be called in a signal handler, on a small stack.
void override_backtrace_symbols_fd(void *const *addresses, int count, int descriptor) MAY_SUSPEND {
    for (int i = 0; i < count; ++i) {
        FrameText frame(addresses[i]);
        const char *pieces[] = {frame.file,   *frame.file ? "(" : "", frame.function,
                                frame.offset, frame.address,          "\n"};
        for (const char *piece : pieces)
            if (*piece)
                write_for_rank(descriptor, piece, std::strlen(piece));
    }
}

int override_dlinfo(void *handle, int request, void *argument) {
    LoaderLock lock;
    if (request != RTLD_DI_LINKMAP)
        return ::dlinfo(original_handle(image(), handle), request, argument);
    *static_cast<link_map **>(argument) = link_map_of(image(), handle);
    return 0;
}

// libstdc++ registers the destructors of thread-local variables here. The plug-in with the
// destructor stays loaded, even after dlclose().
int override_thread_atexit(void (*destructor)(void *), void *object, void *dso_handle) {
    using Register = int(void (*)(void *), void *, void *);
    static auto *const real =
        reinterpret_cast<Register *>(::dlsym(RTLD_DEFAULT, "__cxa_thread_atexit_impl"));
    keep_plugin(image(), dso_handle);
    return real(destructor, object, dso_handle);
}

const FunctionOverride table[] = {
    OVERRIDE("dlsym", override_dlsym),
    OVERRIDE("dlvsym", override_dlvsym),
    OVERRIDE("dlopen", override_dlopen),
    OVERRIDE("dlmopen", override_dlmopen),
    OVERRIDE("dlclose", override_dlclose),
    OVERRIDE("dlerror", override_dlerror),
    OVERRIDE("dladdr", override_dladdr),
    OVERRIDE("dladdr1", override_dladdr1),
    OVERRIDE("dlinfo", override_dlinfo),
    OVERRIDE("backtrace_symbols", override_backtrace_symbols),
    OVERRIDE("backtrace_symbols_fd", override_backtrace_symbols_fd),
    OVERRIDE("__cxa_thread_atexit_impl", override_thread_atexit),
};

} // namespace

LIBC_FUNCTIONS(table);

} // namespace thrum
