// Open MPI's binary interface (4.1 and 5.0): what convert.h asks of a front.
//
// A handle is an address. That of a predefined object leads to an object of libmpi.so.40, or to the
// program's COPY of it, whose first word is the constant of the standard ABI. Any other handle is
// the standard's: the objects behind those begin with a number that no constant has.
#pragma once
#include "base/handle_read.h"
#include "comm/process.h"
#include "datatype/status.h"
#include "front/convert.h"
#include "front/openmpi/values.h"

#include <type_traits>

namespace thrum::front {

struct OpenMpi {
    template <class H>
    struct Object;
    template <class H>
    using Handle = Object<H> *;

    struct Status {
        int MPI_SOURCE, MPI_TAG, MPI_ERROR, cancelled;
        size_t size_bytes;
    };

    // MPI_STATUS_IGNORE and MPI_STATUSES_IGNORE.
    static bool is_ignored(const Status *status) { return !status; }

    // No constant of the standard ABI is smaller. A request or message begins with a word that may
    // be.
    static constexpr uintptr_t constants_begin = 32;

    template <class H>
    static H to_standard(Handle<H> handle) {
        const auto *word = reinterpret_cast<const uintptr_t *>(handle);
        constexpr bool may_be_smaller =
            std::is_same_v<H, MPI_Request> || std::is_same_v<H, MPI_Message>;
        if (holds_small_number(word) && (!may_be_smaller || *word >= constants_begin))
            return reinterpret_cast<H>(*word);
        return reinterpret_cast<H>(handle);
    }

    template <class H>
    static Handle<H> from_standard(H handle) {
        const auto value = reinterpret_cast<uintptr_t>(handle);
        return reinterpret_cast<Handle<H>>(value < 4096 ? address_of_constant(value) : value);
    }

    // MPI_BOTTOM, a null pointer, is the same in all interfaces.
    static constexpr uintptr_t in_place = 1;

    static int *to_standard_weights(const int *weights);

    // Predefined objects have numbers of the front in Fortran, others those of the standard, which
    // begin above.
    template <class H>
    static MPI_Fint to_fortran(H handle, MPI_Fint (*number_of)(H)) {
        const auto number = static_cast<MPI_Fint>(openmpi::fortran_number(handle));
        return number >= 0 ? number : number_of(handle);
    }

    template <class H>
    static H from_fortran(MPI_Fint number, H (*handle_of)(MPI_Fint)) {
        const H handle = openmpi::of_fortran_number(H{}, number);
        return handle ? handle : handle_of(number);
    }

    static void to_standard_status(const Status &its, MPI_Status &status);
    static void from_standard_status(const MPI_Status &status, Status &its);
    static int64_t from_standard_error(int64_t code);
    static int64_t to_standard_error(int64_t code);

private:
    // Returns the address that the calling rank's program has for the object of a constant.
    static uintptr_t address_of_constant(uintptr_t value);
};

} // namespace thrum::front
