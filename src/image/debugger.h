// Data about images that a debugger reads, beside the link maps of debugger.cc.
#pragma once
#include <cstddef>
#include <cstdint>

namespace thrum {

struct PluginCopy; // image/plugin_table.h

// A private object of a program, as rank 0 or, of a further program, nobody uses it. In the image
// of a rank it is moved by image.deltas[private_index]. Only 64-bit fields: read from outside.
struct DebuggedObject {
    const char *path;
    uint64_t bias;
    uint64_t low, high; // [low, high): all its segments
    uint64_t private_index;
    const void *program; // Image::program of the images that have it
};

// The objects of all programs, ended by one without path; null until images are published.
extern const DebuggedObject *debugged_objects;
// Adds programs that have been loaded since the last call.
void list_debugged_objects();
// gdb finds the clones of the ranks below this number in the list of link maps. 0: they may be too
// many for it.
extern int published_ranks;

size_t image_deltas_offset();
size_t image_program_offset();

// Adds the link map of a copy to the list that gdb reads, and removes it.
void show_to_debugger(PluginCopy &copy);
void hide_from_debugger(PluginCopy &copy);
void make_debugger_look();

} // namespace thrum
