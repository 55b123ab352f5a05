// PluginCaller: who calls dlopen(), dlsym() and their kin.
#pragma once
#include "image/image.h"

namespace thrum {

// What dlopen() knows of its caller.
struct PluginCaller {
    const Image *image = nullptr;
    const void *address = nullptr; // in the code that has called
    void *main_thread = nullptr;   // FS base of the rank's own task
    int images = 1;                // that there will be, the originals included
    int argc = 0;                  // what constructors get
    char **argv = nullptr;
    char **environment = nullptr;
    void (*before_construction)(const char *path) = nullptr; // of each library, by its own thread
};

} // namespace thrum
