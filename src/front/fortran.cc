// The constants with an address of Fortran programs that are built for another MPI.
#include "front/fortran.h"

#include "comm/process.h"
#include "image/image.h"

namespace thrum::front {

const FortranProgram *find_programs(std::span<const SentinelName> names) {
    if (const FortranProgram *found = fortran::programs()) [[likely]]
        return found;
    const Image *image = current_process().rank->image;
    thrum_fortran_sentinels sentinels{};
    for (const SentinelName &name : names)
        if (auto *block = static_cast<char *>(find_global(image, name.symbol)))
            sentinels.*name.place = block + name.offset_bytes;
    sentinels.conversion_null =
        reinterpret_cast<fortran::Callback>(find_global(image, "mpi_conversion_fn_null_"));
    thrum_fortran_register(&sentinels);
    return fortran::programs();
}

} // namespace thrum::front
