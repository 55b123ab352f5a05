#include "io/file_defaults.h"

#include "comm/blame.h"
#include "comm/process_lifecycle.h"

namespace thrum {
namespace {

void forget_defaults(FileDefaults *defaults) {
    if (!defaults)
        return;
    release(*defaults->errhandler);
    delete defaults;
}

// The layer comm frees what it cannot name.
[[gnu::constructor]] void install() {
    set_forget_file_defaults_function(forget_defaults);
}

} // namespace

// Threads of one rank may be the first at the same time.
FileDefaults &defaults_of(Process &process) {
    // acquire [file-defaults-1]: it is made.
    FileDefaults *found = process.file_defaults.load(std::memory_order_acquire);
    if (found)
        return *found;
    auto *made = new FileDefaults;
    // release [file-defaults-1]; acquire, in case another thread has been faster.
    if (process.file_defaults.compare_exchange_strong(found, made, std::memory_order_acq_rel,
                                                      std::memory_order_acquire))
        return *made;
    delete made;
    return *found;
}

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
