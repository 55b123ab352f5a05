// The table of programs, and the current image of each thread and fiber.
#include "image/programs.h"

#include "base/check.h"
#include "base/gs_base.h"
#include "image/originals.h"
#include "image/refuse.h"

#include <new>

namespace thrum {

constinit const intptr_t no_deltas[private_objects_max]{};
constinit Capture the_capture;

namespace {

constinit Program programs[programs_max];
constinit int count_of_programs = 1;
constinit const Image originals{0, nullptr, no_deltas, &programs[0], nullptr, 0, originals_upcalls};

// The image of the rank that runs here, which the thunks read. Each fiber has its own, with its
// thread block.
constinit thread_local const Image *current = &originals;

} // namespace

const Image &originals_image() {
    return originals;
}

Program &program_at(int number) {
    return programs[number];
}

int program_count() {
    return count_of_programs;
}

Program &add_program() {
    if (count_of_programs == programs_max)
        die(refusal_exit_code, "a job can have no more than %d different executables",
            programs_max);
    return programs[count_of_programs++];
}

void remove_last_program() {
    new (&programs[--count_of_programs]) Program;
}

Template &the_template() {
    return programs[0].image_template;
}

Objects &objects() {
    return programs[0].objects;
}

int image_number(const Image *image) {
    return image ? image->number : 0;
}

void set_current_image(const Image *image) {
    current = image ? image : &originals;
    if (the_capture.is_privatized)
        set_gs_base(current->private_distance);
}

uintptr_t gs_base_of(const Image *image) {
    return image ? image->private_distance : 0;
}

const Image *current_image() {
    return current->number ? current : nullptr;
}

int32_t current_image_tls_offset() {
    uintptr_t fs;
    __asm__("mov %%fs:0, %0" : "=r"(fs));
    return static_cast<int32_t>(reinterpret_cast<uintptr_t>(&current) - fs);
}

bool is_loaded_at_start(bool (*test)(const char *path)) {
    for (int i = 0; i < count_of_programs; ++i)
        for (const Object &object : programs[i].objects)
            if (test(object.path))
                return true;
    return false;
}

} // namespace thrum
