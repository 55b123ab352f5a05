// The programs with Fortran calls in each rank, and the conversion of their constants. Nearly
// always there is one program, so each look-up is a few compares.
//
// A program registers itself in a constructor. In the originals (image/) constructors run before
// there are ranks; in a clone, or a library that a rank opens, on that rank.
#include "fortran/sentinels.h"

#include "base/check.h"
#include "base/error.h"
#include "mpi/fortran_compiler.h"

#include <cstring>

namespace thrum {
namespace {

// The programs of the originals. Written only by the main thread, before ranks run; then read by
// all.
constinit FortranProgram *originals = nullptr;

// Returns the programs of a rank.
FortranProgram *programs_of(Process &process) {
    const ExtensionPlace<FortranProgram> place = programs_of_rank.of(process);
    // The originals belong to the rank that runs them. Without clones (a program whose globals the
    // compiler has made private) they belong to all ranks.
    if (!place.get() && !process.rank->image)
        place.set(originals);
    return place.get();
}

// Returns `list` with the sentinels added, unless they are in it already.
FortranProgram *with(FortranProgram *list, const thrum_fortran_sentinels &sentinels) {
    for (const FortranProgram *program = list; program; program = program->next)
        if (!std::memcmp(&program->sentinels, &sentinels, sizeof sentinels))
            return list;
    return new FortranProgram{sentinels, list};
}

} // namespace

namespace fortran {

const FortranProgram *programs_of_originals() {
    return programs_of(current_process());
}

int *to_weights(MPI_Fint *weights, const FortranProgram *of) {
    for (const FortranProgram *p = of; p; p = p->next) {
        if (weights == p->sentinels.unweighted)
            return MPI_UNWEIGHTED;
        if (weights == p->sentinels.weights_empty)
            return MPI_WEIGHTS_EMPTY;
    }
    return weights;
}

bool is_ignored_errcodes(const void *array_of_errcodes, const FortranProgram *of) {
    for (const FortranProgram *p = of; p; p = p->next)
        if (array_of_errcodes == p->sentinels.errcodes_ignore)
            return true;
    return false;
}

// The two constants are distinguished by the function, not by the address.
bool is_null_argv(const char *argv, const FortranProgram *of) {
    for (const FortranProgram *p = of; p; p = p->next)
        if (argv == p->sentinels.argv_null || argv == p->sentinels.argvs_null)
            return true;
    return false;
}

Callback to_copy_function(Callback copy, int kind, const FortranProgram *of) {
    for (const FortranProgram *p = of; p; p = p->next) {
        if (copy == p->sentinels.null_copy[kind])
            return reinterpret_cast<Callback>(MPI_COMM_NULL_COPY_FN);
        if (copy == p->sentinels.dup[kind])
            return reinterpret_cast<Callback>(MPI_COMM_DUP_FN);
    }
    return copy;
}

Callback to_delete_function(Callback delete_function, int kind, const FortranProgram *of) {
    for (const FortranProgram *p = of; p; p = p->next)
        if (delete_function == p->sentinels.null_delete[kind])
            return reinterpret_cast<Callback>(MPI_COMM_NULL_DELETE_FN);
    return delete_function;
}

bool is_conversion_null(Callback conversion, const FortranProgram *of) {
    for (const FortranProgram *p = of; p; p = p->next)
        if (conversion == p->sentinels.conversion_null)
            return true;
    return false;
}

} // namespace fortran
} // namespace thrum

extern "C" [[gnu::visibility("default")]] void
thrum_fortran_register(const thrum_fortran_sentinels *sentinels) {
    using namespace thrum;
    if (sentinels->integer_bytes != 4 && sentinels->integer_bytes != 8)
        die(1, "this program was linked with the libmpifort.a of another version of Thrum: "
               "link it again with this mpifort");
    if (rank_count() == 0) {
        originals = with(originals, *sentinels);
        return;
    }
    Process &process = current_process();
    programs_of_rank.of(process).set(with(programs_of(process), *sentinels));
    // A library that the rank has opened after it started MPI, which could have refused it.
    if (is_unfinished(process) && mpi::declare_fortran_compiler)
        if (const Error error = mpi::declare_fortran_compiler())
            die(1, "%s", error_detail(error.code()));
}
