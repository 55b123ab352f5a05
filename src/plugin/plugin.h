// Plug-ins: libraries that a rank loads with dlopen() after its start. ld.so loads and relocates
// the original, of which nothing ever runs but resolvers of indirect functions; each rank that
// opens the library gets a copy of it, bound by symbol lookup in the scope that the rank would have
// in a process of its own (docs/images.md). Libraries of the shared set are loaded once, by ld.so
// alone.
//
// Of two calls for the same image one must be over before the other begins (dlopen() holds a lock,
// too), constructors and destructors that they run excepted.
#pragma once
#include "image/image.h"
#include "plugin/caller.h"

#include <link.h>
#include <string>
#include <vector>

namespace thrum {

// dlopen(file, flags) for `caller`: a handle of its own for a private library, ld.so's for one that
// is shared or was there at the start; nullptr and a reason in `error`, which stays empty if
// RTLD_NOLOAD has found nothing. Runs constructors.
void *open_plugin(const PluginCaller &caller, const char *file, int flags, std::string &error);
// dlclose(): false and a reason in `error` if `handle` is none. Runs destructors.
bool close_plugin(const Image *image, void *handle, std::string &error);
// The destructors of all plug-ins that are still open, at the end of the rank.
void run_plugin_destructors(const Image *image);

// dlsym(), or dlvsym() if there is a version; nullptr and a reason in `error`: not defined. (A
// symbol may be at address 0: `error` is empty then.)
void *find_symbol(const PluginCaller &caller, void *handle, const char *name, const char *version,
                  std::string &error);

// The handle of ld.so for the original behind `handle`; itself if it is ld.so's.
void *original_handle(const Image *image, void *handle);
// The link map of `handle` with the addresses of the rank's copy.
link_map *link_map_of(const Image *image, void *handle);
// The same for a link map of ld.so's.
link_map *link_map_of_original(const Image *image, link_map *original);
// How far the object that holds the address is from its original. Its variables may be further
// (--privatize).
ptrdiff_t distance_of_object(const void *address);

// The rank has ended, and its image goes: so do its copies.
void forget_plugins(const Image *image);

// The object of `dso_handle` has thread-local variables with destructors: it stays loaded.
void keep_plugin(const Image *image, const void *dso_handle);

// The calling thread, made by the rank, starts: it gets thread-local initial values of plug-ins,
// and those of what is opened later. And ends.
void enter_plugin_thread(const Image *image);
void leave_plugin_thread(const Image *image);

} // namespace thrum
