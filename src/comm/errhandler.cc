// Error handlers: the predefined ones, which are constants without a count, and the program's.
#include "comm/errhandler.h"

#include "base/object_pool.h"
#include "comm/process.h"
#include "rank/status_page.h"

#include <strings.h>

namespace thrum {
namespace {

constinit ObjectPool<Errhandler> pool;

bool is_predefined(const Errhandler &errhandler) {
    return errhandler.kind <= Errhandler::Kind::Return;
}

} // namespace

constinit Errhandler errors_are_fatal{.kind = Errhandler::Kind::AreFatal};
constinit Errhandler errors_abort{.kind = Errhandler::Kind::Abort};
constinit Errhandler errors_return{.kind = Errhandler::Kind::Return};

Errhandler *find_errhandler(MPI_Errhandler handle) {
    if (handle == MPI_ERRORS_ARE_FATAL)
        return &errors_are_fatal;
    if (handle == MPI_ERRORS_ABORT)
        return &errors_abort;
    if (handle == MPI_ERRORS_RETURN)
        return &errors_return;
    return is_live(handle) ? handle : nullptr;
}

Errhandler *find_predefined_errhandler(const char *name) {
    if (!strcasecmp(name, "mpi_errors_are_fatal"))
        return &errors_are_fatal;
    if (!strcasecmp(name, "mpi_errors_abort"))
        return &errors_abort;
    return !strcasecmp(name, "mpi_errors_return") ? &errors_return : nullptr;
}

MPI_Errhandler handle_of(Errhandler &errhandler) {
    switch (errhandler.kind) {
    case Errhandler::Kind::AreFatal:
        return MPI_ERRORS_ARE_FATAL;
    case Errhandler::Kind::Abort:
        return MPI_ERRORS_ABORT;
    case Errhandler::Kind::Return:
        return MPI_ERRORS_RETURN;
    default:
        return &errhandler;
    }
}

Errhandler *new_errhandler(Errhandler::Kind kind, void (*function)()) {
    Errhandler *errhandler = pool.make();
    errhandler->kind = kind;
    errhandler->function = function;
    return errhandler;
}

void retain(Errhandler &errhandler) {
    if (!is_predefined(errhandler))
        errhandler.references.fetch_add(1, std::memory_order_relaxed);
}

void release(Errhandler &errhandler) {
    // acq_rel [errhandler-1]: the last one to leave frees after everybody's use.
    if (!is_predefined(errhandler) &&
        errhandler.references.fetch_sub(1, std::memory_order_acq_rel) == 1)
        pool.destroy(&errhandler);
}

// Tells the launcher: processes that handle errors are not ended when another one is lost.
void show_handler_to_launcher(const Errhandler &errhandler) {
    if (StatusPage *page = status_page(); page && errhandler.kind >= Errhandler::Kind::Return)
        page->handles_errors.store(1, std::memory_order_relaxed);
}

// Retains the new handler before it releases the current one, because both may be the same.
Error set_errhandler(Errhandler *&current, Errhandler::Kind kind, Errhandler &errhandler) {
    static const char *const objects[] = {"communicators", "windows", "files", "sessions"};
    auto name = [](Errhandler::Kind of) {
        return objects[static_cast<int>(of) - static_cast<int>(Errhandler::Kind::Comm)];
    };
    if (!is_predefined(errhandler) && errhandler.kind != kind)
        return fail(MPI_ERR_ERRHANDLER, "errhandler was made for %s, not for %s",
                    name(errhandler.kind), name(kind));
    show_handler_to_launcher(errhandler);
    retain(errhandler);
    release(*current);
    current = &errhandler;
    return success;
}

} // namespace thrum
