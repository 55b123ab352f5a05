// gdb learns of the clones from a further "namespace" in ld.so's r_debug list (glibc 2.35, gdb 13).
// It contains link maps of our own, one for each object of each clone, which ld.so itself never
// walks. Every clone then has symbols and lines, in `bt` as in `break`. gdb itself takes a global
// of rank 0 for that of any rank; libmpi_abi.so.1-gdb.py (cmd/gdb) corrects this, by the list of
// debugged objects.
#include "image/debugger.h"

#include "base/settings.h"
#include "image/addresses.h"
#include "image/plugin_table.h"

#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <unistd.h>

extern "C" [[gnu::visibility("default"), gnu::noinline]] void thrum_debug_state();

// A place for a breakpoint: here all clones are known to the debugger. The empty assembly keeps the
// compiler from removing calls.
void thrum_debug_state() {
    __asm__ volatile("");
}

namespace thrum {

constinit const DebuggedObject *debugged_objects = nullptr;
constinit int published_ranks = 0;

size_t image_deltas_offset() {
    return offsetof(Image, deltas);
}

size_t image_program_offset() {
    return offsetof(Image, program);
}

namespace {

// gdb's time is quadratic in this number: 6 s for 4,000.
constexpr long link_maps_max = 4096;

constinit GrowingArray<link_map> link_maps;
constinit r_debug_extended clones_debug{};
constinit link_map *last_plugin = nullptr;
constinit long plugin_maps = 0;

// Returns ld.so's r_debug, by the word that it has written for debuggers into the executable.
r_debug_extended *find_r_debug() {
    for (const ElfW(Dyn) *d = objects()[0].dynamic; d && d->d_tag != DT_NULL; ++d)
        if (d->d_tag == DT_DEBUG)
            return reinterpret_cast<r_debug_extended *>(d->d_un.d_ptr);
    return nullptr;
}

// Returns whether a debugger is attached. Without one, the work that makes gdb look is not done.
bool is_traced() {
    char status[2048] = "";
    int fd = ::open("/proc/self/status", O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    (void)!::read(fd, status, sizeof status - 1);
    ::close(fd);
    const char *line = std::strstr(status, "TracerPid:");
    return line && std::strtol(line + std::strlen("TracerPid:"), nullptr, 10) != 0;
}

// Appends a link map for each private object of the clone: the fields that gdb reads.
void add_link_maps(const Image &image) {
    for (const Object &object : image.program->objects) {
        if (!object.is_private())
            continue;
        auto moved = static_cast<uintptr_t>(delta_of(&image, object));
        link_map map{};
        map.l_addr = object.bias + moved;
        map.l_name = const_cast<char *>(object.path);
        map.l_ld =
            reinterpret_cast<ElfW(Dyn) *>(reinterpret_cast<uintptr_t>(object.dynamic) + moved);
        link_maps.push_back(map);
    }
}

// Links the maps when all are there: the array moves while it grows.
void make_link_maps() {
    for (int p = 0; p < program_count(); ++p)
        for_each_image(program_at(p),
                       [](const Image &image, const Region &, int) { add_link_maps(image); });
    for (size_t i = 1; i < link_maps.size(); ++i) {
        link_maps[i].l_prev = &link_maps[i - 1];
        link_maps[i - 1].l_next = &link_maps[i];
    }
}

} // namespace

// gdb reads the whole list again when a library has been unloaded. So one is loaded and unloaded:
// an empty one of glibc's.
void make_debugger_look() {
    if (!is_traced())
        return;
    if (void *library = ::dlopen("libutil.so.1", RTLD_LAZY | RTLD_LOCAL))
        ::dlclose(library);
}

void list_debugged_objects() {
    static constinit GrowingArray<DebuggedObject> list;
    static constinit int programs_listed = 0;
    if (!list.empty())
        list.shrink_to(list.size() - 1); // its end
    for (; programs_listed < program_count(); ++programs_listed) {
        const Program &program = program_at(programs_listed);
        for (const Object &object : program.objects)
            if (object.is_private())
                list.push_back({object.path, object.bias, object.low, object.high,
                                static_cast<uint64_t>(object.private_index), &program});
    }
    list.push_back({});
    debugged_objects = list.begin();
}

void publish_images() {
    list_debugged_objects();
    long count = 0;
    for (int p = 0; p < program_count(); ++p)
        for_each_image(program_at(p), [&](const Image &, const Region &, int) {
            count += program_at(p).image_template.private_count;
        });
    r_debug_extended *debug = find_r_debug();
    if (!debug || count == 0 || count > link_maps_max)
        return;
    make_link_maps();
    clones_debug.base.r_version = 2;
    clones_debug.base.r_map = link_maps.begin();
    clones_debug.base.r_brk = reinterpret_cast<ElfW(Addr)>(thrum_debug_state);
    clones_debug.base.r_state = r_debug::RT_CONSISTENT;
    clones_debug.base.r_ldbase = debug->base.r_ldbase;
    // The clones are one more namespace at the end of the list. Debuggers follow r_next from
    // version 2 on.
    r_debug_extended *last = debug;
    while (last->r_next)
        last = last->r_next;
    last->r_next = &clones_debug;
    debug->base.r_version = 2;
    published_ranks = settings().ranks;
    make_debugger_look();
    thrum_debug_state();
}

// Copies of plug-ins come at the end of the list, behind the clones.
void show_to_debugger(PluginCopy &copy) {
    if (!clones_debug.base.r_brk ||
        plugin_maps + static_cast<long>(link_maps.size()) >= link_maps_max)
        return;
    link_map *last = last_plugin ? last_plugin : &link_maps.back();
    last->l_next = &copy.map;
    copy.map.l_prev = last;
    last_plugin = &copy.map;
    ++plugin_maps;
}

void hide_from_debugger(PluginCopy &copy) {
    if (!copy.map.l_prev)
        return;
    copy.map.l_prev->l_next = copy.map.l_next;
    if (copy.map.l_next)
        copy.map.l_next->l_prev = copy.map.l_prev;
    else
        last_plugin = copy.map.l_prev == &link_maps.back() ? nullptr : copy.map.l_prev;
    copy.map.l_prev = copy.map.l_next = nullptr;
    --plugin_maps;
}

} // namespace thrum
