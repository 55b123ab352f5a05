// Plug-ins: libraries that a rank loads with dlopen() after its start. ld.so loads and relocates
// the original, of which nothing ever runs except resolvers of indirect functions. Each rank that
// opens the library gets a copy of it, bound by symbol lookup in the scope that the rank would have
// in a process of its own (docs/images.md). Libraries of the shared set are loaded once, by ld.so
// alone.
//
// Calls for the same image must not overlap (dlopen() holds a lock, too), except that the
// constructors and destructors that they run may call again.
#pragma once
#include "image/image.h"
#include "plugin/caller.h"

#include <link.h>
#include <string>
#include <vector>

namespace thrum {

// Does dlopen(file, flags) for `caller`. Returns a handle of its own for a private library, ld.so's
// for one that is shared or was loaded at the start. Returns nullptr, and the reason in `error`, on
// failure; `error` stays empty if RTLD_NOLOAD has found nothing. Runs constructors.
void *open_plugin(const PluginCaller &caller, const char *file, int flags, std::string &error);
// Does dlclose(). Returns false, and the reason in `error`, if `handle` is not valid. Runs
// destructors.
bool close_plugin(const Image *image, void *handle, std::string &error);
// Runs the destructors of all plug-ins that are still open, at the end of the rank.
void run_plugin_destructors(const Image *image);

// Does dlsym(), or dlvsym() if there is a version. Returns nullptr, and the reason in `error`, if
// the symbol is not defined. (A symbol may be at address 0: then `error` is empty.)
void *find_symbol(const PluginCaller &caller, void *handle, const char *name, const char *version,
                  std::string &error);

// Returns ld.so's handle for the original behind `handle`; `handle` itself if it is ld.so's.
void *original_handle(const Image *image, void *handle);
// Returns the link map of `handle` with the addresses of the rank's copy.
link_map *link_map_of(const Image *image, void *handle);
// Returns the same for a link map of ld.so's.
link_map *link_map_of_original(const Image *image, link_map *original);
// Returns how far the object that holds the address is from its original. Its variables may be
// further away (--privatize).
ptrdiff_t distance_of_object(const void *address);

// Removes the copies of a rank that has ended, before its image is removed.
void forget_plugins(const Image *image);

// Keeps the object of `dso_handle` loaded, because it has thread-local variables with destructors.
void keep_plugin(const Image *image, const void *dso_handle);

// Gives the calling thread, which the rank has made, the thread-local initial values of the open
// plug-ins and of those that are opened later; and ends that.
void enter_plugin_thread(const Image *image);
void leave_plugin_thread(const Image *image);

} // namespace thrum
