// Answers the unwinder for code in clones. Exported from libmpi, in front of the C library's
// functions. libgcc_s of GCC 12 and later calls _dl_find_object, other unwinders dl_iterate_phdr.
//
// A clone answers like its original, moved along: the address arithmetic of find_clone() instead of
// a registration (__register_frame sorts at the first throw: 6 s with 1,000 ranks).
#include "image/addresses.h"
#include "image/plugin_table.h"
#include "image/sharing.h"

#include <dlfcn.h>
#include <link.h>

namespace thrum {
namespace {

using FindObject = int(void *, dl_find_object *);
using VisitHeaders = int(dl_phdr_info *, size_t, void *);
using IterateHeaders = int(VisitHeaders *, void *);

// The C library's functions. The constructor below finds them before there is a second thread: a
// signal handler that prints a backtrace must not be the first to call dlsym(). A sanitizer's
// constructor may be earlier, so the functions below look for them, too.
constinit FindObject *real_find_object = nullptr;
constinit IterateHeaders *real_iterate_headers = nullptr;

[[gnu::constructor(101)]] void find_real_functions() {
    if (real_find_object)
        return;
    real_iterate_headers =
        reinterpret_cast<IterateHeaders *>(::dlsym(RTLD_NEXT, "dl_iterate_phdr"));
    real_find_object = reinterpret_cast<FindObject *>(::dlsym(RTLD_NEXT, "_dl_find_object"));
}

void *moved(void *address, uintptr_t distance) {
    return static_cast<char *>(address) + distance;
}

// Answers for the executable of a further program: ld.so does not know it, so there is no answer to
// move.
int answer_for_program(const ClonePlace &place, uintptr_t pc, dl_find_object *result) {
    const Object &object = *place.object;
    uintptr_t distance = pc - place.original;
    *result = {};
    result->dlfo_map_start = reinterpret_cast<void *>(object.low + distance);
    result->dlfo_map_end = reinterpret_cast<void *>(object.high + distance);
    for (const ElfW(Phdr) & p : object.headers)
        if (p.p_type == PT_GNU_EH_FRAME)
            result->dlfo_eh_frame = reinterpret_cast<void *>(object.bias + p.p_vaddr + distance);
    return result->dlfo_eh_frame ? 0 : -1;
}

// The caller's request, with the image whose copies it is to see.
struct Visit {
    VisitHeaders *function;
    void *argument;
    const Image *image;
};

// Returns the private plug-in whose original holds `address`, or nullptr.
const Plugin *plugin_around(uintptr_t address) {
    for (int i = 0, n = plugin_slots(); i < n; ++i)
        if (const Plugin *p = plugin_at(i);
            p && p->object.is_private() && p->object.contains(address))
            return p;
    return nullptr;
}

// Passes one entry of ld.so's list on, moved to the calling rank's copy. The entry of the process's
// executable becomes that of the rank's program. Plug-ins that this rank does not have are left
// out.
int visit_moved(dl_phdr_info *info, size_t size, void *argument) {
    auto *visit = static_cast<Visit *>(argument);
    dl_phdr_info copy = *info;
    const Program &program = program_of(visit->image);
    auto headers = reinterpret_cast<uintptr_t>(info->dlpi_phdr);
    const Object *object = nullptr;
    if (const Plugin *plugin = plugin_around(headers)) {
        if (!copy_of(visit->image, *plugin))
            return 0; // another rank's
        object = &plugin->object;
    }
    for (const Object &candidate : program.objects)
        if (candidate.contains(headers))
            object = &candidate;
    if (&program != &program_at(0) && objects()[0].contains(headers)) {
        object = &program.objects[0];
        copy.dlpi_addr = object->bias;
        copy.dlpi_phdr = object->headers.data();
        copy.dlpi_phnum = static_cast<ElfW(Half)>(object->headers.size());
        copy.dlpi_tls_modid = 0;
        copy.dlpi_tls_data = nullptr;
    }
    if (object && object->is_private()) {
        auto delta = static_cast<uintptr_t>(delta_of(visit->image, *object));
        copy.dlpi_addr += delta;
        copy.dlpi_phdr = reinterpret_cast<const ElfW(Phdr) *>(
            reinterpret_cast<uintptr_t>(copy.dlpi_phdr) + delta);
    }
    return visit->function(&copy, size, visit->argument);
}

// A sanitizer keeps what it learns here for the whole process: to name places in the program, and
// to know where variables are. It reads each object's debug information again, which takes time.
constexpr int images_shown_max = 64;

bool is_sanitizer(uintptr_t address) {
    const Object *object = find_object(address);
    return object && is_sanitizer_runtime(object->path);
}

// Reports the clones of one image. Returns what `function` returns: not 0 ends the iteration.
int visit_image(const Image &image, VisitHeaders *function, void *argument) {
    for (const Object &object : image.program->objects) {
        if (!object.is_private())
            continue;
        auto delta = static_cast<uintptr_t>(delta_of(&image, object));
        dl_phdr_info info{};
        info.dlpi_addr = object.bias + delta;
        info.dlpi_name = object.path;
        info.dlpi_phdr = reinterpret_cast<const ElfW(Phdr) *>(
            reinterpret_cast<uintptr_t>(object.headers.data()) + delta);
        info.dlpi_phnum = static_cast<ElfW(Half)>(object.headers.size());
        if (int answer = function(&info, sizeof info, argument))
            return answer;
    }
    return 0;
}

// Reports ld.so's list, and then the first clones.
int visit_all_images(VisitHeaders *function, void *argument) {
    int answer = real_iterate_headers(function, argument);
    int shown = 0;
    for (int p = 0; p < program_count(); ++p)
        for_each_image(program_at(p), [&](const Image &image, const Region &, int) {
            if (!answer && ++shown <= images_shown_max)
                answer = visit_image(image, function, argument);
        });
    return answer;
}

} // namespace
} // namespace thrum

