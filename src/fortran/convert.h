// Converts the arguments of a Fortran call to C (MPI 5.0 section 19.3). An object of these types
// lives for one call, to the end of the full expression that makes it. c() returns what the C
// function gets, and the destructor stores the result in the program's variable.
//
// LOGICAL needs no conversion: gfortran's .FALSE. and .TRUE. are C's 0 and 1. Used by the generated
// entries.inc and by the files beside it.
#pragma once
#include "entry/calls.h"
#include "entry/converted.h"
#include "fortran/sentinels.h"

#include <cstddef>

namespace thrum::fortran {

// Convert between handles and INTEGERs (section 19.3.4), by mpi/handle_conversion.cc. A constant is
// its own number: nearly all calls pass a predefined datatype and MPI_COMM_WORLD.
template <class Handle>
Handle to_c(MPI_Fint number);
template <class Handle>
MPI_Fint to_fortran(Handle handle);

#define THRUM_FORTRAN_HANDLE(kind, Handle)                                                         \
    template <>                                                                                    \
    inline Handle to_c<Handle>(MPI_Fint number) {                                                  \
        const auto constant = static_cast<unsigned>(number);                                       \
        return constant < handle_constants_end                                                     \
                   ? reinterpret_cast<Handle>(static_cast<uintptr_t>(constant))                    \
                   : mpi::kind##_f2c(number);                                                      \
    }                                                                                              \
    template <>                                                                                    \
    inline MPI_Fint to_fortran<Handle>(Handle handle) {                                            \
        return mpi::kind##_c2f(handle);                                                            \
    }
THRUM_FORTRAN_HANDLE(comm, MPI_Comm)
THRUM_FORTRAN_HANDLE(errhandler, MPI_Errhandler)
THRUM_FORTRAN_HANDLE(file, MPI_File)
THRUM_FORTRAN_HANDLE(group, MPI_Group)
THRUM_FORTRAN_HANDLE(info, MPI_Info)
THRUM_FORTRAN_HANDLE(message, MPI_Message)
THRUM_FORTRAN_HANDLE(op, MPI_Op)
THRUM_FORTRAN_HANDLE(request, MPI_Request)
THRUM_FORTRAN_HANDLE(session, MPI_Session)
THRUM_FORTRAN_HANDLE(type, MPI_Datatype)
THRUM_FORTRAN_HANDLE(win, MPI_Win)
#undef THRUM_FORTRAN_HANDLE

// The Fortran interface of the standard ABI, as converted.h describes one.
struct StandardInterface {
    template <class H>
    using Handle = MPI_Fint;

    template <class H>
    static H to_standard(MPI_Fint number) {
        return to_c<H>(number);
    }

    template <class H>
    static MPI_Fint from_standard(H handle) {
        return to_fortran(handle);
    }

    static const FortranProgram *programs() { return fortran::programs(); }
};

// The status that a callback of the program gets: the query function of a generalized request.
template <class I>
class CallbackStatus {
public:
    explicit CallbackStatus(MPI_Status *status) : status_(*status) {
        I::from_standard_status(status_, its_);
        its_.MPI_ERROR = MPI_SUCCESS;
    }

    CallbackStatus(const CallbackStatus &) = delete;
    CallbackStatus &operator=(const CallbackStatus &) = delete;

    ~CallbackStatus() { I::to_standard_status(its_, status_); }

    typename I::Status *f() { return &its_; }

private:
    MPI_Status &status_;
    typename I::Status its_;
};

// An index in an array of requests that the call returns. Fortran counts from 1.
class RequestIndex {
public:
    // The result of a call that fails is MPI_UNDEFINED, which is not incremented.
    explicit RequestIndex(MPI_Fint *index) : index_(index) { *index = MPI_UNDEFINED; }

    ~RequestIndex() {
        if (*index_ != MPI_UNDEFINED)
            ++*index_;
    }

    int *c() { return index_; }

private:
    MPI_Fint *index_;
};

// An array of indices that the call returns; `count` is how many. A call that fails may not set
// it, so it is 0 at first.
class RequestIndices {
public:
    RequestIndices(MPI_Fint *indices, MPI_Fint *count) : indices_(indices), count_(count) {
        *count = 0;
    }

    ~RequestIndices() {
        for (int i = 0; i < *count_; ++i) // MPI_UNDEFINED is negative
            ++indices_[i];
    }

    int *c() { return indices_; }

private:
    MPI_Fint *indices_;
    const MPI_Fint *count_;
};

// The blanks that are removed from a string.
enum class Blanks { Trailing, Both };

// A CHARACTER argument that is read, without the blanks that pad it (section 19.3.9). Where the
// standard requires it (MPI_Info_set), leading blanks are removed, too. The program's string has no
// null character, so it is copied.
class InString {
public:
    InString(const char *text, size_t length, Blanks stripped = Blanks::Trailing);
    ~InString();
    InString(const InString &) = delete;
    InString &operator=(const InString &) = delete;

    char *c() { return string_; }

private:
    char short_[128]; // holds most strings
    char *string_;    // short_, or allocated
};

// A CHARACTER argument that is written: padded with blanks or truncated. Then the returned length
// is stored, too. If the call does not write the string, both stay unchanged.
class OutString {
public:
    // `size_bytes` is the size that the C function may write.
    OutString(char *text, size_t length, size_t size_bytes, MPI_Fint *resultlen = nullptr);
    ~OutString();
    OutString(const OutString &) = delete;
    OutString &operator=(const OutString &) = delete;

    char *c() { return string_; }

private:
    char *text_;
    size_t length_;
    MPI_Fint *resultlen_;
    char short_[512];
    char *string_;
};

// The array of CHARACTER arguments of MPI_Comm_spawn, as a null-terminated array of C strings. A
// blank one ends it; c() is null for MPI_ARGV_NULL of the programs. `length` is that of each
// string, and consecutive ones are `stride` elements apart (a row of MPI_Comm_spawn_multiple's
// array, which is stored by columns).
class StringArray {
public:
    // The number of strings is not known: the first blank one ends them.
    static constexpr int until_blank = -1;
    StringArray(const char *first, size_t length, size_t stride = 1, int count = until_blank,
                const FortranProgram *of = programs());
    ~StringArray();
    StringArray(const StringArray &) = delete;
    StringArray &operator=(const StringArray &) = delete;

    char **c() { return strings_; }

private:
    char **strings_ = nullptr;
};

} // namespace thrum::fortran
