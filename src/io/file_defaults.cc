// What each rank has of files besides its handles: an extension of Process (file_defaults.h).
#include "io/file_defaults.h"

#include "comm/blame.h"
#include "comm/process_lifecycle.h"

namespace thrum {
namespace {

// Frees the defaults with their Process.
void forget_defaults(FileDefaults *defaults) {
    release(*defaults->errhandler);
    delete defaults;
}

const Extension<Process, FileDefaults, forget_defaults> file_defaults;

} // namespace

FileDefaults &defaults_of(Process &process) {
    return file_defaults.of(process).get_or_make();
}

// Predefined names come first, so a program cannot redefine them.
const Representation *find_representation(const char *name) {
    for (const Representation *known :
         {&native_representation, &internal_representation, &external32_representation})
        if (known->name == name)
            return known;
    for (const Representation &known : defaults_of(current_process()).representations)
        if (known.name == name)
            return &known;
    return nullptr;
}

Error register_representation(Representation representation) {
    if (find_representation(representation.name.c_str()))
        return fail(MPI_ERR_DUP_DATAREP, "datarep is \"%s\", which is already defined",
                    representation.name.c_str());
    defaults_of(current_process()).representations.push_back(std::move(representation));
    return success;
}

Culprit default_file_culprit(Process &process) {
    return {defaults_of(process).errhandler, MPI_FILE_NULL, nullptr};
}

} // namespace thrum
