// Constructors and destructors of private objects (System V ABI, "Initialization and Termination
// Functions"). ld.so runs the constructors of the originals itself. All other constructors, and all
// destructors, are run here on the task of the rank, in the order in which ld.so would run them.
#include "image/constructors.h"

#include "image/addresses.h"
#include "image/originals.h"

namespace thrum {
namespace {

using Constructor = void(int, char **, char **);
using Destructor = void();

constinit GrowingArray<bool> visited; // by private_index

// Appends `object` to the construction order, behind the objects that it needs. A cycle of
// dependencies is cut where it is entered second.
void visit(Program &program, const Object &object) {
    bool &seen = visited[static_cast<size_t>(object.private_index)];
    if (seen)
        return;
    seen = true;
    for_each_needed(object, [&](const char *name) {
        for (const Object &candidate : program.objects)
            if (candidate.is_private() && is_named(candidate, name))
                visit(program, candidate);
    });
    program.construction_order.push_back(&object);
}

// Returns a function or array of the original, as `image` has it.
template <class T>
T *moved(const Image *image, const Object &object, uintptr_t address) {
    return reinterpret_cast<T *>(address + static_cast<uintptr_t>(delta_of(image, object)));
}

// Calls each(function) for the entries of `array` of the original, which are read in `image`: there
// the addresses are moved already. 0 and -1 mark no function.
template <class Function, class Each>
void for_each_entry(const Image *image, const Object &object, std::span<const uintptr_t> array,
                    bool backwards, Each each) {
    auto *entries =
        moved<const uintptr_t>(image, object, reinterpret_cast<uintptr_t>(array.data()));
    for (size_t i = 0; i < array.size(); ++i) {
        uintptr_t entry = entries[backwards ? array.size() - 1 - i : i];
        if (entry != 0 && entry != UINTPTR_MAX)
            each(reinterpret_cast<Function *>(entry));
    }
}

void nothing() {}

} // namespace

void order_constructors(Program &program) {
    visited.shrink_to(0);
    for (int i = 0; i < program.image_template.private_count; ++i)
        visited.push_back(false);
    Objects &objects = program.objects;
    // As far as dependencies leave the choice, ld.so constructs the object that was loaded last
    // first.
    for (size_t i = objects.size(); i-- > 0;)
        if (objects[i].is_private() && !objects[i].is_executable)
            visit(program, objects[i]);
    for (const Object &object : objects)
        if (object.is_private())
            visit(program, object);
}

void call_constructors(const Image *image, const Object &object, int argc, char **argv,
                       char **environment) {
    if (object.init)
        moved<Constructor>(image, object, object.init)(argc, argv, environment);
    for_each_entry<Constructor>(
        image, object, object.init_array, false,
        [&](Constructor *constructor) { constructor(argc, argv, environment); });
}

void call_destructors(const Image *image, const Object &object) {
    for_each_entry<Destructor>(image, object, object.fini_array, true,
                               [](Destructor *destructor) { destructor(); });
    if (object.fini)
        moved<Destructor>(image, object, object.fini)();
}

void run_constructors(const Image &image, int argc, char **argv, char **environment) {
    const auto &construction_order = image.program->construction_order;
    for (const Object *object : construction_order)
        for_each_entry<Constructor>(
            &image, *object, object->preinit_array, false,
            [&](Constructor *constructor) { constructor(argc, argv, environment); });
    for (const Object *object : construction_order)
        call_constructors(&image, *object, argc, argv, environment);
}

void run_destructors(const Image *image) {
    const auto &construction_order = (image ? image->program : &program_at(0))->construction_order;
    for (size_t i = construction_order.size(); i-- > 0;)
        call_destructors(image, *construction_order[i]);
}

// ld.so reads the dynamic sections again at exit, so an empty array and an empty function there
// suffice.
void disarm_original_destructors() {
    for (const Object &object : objects()) {
        if (!object.is_private())
            continue;
        SlotWriter writer(object);
        for (ElfW(Dyn) *d = object.dynamic; d && d->d_tag != DT_NULL; ++d) {
            auto slot = reinterpret_cast<uintptr_t>(&d->d_un);
            if (d->d_tag == DT_FINI_ARRAYSZ)
                writer.write(slot, 0);
            if (d->d_tag == DT_FINI)
                writer.write(slot, reinterpret_cast<uintptr_t>(nothing) - object.bias);
        }
    }
}

} // namespace thrum
