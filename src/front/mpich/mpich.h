// MPICH's binary interface (3.1 to 4.x, Intel MPI, Cray MPICH): what convert.h asks of a front.
//
// A handle is an integer, in C as in Fortran: that of a predefined object is MPICH's, any other the
// standard's number for Fortran (mpi/handle_conversion.cc), which is far from MPICH's. A file's
// handle is an address, and the standard's handle.
#pragma once
#include "datatype/status.h"
#include "fortran/convert.h"
#include "front/convert.h"
#include "front/mpich/values.h"

#include <type_traits>

namespace thrum::front {

struct Mpich {
    struct File;
    template <class H>
    using Handle = std::conditional_t<std::is_same_v<H, MPI_File>, File *, int>;

    struct Status {
        int count_low, count_high_and_cancelled, MPI_SOURCE, MPI_TAG, MPI_ERROR;
    };

    // MPI_STATUS_IGNORE and MPI_STATUSES_IGNORE.
    static bool is_ignored(const Status *status) {
        return reinterpret_cast<uintptr_t>(status) == 1;
    }

    // The standard's numbers of handles are between these; MPICH's are not.
    static constexpr int numbers_begin = 4096, numbers_end = 0x04000000;
    static constexpr unsigned no_constant = 4093;

    template <class H>
    static H to_standard(Handle<H> handle) {
        if constexpr (std::is_same_v<H, MPI_File>) {
            return handle ? reinterpret_cast<MPI_File>(handle) : MPI_FILE_NULL;
        } else {
            H constant;
            if (mpich::find_constant(handle, constant)) [[likely]]
                return constant;
            if (handle >= numbers_begin && handle < numbers_end)
                return fortran::to_c<H>(handle);
            // A number that means nothing is an address of nothing: the call says that it is no
            // handle.
            return reinterpret_cast<H>(uintptr_t{static_cast<unsigned>(handle) < numbers_begin
                                                     ? no_constant
                                                     : static_cast<unsigned>(handle)});
        }
    }

    template <class H>
    static Handle<H> from_standard(H handle) {
        if constexpr (std::is_same_v<H, MPI_File>) {
            return handle == MPI_FILE_NULL ? nullptr : reinterpret_cast<File *>(handle);
        } else {
            const int64_t number = mpich::integer_of(handle);
            return number != -1 ? static_cast<int>(number) : fortran::to_fortran<H>(handle);
        }
    }

    static constexpr uintptr_t in_place = ~uintptr_t{0};

    // The library's variables MPI_UNWEIGHTED and MPI_WEIGHTS_EMPTY hold the standard's addresses.
    static int *to_standard_weights(const int *weights) { return const_cast<int *>(weights); }

    // Handles are Fortran's integers, except those of files. MPI_FILE_NULL is 0.
    template <class H>
    static MPI_Fint to_fortran(H handle, MPI_Fint (*number_of)(H)) {
        if constexpr (std::is_same_v<H, MPI_File>)
            return handle == MPI_FILE_NULL ? 0 : number_of(handle);
        else
            return from_standard<H>(handle);
    }

    template <class H>
    static H from_fortran(MPI_Fint number, H (*handle_of)(MPI_Fint)) {
        if constexpr (std::is_same_v<H, MPI_File>)
            return number == 0 ? MPI_FILE_NULL : handle_of(number);
        else
            return to_standard<H>(number);
    }

    static void to_standard_status(const Status &its, MPI_Status &status) {
        const int64_t high = its.count_high_and_cancelled >> 1;
        status.MPI_SOURCE = static_cast<int>(mpich::to_standard_rank(its.MPI_SOURCE));
        status.MPI_TAG = static_cast<int>(mpich::to_standard_tag(its.MPI_TAG));
        status.MPI_ERROR = static_cast<int>(mpich::to_standard_error(its.MPI_ERROR));
        set_status_bytes(status, high << 32 | static_cast<unsigned>(its.count_low));
        set_status_cancelled(status, its.count_high_and_cancelled & 1);
    }

    static void from_standard_status(const MPI_Status &status, Status &its) {
        const int64_t size_bytes = status_bytes(status);
        its.MPI_SOURCE = static_cast<int>(mpich::from_standard_rank(status.MPI_SOURCE));
        its.MPI_TAG = static_cast<int>(mpich::from_standard_tag(status.MPI_TAG));
        its.count_low = static_cast<int>(size_bytes);
        its.count_high_and_cancelled =
            static_cast<int>(size_bytes >> 32) << 1 | status_cancelled(status);
    }

    static int64_t from_standard_error(int64_t code) { return mpich::from_standard_error(code); }

    static int64_t to_standard_error(int64_t code) { return mpich::to_standard_error(code); }
};

} // namespace thrum::front
