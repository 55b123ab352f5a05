// Functions whose CHARACTER arguments have their length among the arguments: in C it includes a
// null character, in Fortran not (MPI 5.0 sections 10 and 11.3).
#include "entry/entry.h"
#include "fortran/convert.h"
#include "fortran/entry_points.h"

#include <algorithm>

using namespace thrum;
using namespace thrum::fortran;

namespace {

// Converts a length argument to C's, and back again. 0 stays 0: it only asks for the length.
class LengthWithNull {
public:
    explicit LengthWithNull(MPI_Fint *length)
        : length_(length), with_null_(*length > 0 ? *length + 1 : *length) {}

    ~LengthWithNull() { *length_ = std::max(with_null_ - 1, 0); }

    int *c() { return &with_null_; }

private:
    MPI_Fint *length_;
    int with_null_;
};

// Returns the bytes of a C string with this many characters; a wrong length leaves room for the
// null character, and the call reports it.
size_t room_for(MPI_Fint length) {
    return static_cast<size_t>(std::max(length, 0)) + 1;
}

} // namespace

extern "C" {

// The C function writes into a string of valuelen + 1 bytes; OutString copies it without the null
// character.
void thrum_fortran_info_get(MPI_Fint *info, char *key, MPI_Fint *valuelen, char *value,
                            MPI_Fint *flag, MPI_Fint *ierror, size_t key_length,
                            size_t value_length) {
    *ierror = enter_anytime<mpi::info_get>(
        CALL(Info_get), arg::Info{"info", to_c<MPI_Info>(*info)},
        arg::Plain{"key", InString(key, key_length, Blanks::Both).c()},
        arg::Plain{"valuelen", *valuelen},
        arg::Plain{"value", OutString(value, value_length, room_for(*valuelen)).c()},
        arg::Pointer{"flag", flag});
}

// The length argument is in and out: the room before the call, the value's length after it.
void thrum_fortran_info_get_string(MPI_Fint *info, char *key, MPI_Fint *buflen, char *value,
                                   MPI_Fint *flag, MPI_Fint *ierror, size_t key_length,
                                   size_t value_length) {
    *ierror = enter_anytime<mpi::info_get_string>(
        CALL(Info_get_string), arg::Info{"info", to_c<MPI_Info>(*info)},
        arg::Plain{"key", InString(key, key_length, Blanks::Both).c()},
        arg::Pointer{"buflen", LengthWithNull(buflen).c()},
        arg::Plain{"value", OutString(value, value_length, room_for(*buflen)).c()},
        arg::Pointer{"flag", flag});
}

// Likewise.
void thrum_fortran_session_get_nth_pset(MPI_Fint *session, MPI_Fint *info, MPI_Fint *n,
                                        MPI_Fint *pset_len, char *pset_name, MPI_Fint *ierror,
                                        size_t pset_name_length) {
    *ierror = enter_anytime<mpi::session_get_nth_pset>(
        CALL(Session_get_nth_pset), arg::Session{"session", to_c<MPI_Session>(*session)},
        arg::Info{"info", to_c<MPI_Info>(*info)}, arg::Plain{"n", *n},
        arg::Pointer{"pset_len", LengthWithNull(pset_len).c()},
        arg::Plain{"pset_name", OutString(pset_name, pset_name_length, room_for(*pset_len)).c()});
}

} // extern "C"
