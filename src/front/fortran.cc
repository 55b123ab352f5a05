// The constants with an address of Fortran programs that are built for another MPI.
#include "front/fortran.h"

#include "comm/process.h"
#include "image/image.h"

namespace thrum::front {

static constexpr FortranReals reals_without_options = {4, 8};

const FortranProgram *find_programs(std::span<const SentinelName> names) {
    if (const FortranProgram *found = fortran::programs()) [[likely]]
        return found;
    const Image *image = current_process().rank->image;
    // Module mpi_f08 may have constants of its own.
    for (const bool f08 : {true, false}) {
        thrum_fortran_sentinels sentinels{};
        sentinels.integer_bytes = sizeof(MPI_Fint);
        sentinels.reals = &reals_without_options;
        bool has_any = false;
        for (const SentinelName &name : names) {
            char *block =
                name.f08 == f08 ? static_cast<char *>(find_global(image, name.symbol)) : nullptr;
            if (block)
                sentinels.*name.place = block + name.offset_bytes;
            has_any |= block != nullptr;
        }
        sentinels.conversion_null = reinterpret_cast<fortran::Callback>(
            find_global(image, f08 ? "__mpi_f08_callbacks_MOD_mpi_conversion_fn_null"
                                   : "mpi_conversion_fn_null_"));
        if (has_any || !f08)
            thrum_fortran_register(&sentinels);
    }
    return fortran::programs();
}

} // namespace thrum::front
