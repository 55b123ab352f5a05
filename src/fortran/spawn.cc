// MPI_Comm_spawn and MPI_Comm_spawn_multiple (MPI 5.0 section 11.8): arrays of CHARACTER arguments.
#include "entry/entry.h"
#include "fortran/convert.h"
#include "fortran/entry_points.h"

#include <algorithm>
#include <memory>
#include <vector>

using namespace thrum;
using namespace thrum::fortran;

namespace {

// ARRAY_OF_ARGV(COUNT, *): the arguments of command i are row i, up to a blank one. Fortran stores
// columns, so consecutive arguments are COUNT strings apart.
class ArgvRows {
public:
    ArgvRows(const char *array, size_t length, int count) {
        if (is_null_argv(array))
            return; // MPI_ARGVS_NULL
        for (int i = 0; i < count; ++i) {
            auto stride = static_cast<size_t>(count);
            rows_.push_back(std::make_unique<StringArray>(array + static_cast<size_t>(i) * length,
                                                          length, stride));
            pointers_.push_back(rows_.back()->c());
        }
    }

    char ***c() { return pointers_.empty() ? MPI_ARGVS_NULL : pointers_.data(); }

private:
    std::vector<std::unique_ptr<StringArray>> rows_;
    std::vector<char **> pointers_;
};

} // namespace

extern "C" {

void thrum_fortran_comm_spawn(char *command, char *argv, MPI_Fint *maxprocs, MPI_Fint *info,
                              MPI_Fint *root, MPI_Fint *comm, MPI_Fint *intercomm,
                              MPI_Fint *array_of_errcodes, MPI_Fint *ierror, size_t command_length,
                              size_t argv_length) {
    *ierror = enter<mpi::comm_spawn>(
        CALL(Comm_spawn),
        arg::Plain{"command", InString(command, command_length, Blanks::Both).c()},
        arg::Plain{"argv", StringArray(argv, argv_length).c()}, arg::Plain{"maxprocs", *maxprocs},
        arg::NullableInfo{"info", to_c<MPI_Info>(*info)}, arg::Root{"root", *root},
        arg::Comm{"comm", to_c<MPI_Comm>(*comm)},
        arg::Pointer{"intercomm", Handles<MPI_Comm, Use::Out>(intercomm).c()},
        arg::Plain{"array_of_errcodes", to_errcodes(array_of_errcodes)});
}

void thrum_fortran_comm_spawn_multiple(MPI_Fint *count, char *array_of_commands,
                                       char *array_of_argv, MPI_Fint *array_of_maxprocs,
                                       MPI_Fint *array_of_info, MPI_Fint *root, MPI_Fint *comm,
                                       MPI_Fint *intercomm, MPI_Fint *array_of_errcodes,
                                       MPI_Fint *ierror, size_t array_of_commands_length,
                                       size_t array_of_argv_length) {
    *ierror = enter<mpi::comm_spawn_multiple>(
        CALL(Comm_spawn_multiple), arg::Plain{"count", *count},
        arg::Plain{
            "array_of_commands",
            StringArray(array_of_commands, array_of_commands_length, 1, std::max(*count, 0)).c()},
        arg::Plain{"array_of_argv", ArgvRows(array_of_argv, array_of_argv_length, *count).c()},
        arg::Plain{"array_of_maxprocs", static_cast<const int *>(array_of_maxprocs)},
        arg::Plain{"array_of_info", static_cast<const MPI_Info *>(
                                        Handles<MPI_Info, Use::In>(array_of_info, *count).c())},
        arg::Root{"root", *root}, arg::Comm{"comm", to_c<MPI_Comm>(*comm)},
        arg::Pointer{"intercomm", Handles<MPI_Comm, Use::Out>(intercomm).c()},
        arg::Plain{"array_of_errcodes", to_errcodes(array_of_errcodes)});
}

} // extern "C"
