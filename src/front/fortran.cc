// The constants with an address of Fortran programs that are built for another MPI.
#include "front/fortran.h"

#include "comm/process.h"
#include "image/image.h"

#include <string>

namespace thrum::front {
namespace {

// Sets the members that `names` names, each spelled with `suffix`. Returns whether the first was
// found.
bool look_up(const Process &process, std::span<const SentinelName> names, const char *suffix,
             thrum_fortran_sentinels &sentinels) {
    for (const SentinelName &name : names) {
        const std::string symbol = std::string(name.symbol) + suffix;
        auto *address = static_cast<char *>(find_global(process.rank->image, symbol.c_str()));
        if (address)
            sentinels.*name.place = address + name.offset_bytes;
    }
    return sentinels.*names.front().place != nullptr;
}

} // namespace

// A program that was compiled with -fsecond-underscore has its own blocks, with longer names.
const FortranProgram *find_programs(std::span<const SentinelName> names) {
    if (const FortranProgram *found = fortran::programs()) [[likely]]
        return found;
    const Process &process = current_process();
    thrum_fortran_sentinels sentinels{}, others{};
    if (look_up(process, names, "_", others))
        thrum_fortran_register(&others);
    look_up(process, names, "", sentinels);
    sentinels.conversion_null = reinterpret_cast<fortran::Callback>(
        find_global(process.rank->image, "mpi_conversion_fn_null_"));
    thrum_fortran_register(&sentinels);
    return fortran::programs();
}

} // namespace thrum::front
