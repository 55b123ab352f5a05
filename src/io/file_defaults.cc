#include "io/file_defaults.h"

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
    // acquire [file-defaults-1]: whoever finds it finds it made; pairs with [file-defaults-2].
    FileDefaults *found = process.file_defaults.load(std::memory_order_acquire);
    if (found)
        return *found;
    auto *made = new FileDefaults;
    // release [file-defaults-2]
    if (process.file_defaults.compare_exchange_strong(found, made, std::memory_order_acq_rel,
                                                      std::memory_order_acquire))
        return *made;
    delete made;
    return *found;
}

Culprit default_file_culprit(Process &process) {
    return {defaults_of(process).errhandler, MPI_FILE_NULL, nullptr};
}

} // namespace thrum
