// The images: capture() once, reserve_images() once, make_image() for each clone. Memory is
// reserved in regions (programs.h), which are never given back; a removed image leaves its place to
// the next one.
//
// Call tree of make_image, the hot path of start-up (8 us for a C program):
//     map_text        one mmap for each text run
//     fill_data       memcpy from the template
//     apply_fixups    one addition for each relocated slot
#include "base/settings.h"
#include "base/tools.h"
#include "image/addresses.h"
#include "image/constructors.h"
#include "image/copies.h"
#include "image/fill_image.h"
#include "image/originals.h"
#include "image/overrides.h"
#include "image/privatized.h"
#include "image/processor.h"
#include "image/refuse.h"
#include "image/tools.h"
#include "image/valgrind.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <new>
#include <sys/mman.h>

namespace thrum {
namespace {

constinit int spare_blocks = 0; // of privatized programs, for ranks that are added later

// Reserves addresses; a page costs memory when it is first written.
void *map_anonymous(size_t size_bytes) {
    return ::mmap(nullptr, size_bytes, PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
}

// Moves the words of a new image that hold addresses: the template has them as offsets in the
// image.
void apply_fixups(const Template &image_template, char *base, void *variables) {
    auto distance = reinterpret_cast<uintptr_t>(base);
    for (size_t offset : image_template.fixups)
        store_word(base + offset, load_word(base + offset) + distance);
    for (const VariableFixup &v : image_template.variable_fixups)
        store_word(base + v.offset, reinterpret_cast<uintptr_t>(variables) + v.variable_offset +
                                        static_cast<uintptr_t>(v.addend));
}

// Returns how many of the kernel's mappings one image takes: each text run, each object's data, and
// the data that has a mapping of its own.
long mappings_per_image(const Template &image_template) {
    long mappings = static_cast<long>(image_template.texts.size()) + image_template.private_count;
    for (const DataRun &run : image_template.data)
        mappings += run.kind != DataKind::Copied;
    return mappings;
}

// Does the rest of capture() for a privatised program. Only its private areas are laid out; objects
// get numbers, which upcalls and constructors use.
void capture_privatized() {
    Template &t = the_template();
    for (Object &object : objects())
        if (object.is_private())
            object.private_index = t.private_count++;
    order_constructors(program_at(0));
    override_originals(captured_overrides());
    bind_upcalls(false);
    capture_private_areas(captured_overrides());
}

} // namespace

// The order matters: refusals come before anything is changed, tools before the template is taken
// (their slots are copied into it), and the originals' overrides after it, since the template has
// its own.
void capture(const Overrides &wanted, const char *shared_list) {
    the_capture.overrides = wanted;
    the_capture.shared_list = shared_list;
    the_capture.is_done = true;
    scan_objects(shared_list);
    the_capture.is_privatized = is_privatized_program(wanted, settings().programs != nullptr);
    refuse_unsuitable_objects();
    bind_tools(); // before the template is taken
    if (program_is_privatized()) {
        capture_privatized();
        return;
    }
    for (const Object &object : objects())
        if (object.is_private())
            ask_the_processor(object);
    Template &image_template = the_template();
    build_template(image_template, objects());
    CHECK(image_template.private_count <= private_objects_max);
    collect_fixups(image_template, captured_overrides(), program_at(0).copies);
    order_constructors(program_at(0));
    override_originals(captured_overrides());
    bind_upcalls(true);
}

void let_tools_intercept(const char *shared_list) {
    scan_objects(shared_list);
    bind_tools();
}

size_t image_bytes(int program) {
    if (program_is_privatized())
        return block_bytes();
    const Template &image_template = program_at(program).image_template;
    size_t bytes = 0;
    for (const DataRun &run : image_template.data) {
        // A page that is mapped copy-on-write is written only if it has fixups.
        if (run.kind == DataKind::Copied)
            bytes += run.size_bytes;
        size_t last = SIZE_MAX; // page; the fixups are sorted
        for (size_t offset : image_template.fixups)
            if (run.kind == DataKind::CopyOnWrite && offset - run.offset < run.size_bytes &&
                offset / page_bytes != last) {
                last = offset / page_bytes;
                bytes += page_bytes;
            }
    }
    return bytes;
}

bool images_are_clones() {
    return !program_is_privatized();
}

namespace {

// Adds a region for `count` images. Returns 0 or an errno. Readers may look at regions at the same
// time, so the count is published last.
int add_region(int count, int program) {
    int number = program_at(program).region_count.load(std::memory_order_relaxed);
    CHECK(number < regions_max, "more than %d regions of images", regions_max);
    Region &region = program_at(program).regions[number];
    if (program_is_privatized()) {
        void *images = map_anonymous(static_cast<size_t>(count) * sizeof(Image));
        CHECK(images != MAP_FAILED, "out of memory for %d images", count);
        region.images = static_cast<Image *>(images);
        region.count = count;
        program_at(program).region_count.store(number + 1, std::memory_order_release); // [region-1]
        return 0;
    }
    const Template &image_template = program_at(program).image_template;
    size_t alignment = image_template.alignment;
    region.stride_bytes = (image_template.size_bytes + alignment - 1) & ~(alignment - 1);
    size_t total = region.stride_bytes * static_cast<size_t>(count) + alignment;
    auto images = static_cast<size_t>(count);
    // Room for the upcalls of shared libraries that are opened later.
    region.upcall_stride = upcall_count() + 16;
    void *tables = map_anonymous(
        images *
        (sizeof(Image) + sizeof(intptr_t) * static_cast<size_t>(image_template.private_count)));
    void *upcalls = map_anonymous(images * region.upcall_stride * sizeof(uintptr_t));
    void *memory = map_anonymous(total);
    if (memory == MAP_FAILED || tables == MAP_FAILED || upcalls == MAP_FAILED)
        return errno;
    // Transparent huge pages would give each rank's few data pages 2 MiB.
    ::madvise(memory, total, MADV_NOHUGEPAGE);
    auto low = (reinterpret_cast<uintptr_t>(memory) + alignment - 1) & ~(alignment - 1);
    region.low = reinterpret_cast<char *>(low);
    region.images = static_cast<Image *>(tables);
    region.deltas = reinterpret_cast<intptr_t *>(region.images + images);
    region.upcalls = static_cast<uintptr_t *>(upcalls);
    region.count = count;
    add_leak_check_root(region.low, region.stride_bytes * images);
    program_at(program).region_count.store(number + 1, std::memory_order_release); // [region-1]
    return 0;
}

// Adds a region for the start of the job; ends the process if that fails.
void reserve_region(int count, int program) {
    int error = add_region(count, program);
    size_t stride = program_at(program).regions[0].stride_bytes;
    if (error)
        die(refusal_exit_code,
            "cannot reserve %zu MiB of addresses for the images of %d ranks (%zu KiB each): %s. "
            "Check ulimit -v and vm.overcommit_memory, or use fewer ranks",
            stride * static_cast<size_t>(count) >> 20, count + 1, stride >> 10,
            std::strerror(error));
}

} // namespace

void keep_room_for_more_images(int count) {
    spare_blocks = count;
}

void reserve_images(const int *counts, int program_count) {
    MappingDemand demands[programs_max];
    size_t demand_count = 0;
    long ranks = 1; // the first runs the originals
    for (int p = 0; p < program_count; ++p) {
        if (counts[p] == 0)
            continue;
        if (!program_is_privatized())
            demands[demand_count++] = {program_at(p).objects[0].path, counts[p],
                                       mappings_per_image(program_at(p).image_template)};
        ranks += counts[p];
    }
    refuse_too_many_mappings(ranks, demands, demand_count, why_cloned());
    if (!program_is_privatized())
        refresh_copies(program_at(0), captured_overrides());
    else if (counts[0] + spare_blocks > 0)
        reserve_blocks(counts[0], spare_blocks);
    for (int p = 0; p < program_count; ++p)
        if (counts[p] > 0)
            reserve_region(counts[p], p);
}

namespace {

// Where an image is or will be: a region and its index there.
struct ImagePlace {
    Region *region;
    int index;
};

// Returns the place of an image that has been removed, or else the next reserved one.
ImagePlace take_place(int program) {
    Program &p = program_at(program);
    if (p.free_images.size() > 0) {
        Image *image = p.free_images[p.free_images.size() - 1];
        p.free_images.shrink_to(p.free_images.size() - 1);
        for (int r = 0; r < regions_of(p); ++r)
            if (auto index = image - p.regions[r].images; index >= 0 && index < p.regions[r].count)
                return {&p.regions[r], static_cast<int>(index)};
    }
    int count = regions_of(p);
    CHECK(count > 0, "no images are reserved");
    Region &last = p.regions[count - 1];
    int made = last.made.load(std::memory_order_relaxed);
    CHECK(made < last.count, "more than %d images", last.count);
    // release [region-2]: the image has number 0, as the kernel gave the page, until it is
    // complete; for_each_image() skips it.
    last.made.store(made + 1, std::memory_order_release);
    return {&last, made};
}

} // namespace

bool reserve_more_images(int count, int program, char *message, size_t message_bytes) {
    Program &p = program_at(program);
    int regions = regions_of(p), reserved = 0;
    for (int r = 0; r < regions; ++r)
        reserved += p.regions[r].count;
    int missing = count - static_cast<int>(p.free_images.size());
    if (program_is_privatized() && missing > blocks_left()) {
        std::snprintf(message, message_bytes,
                      "the program is compiled with --privatize, but there is room for the private "
                      "variables of only %d more ranks",
                      blocks_left());
        return false;
    }
    int left = 0; // of the last region: free places in earlier ones are not used
    if (regions > 0)
        left = p.regions[regions - 1].count -
               p.regions[regions - 1].made.load(std::memory_order_relaxed);
    if (missing <= left)
        return true;
    // A job that adds ranks one by one shall not need a region for each of them.
    constexpr int region_count_min = 16;
    int error = regions == regions_max
                    ? ENOMEM
                    : add_region(std::max({missing, reserved, region_count_min}), program);
    if (error)
        std::snprintf(message, message_bytes,
                      "cannot reserve addresses for the images of %d ranks: %s", count,
                      std::strerror(error));
    return !error;
}

// In a region the memory is mapped anew instead of unmapped, so that nothing else can take the
// addresses.
void remove_image(Image *image) {
    auto &program = const_cast<Program &>(*image->program);
    if (program_is_privatized()) {
        free_block(image->private_distance);
    } else {
        const Region &region = program.regions[0];
        // Text is unmapped, data given back.
        ::mmap(image->base, region.stride_bytes, PROT_READ | PROT_WRITE,
               MAP_FIXED | MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        ::madvise(image->base, region.stride_bytes, MADV_NOHUGEPAGE);
    }
    image->number = -1;
    program.free_images.push_back(image);
}

Image *make_image(int number, void *variables, int program) {
    auto [place, index] = take_place(program);
    Region &region = *place;
    const Template &image_template = program_at(program).image_template;
    if (program_is_privatized()) {
        region.images[index] = {number,           nullptr,   no_deltas,
                                &program_at(0),   variables, make_block(variables),
                                originals_upcalls};
        return &region.images[index];
    }
    char *base = region.low + region.stride_bytes * static_cast<size_t>(index);
    bool mapped = map_for_valgrind(program_at(program), number, base);
    int error = mapped ? 0 : map_text(image_template, base);
    if (!error)
        error = fill_data(image_template, base, mapped);
    if (error) {
        // An image without number: remove_image() needs its base and its program.
        region.images[index] = {number, base, no_deltas, &program_at(program), nullptr, 0, nullptr};
        remove_image(&region.images[index]);
        die_of_mapping(number, error);
    }
    apply_fixups(image_template, base, variables);
    intptr_t *deltas = region.deltas + index * image_template.private_count;
    for (const Object &object : program_at(program).objects)
        if (object.is_private())
            deltas[object.private_index] =
                base + object.image_offset - reinterpret_cast<char *>(object.low);
    Image *image = &region.images[index];
    uintptr_t *upcalls = region.upcalls + static_cast<size_t>(index) * region.upcall_stride;
    *image = {number, base, deltas, &program_at(program), variables, 0, upcalls};
    fill_upcalls(upcalls, *image);
    return image;
}

} // namespace thrum
