// The images: capture() once, reserve_images() once, make_image() for each clone.
//
// Call tree of make_image, the hot path of start-up (8 us for a C program):
//     map_text        one mmap for each text run
//     fill_data       memcpy from the template
//     apply_fixups    one addition for each relocated slot
#include "image/clone.h"

#include "image/copies.h"
#include "image/originals.h"
#include "image/overrides.h"
#include "image/refuse.h"

#include <cerrno>
#include <cstring>
#include <sys/mman.h>

namespace thrum {
namespace {

constinit const intptr_t no_deltas[private_objects_max]{};
constinit const Image originals{0, nullptr, no_deltas};
constinit Template image_template;
constinit Overrides overrides{};

struct Region {
    char *low = nullptr;
    size_t stride_bytes = 0;
    int count = 0;
    Image *images = nullptr;    // by number - 1
    intptr_t *deltas = nullptr; // of all images, private_count for each
};

constinit Region region;

// The image of the rank that runs here; the thunks read it. Each fiber has its own.
constinit thread_local const Image *current = &originals;

void *map_anonymous(size_t size_bytes) {
    return ::mmap(nullptr, size_bytes, PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
}

void map_fixed(int number, char *at, size_t size_bytes, int protection, int flags, int file,
               off_t offset) {
    if (::mmap(at, size_bytes, protection, MAP_FIXED | MAP_PRIVATE | flags, file, offset) ==
        MAP_FAILED)
        die_of_mapping(number, errno);
}

void map_text(int number, char *base) {
    for (const TextRun &run : image_template.texts)
        map_fixed(number, base + run.offset, run.size_bytes, PROT_READ | PROT_EXEC, 0, run.file,
                  run.file_offset);
}

void fill_data(int number, char *base) {
    for (const DataRun &run : image_template.data) {
        char *at = base + run.offset;
        switch (run.kind) {
        case DataKind::Copied:
            // One call instead of a fault for each page; older kernels refuse it, which is
            // harmless.
            ::madvise(at, run.size_bytes, MADV_POPULATE_WRITE);
            std::memcpy(at, image_template.bytes + run.offset, run.size_bytes);
            break;
        case DataKind::CopyOnWrite:
            map_fixed(number, at, run.size_bytes, PROT_READ | PROT_WRITE, 0, image_template.file,
                      static_cast<off_t>(run.offset));
            break;
        case DataKind::FreshZero:
            map_fixed(number, at, run.size_bytes, PROT_READ | PROT_WRITE,
                      MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
            break;
        }
    }
}

void apply_fixups(char *base, void *variables) {
    auto distance = reinterpret_cast<uintptr_t>(base);
    for (size_t offset : image_template.fixups)
        store_word(base + offset, load_word(base + offset) + distance);
    for (const VariableFixup &v : image_template.variable_fixups)
        store_word(base + v.offset, reinterpret_cast<uintptr_t>(variables) + v.variable_offset +
                                        static_cast<uintptr_t>(v.addend));
}

long mappings_per_image() {
    long mappings = static_cast<long>(image_template.texts.size()) + image_template.private_count;
    for (const DataRun &run : image_template.data)
        mappings += run.kind != DataKind::Copied;
    return mappings;
}

} // namespace

Template &the_template() {
    return image_template;
}

void capture(const Overrides &wanted, const char *shared_list) {
    overrides = wanted;
    scan_objects(shared_list);
    refuse_unsuitable_objects();
    build_template(image_template);
    CHECK(image_template.private_count <= private_objects_max);
    collect_fixups(image_template, overrides);
    order_constructors();
    override_originals(overrides);
    bind_upcalls();
}

void reserve_images(int count) {
    if (count == 0)
        return;
    refresh_copies(image_template, overrides);
    refuse_too_many_mappings(count, mappings_per_image());
    size_t alignment = image_template.alignment;
    region.stride_bytes = (image_template.size_bytes + alignment - 1) & ~(alignment - 1);
    size_t total = region.stride_bytes * static_cast<size_t>(count) + alignment;
    auto images = static_cast<size_t>(count);
    void *tables = map_anonymous(
        images *
        (sizeof(Image) + sizeof(intptr_t) * static_cast<size_t>(image_template.private_count)));
    void *memory = map_anonymous(total);
    if (memory == MAP_FAILED || tables == MAP_FAILED)
        die(refusal_exit_code,
            "cannot reserve %zu MiB of addresses for the images of %d ranks (%zu KiB each): %s. "
            "Check ulimit -v and vm.overcommit_memory, or use fewer ranks",
            total >> 20, count + 1, region.stride_bytes >> 10, std::strerror(errno));
    // Transparent huge pages would give each rank's few data pages 2 MiB.
    ::madvise(memory, total, MADV_NOHUGEPAGE);
    auto low = (reinterpret_cast<uintptr_t>(memory) + alignment - 1) & ~(alignment - 1);
    region.low = reinterpret_cast<char *>(low);
    region.images = static_cast<Image *>(tables);
    region.deltas = reinterpret_cast<intptr_t *>(region.images + images);
    region.count = count;
}

Image *make_image(int number, void *variables) {
    CHECK(number >= 1 && number <= region.count, "image %d of %d", number, region.count);
    char *base = clone_base(number);
    map_text(number, base);
    fill_data(number, base);
    apply_fixups(base, variables);
    intptr_t *deltas = region.deltas + (number - 1) * image_template.private_count;
    for (const Object &object : objects())
        if (object.is_private())
            deltas[object.private_index] =
                base + object.image_offset - reinterpret_cast<char *>(object.low);
    Image *image = &region.images[number - 1];
    *image = {number, base, deltas};
    return image;
}

void set_current_image(const Image *image) {
    current = image ? image : &originals;
}

const Image *current_image() {
    return current->number ? current : nullptr;
}

int32_t current_image_tls_offset() {
    uintptr_t fs;
    __asm__("mov %%fs:0, %0" : "=r"(fs));
    return static_cast<int32_t>(reinterpret_cast<uintptr_t>(&current) - fs);
}

void *translate(const Image *image, const void *address) {
    auto a = reinterpret_cast<uintptr_t>(address);
    const Object *object = image ? find_object(a) : nullptr;
    if (object && object->is_private())
        a += static_cast<uintptr_t>(delta_of(image, *object));
    return reinterpret_cast<void *>(a);
}

void *copied_variable(const Image *image, const char *name) {
    const CopiedVariable *copy = objects().empty() ? nullptr : find_copy(name);
    return copy ? translate(image, reinterpret_cast<void *>(copy->address)) : nullptr;
}

void initialise_tls(const Image *image, void *thread_pointer) {
    if (!image)
        return; // ld.so has done it from the originals
    for (const Object &object : objects())
        if (object.is_private() && object.tls_has_fixups)
            std::memcpy(static_cast<char *>(thread_pointer) - object.tls_offset,
                        reinterpret_cast<void *>(object.tls_image +
                                                 static_cast<uintptr_t>(delta_of(image, object))),
                        object.tls_file_bytes);
}

int clone_count() {
    return region.count;
}

char *clone_base(int number) {
    return region.low + region.stride_bytes * static_cast<size_t>(number - 1);
}

ClonePlace find_clone(uintptr_t address) {
    size_t offset = address - reinterpret_cast<uintptr_t>(region.low);
    if (region.count == 0 || offset >= region.stride_bytes * static_cast<size_t>(region.count))
        return {};
    int number = 1 + static_cast<int>(offset / region.stride_bytes);
    offset %= region.stride_bytes;
    for (const Object &object : objects())
        if (object.is_private() && offset - object.image_offset < object.high - object.low)
            return {number, &object, object.low + (offset - object.image_offset)};
    return {};
}

} // namespace thrum
