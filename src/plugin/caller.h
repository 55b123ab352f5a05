// PluginCaller: the rank that calls dlopen(), dlsym() or a related function.
#pragma once
#include "image/image.h"

namespace thrum {

// What dlopen() must know about its caller. libc/dynamic_linking.cc fills it in.
struct PluginCaller {
    const Image *image = nullptr;
    const void *address = nullptr; // in the code that has called
    void *main_thread = nullptr;   // FS base of the rank's own task
    int images = 1;                // how many the job may have, the originals included
    int argc = 0;                  // what constructors get
    char **argv = nullptr;
    char **environment = nullptr;
    void (*before_construction)(const char *path) = nullptr; // called for each new library
};

} // namespace thrum
