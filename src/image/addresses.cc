// Translation of addresses between originals, clones, copies of plug-ins and blocks of private
// variables.
#include "image/addresses.h"

#include "image/copies.h"
#include "image/plugin_table.h"
#include "image/privatized.h"

#include <cstring>

namespace thrum {

uintptr_t address_in(const Image *image, const Object &object, uintptr_t address) {
    uintptr_t distance = static_cast<uintptr_t>(delta_of(image, object));
    if (object.plugin)
        distance += distance_in_block(image, *object.plugin, address);
    else if (image && is_in_private_area(address))
        distance = image->private_distance;
    return address + distance;
}

void *translate(const Image *image, const void *address) {
    auto a = reinterpret_cast<uintptr_t>(address);
    if (!image)
        return const_cast<void *>(address);
    if (program_is_privatized())
        return reinterpret_cast<void *>(a + (is_in_private_area(a) ? image->private_distance : 0));
    for (const Object &object : image->program->objects)
        if (object.is_private() && object.contains(a))
            return reinterpret_cast<void *>(a + static_cast<uintptr_t>(delta_of(image, object)));
    return reinterpret_cast<void *>(a);
}

bool is_in_block(const void *address) {
    uintptr_t distance = gs_base_of(current_image());
    return distance && is_in_private_area(reinterpret_cast<uintptr_t>(address) - distance);
}

ptrdiff_t distance_of_object(const void *address) {
    if (is_in_block(address))
        return 0;
    ClonePlace place = find_clone(reinterpret_cast<uintptr_t>(address));
    return place.image ? delta_of(place.image, *place.object) : 0;
}

const void *original_of(const void *address) {
    if (is_in_block(address))
        return static_cast<const char *>(address) - gs_base_of(current_image());
    ClonePlace place = find_clone(reinterpret_cast<uintptr_t>(address));
    return place.image ? reinterpret_cast<const void *>(place.original) : address;
}

void *copied_variable(const Image *image, const char *name) {
    const Program &program = program_of(image);
    const CopiedVariable *copy = program.objects.empty() ? nullptr : find_copy(program, name);
    return copy ? translate(image, reinterpret_cast<void *>(copy->address)) : nullptr;
}

// The static TLS block of a rank begins with what ld.so would copy into it: the initial values of
// the originals. Only what differs in this image is written here.
void initialise_tls(const Image *image, void *thread_pointer) {
    if (!image)
        return; // ld.so has done it from the originals
    if (program_is_privatized()) {
        set_thread_locals(image->private_distance, static_cast<char *>(thread_pointer));
        return;
    }
    auto *end = static_cast<char *>(thread_pointer);
    const Program &program = *image->program;
    // A further program's executable has fixed places for its thread-local variables. The process's
    // own executable uses the same places, but none of its code runs in this rank.
    if (program.tls_bytes)
        std::memset(end - program.tls_offset, 0, program.tls_bytes);
    for (const Object &object : program.objects) {
        bool beside = object.is_executable && program.tls_bytes;
        if (object.is_private() && (object.tls_has_fixups || beside))
            std::memcpy(end - (beside ? program.tls_offset : object.tls_offset),
                        reinterpret_cast<void *>(object.tls_image +
                                                 static_cast<uintptr_t>(delta_of(image, object))),
                        object.tls_file_bytes);
    }
}

namespace {

// Finds the clone by a division, as the clones of a region are a stride apart (programs.h). The
// space between two clones belongs to none.
ClonePlace find_clone_in(const Program &program, const Region &region, uintptr_t address) {
    size_t offset = address - reinterpret_cast<uintptr_t>(region.low);
    if (region.stride_bytes == 0 || region.count == 0 ||
        offset >= region.stride_bytes * static_cast<size_t>(region.count))
        return {};
    const Image *image = &region.images[offset / region.stride_bytes];
    offset %= region.stride_bytes;
    for (const Object &object : program.objects)
        if (object.is_private() && offset - object.image_offset < object.high - object.low)
            return {image, &object, object.low + (offset - object.image_offset)};
    return {};
}

} // namespace

intptr_t plugin_delta(const Image *image, const Object &object) {
    const PluginCopy *copy = copy_of(image, *object.plugin);
    return copy ? copy->base + object.image_offset - reinterpret_cast<char *>(object.low) : 0;
}

ClonePlace find_clone(uintptr_t address) {
    for (int i = 0; i < program_count(); ++i)
        for (int r = 0, count = regions_of(program_at(i)); r < count; ++r)
            if (ClonePlace place = find_clone_in(program_at(i), program_at(i).regions[r], address);
                place.image)
                return place;
    if (const PluginCopy *copy = find_plugin_copy(address)) {
        const Object &object = copy->plugin->object;
        // A plug-in's variables lie in a block (--privatize): first back to the rank's copy, which
        // is the range that the next lines look into.
        if (find_plugin_block(*copy->plugin, address) >= 0)
            address -= copy->image->private_distance;
        size_t offset = address - reinterpret_cast<uintptr_t>(copy->base) - object.image_offset;
        if (offset < object.high - object.low)
            return {copy->image, &object, object.low + offset};
    }
    return {};
}

} // namespace thrum
