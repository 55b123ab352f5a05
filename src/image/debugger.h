// What a debugger reads about images, in the memory of the process: a list of the private objects,
// and link maps of the copies of plug-ins. debugger.cc explains the link maps of clones.
#pragma once
#include <cstddef>
#include <cstdint>

namespace thrum {

struct PluginCopy; // image/plugin_table.h

// A private object of a program, at the addresses of its original. In the image of a rank it is
// moved by image.deltas[private_index]. Only 64-bit fields: a script of gdb reads them by offset
// (cmd/gdb).
struct DebuggedObject {
    const char *path;
    uint64_t bias;
    uint64_t low, high; // [low, high): all its segments
    uint64_t private_index;
    const void *program; // Image::program of the images that have it
};

// The objects of all programs, ended by one without a path; nullptr until images are published.
extern const DebuggedObject *debugged_objects;
// Adds the programs that have been loaded since the last call.
void list_debugged_objects();
// The number of ranks whose clones gdb finds in the list of link maps. 0: there are too many for
// it.
extern int published_ranks;

// Return the offsets of two fields of Image, which is private to this folder.
size_t image_deltas_offset();
size_t image_program_offset();

// Adds the link map of a copy to the list that gdb reads.
void show_to_debugger(PluginCopy &copy);
// Removes it from the list. Both are called with plugin_mutex() held.
void hide_from_debugger(PluginCopy &copy);
// Makes an attached gdb read the list again.
void make_debugger_look();

} // namespace thrum