extern "C" [[gnu::visibility("default")]] int _dl_find_object(void *pc,
                                                              dl_find_object *result) noexcept {
    using namespace thrum;
    find_real_functions();
    ClonePlace place = find_clone(reinterpret_cast<uintptr_t>(pc));
    if (!place.image)
        return real_find_object(pc, result);
    if (place.object->is_executable && place.image->program != &program_at(0))
        return answer_for_program(place, reinterpret_cast<uintptr_t>(pc), result);
    int error = real_find_object(reinterpret_cast<void *>(place.original), result);
    if (error)
        return error;
    uintptr_t distance = reinterpret_cast<uintptr_t>(pc) - place.original;
    result->dlfo_map_start = moved(result->dlfo_map_start, distance);
    result->dlfo_map_end = moved(result->dlfo_map_end, distance);
    if (result->dlfo_eh_frame)
        result->dlfo_eh_frame = moved(result->dlfo_eh_frame, distance);
    return 0;
}

// Reports the calling rank's objects instead of the originals; to a sanitizer, those of all ranks.
extern "C" [[gnu::visibility("default")]] int
dl_iterate_phdr(int (*function)(dl_phdr_info *, size_t, void *), void *argument) {
    using namespace thrum;
    find_real_functions();
    // A sanitizer's run time calls this while it initialises. It cannot serve its callbacks yet,
    // and everything that this function might call is compiled with them.
    if (!has_captured())
        return real_iterate_headers(function, argument);
    if (is_sanitizer(reinterpret_cast<uintptr_t>(__builtin_return_address(0))))
        return visit_all_images(function, argument);
    const Image *image = current_image();
    if (!image && plugin_slots() == 0)
        return real_iterate_headers(function, argument);
    Visit visit{function, argument, image};
    return real_iterate_headers(visit_moved, &visit);
}
