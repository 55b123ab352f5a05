// Attributes in Fortran (MPI 5.0 sections 7.7 and 19.3.7): values are integers of address size, and
// callbacks are subroutines. The deprecated functions (chapter 16) use values of INTEGER size;
// hence the templates over the type of value.
//
// A keyval that is made here has ForeignCallbacks, which call its subroutines whatever language
// frees or duplicates the object.
#include "mpi/attribute.h"

#include "entry/entry.h"
#include "fortran/convert.h"
#include "fortran/entry_points.h"

using namespace thrum;
using namespace thrum::fortran;

namespace {

using Kind = Keyval::Kind;

// Returns the handle of a callback's object as Fortran knows it.
MPI_Fint object_number(const Keyval &keyval, void *object) {
    switch (keyval.kind) {
    case Kind::Comm:
        return to_fortran(static_cast<MPI_Comm>(object));
    case Kind::Type:
        return to_fortran(static_cast<MPI_Datatype>(object));
    default:
        return to_fortran(static_cast<MPI_Win>(object));
    }
}

// The program's callback subroutines. Value is MPI_Aint, or MPI_Fint in the deprecated forms.
template <class Value>
using CopySubroutine = void(MPI_Fint *object, MPI_Fint *keyval, Value *extra_state, Value *in,
                            Value *out, MPI_Fint *flag, MPI_Fint *ierror);
template <class Value>
using DeleteSubroutine = void(MPI_Fint *object, MPI_Fint *keyval, Value *value, Value *extra_state,
                              MPI_Fint *ierror);

// Returns the extra state, which is a value and not an address in Fortran; it is kept in the
// pointer.
template <class Value>
Value extra_state_of(const Keyval &keyval) {
    return static_cast<Value>(reinterpret_cast<MPI_Aint>(keyval.extra_state));
}

// Calls a copy or a delete subroutine. They get copies of all arguments, since a subroutine may
// write to them. Return its error code.
template <class Value>
int call_copy(const Keyval &keyval, void *object, MPI_Aint value, MPI_Aint *copied, int *flag) {
    MPI_Fint number = object_number(keyval, object), key = keyval.number, ierror = MPI_SUCCESS;
    auto extra_state = extra_state_of<Value>(keyval), in = static_cast<Value>(value);
    Value out = 0;
    reinterpret_cast<CopySubroutine<Value> *>(keyval.copy)(&number, &key, &extra_state, &in, &out,
                                                           flag, &ierror);
    *copied = out;
    return ierror;
}

// Calls a delete subroutine, likewise.
template <class Value>
int call_delete(const Keyval &keyval, void *object, MPI_Aint value) {
    MPI_Fint number = object_number(keyval, object), key = keyval.number, ierror = MPI_SUCCESS;
    auto extra_state = extra_state_of<Value>(keyval), deleted = static_cast<Value>(value);
    reinterpret_cast<DeleteSubroutine<Value> *>(keyval.delete_function)(&number, &key, &deleted,
                                                                        &extra_state, &ierror);
    return ierror;
}

template <class Value>
constexpr ForeignCallbacks callbacks{call_copy<Value>, call_delete<Value>};

// Makes a keyval. `constants` selects the predefined callbacks that the program may have passed
// (to_copy_function()).
template <class Value>
Error create_keyval(Kind kind, int constants, Callback copy, Callback delete_function,
                    MPI_Fint *keyval, Value extra_state) {
    *keyval = new_keyval(
        kind, to_copy_function(copy, constants), to_delete_function(delete_function, constants),
        reinterpret_cast<void *>(static_cast<MPI_Aint>(extra_state)), &callbacks<Value>);
    record_made(MadeKind::Keyval, handle_of_keyval(*keyval));
    return success;
}

// The functions of MPI 2 and later, for one kind of object.
template <Kind kind>
Error create(Callback copy, Callback delete_function, MPI_Fint *keyval, MPI_Aint extra_state) {
    return create_keyval(kind, 1 + static_cast<int>(kind), copy, delete_function, keyval,
                         extra_state);
}

// MPI_Keyval_create: communicators only, and values of INTEGER size.
Error create_old(Callback copy, Callback delete_function, MPI_Fint *keyval, MPI_Fint extra_state) {
    return create_keyval(Kind::Comm, 0, copy, delete_function, keyval, extra_state);
}

// A value that is too large for an INTEGER is truncated.
Error get_old(Communicator &comm, int keyval, MPI_Fint *value, MPI_Fint *flag) {
    MPI_Aint found = 0;
    Error error = mpi::comm_get_integer_attr(comm, keyval, &found, flag);
    if (*flag)
        *value = static_cast<MPI_Fint>(found);
    return error;
}

} // namespace

// The arguments of the functions that create keyvals.
#define KEYVAL_ARGUMENTS(copy_fn, delete_fn, keyval)                                               \
    arg::Plain{#copy_fn, copy_fn}, arg::Plain{#delete_fn, delete_fn},                              \
        arg::Pointer{#keyval, keyval}, arg::Plain {                                                \
        "extra_state", *extra_state                                                                \
    }

extern "C" {

// extra_state is a value of address size.
void thrum_fortran_comm_create_keyval(void (*comm_copy_attr_fn)(), void (*comm_delete_attr_fn)(),
                                      MPI_Fint *comm_keyval, void *extra_state_aint,
                                      MPI_Fint *ierror) {
    auto *extra_state = static_cast<MPI_Aint *>(extra_state_aint);
    *ierror = enter_anytime<create<Kind::Comm>>(
        CALL(Comm_create_keyval),
        KEYVAL_ARGUMENTS(comm_copy_attr_fn, comm_delete_attr_fn, comm_keyval));
}

void thrum_fortran_type_create_keyval(void (*type_copy_attr_fn)(), void (*type_delete_attr_fn)(),
                                      MPI_Fint *type_keyval, void *extra_state_aint,
                                      MPI_Fint *ierror) {
    auto *extra_state = static_cast<MPI_Aint *>(extra_state_aint);
    *ierror = enter_anytime<create<Kind::Type>>(
        CALL(Type_create_keyval),
        KEYVAL_ARGUMENTS(type_copy_attr_fn, type_delete_attr_fn, type_keyval));
}

void thrum_fortran_win_create_keyval(void (*win_copy_attr_fn)(), void (*win_delete_attr_fn)(),
                                     MPI_Fint *win_keyval, void *extra_state_aint,
                                     MPI_Fint *ierror) {
    auto *extra_state = static_cast<MPI_Aint *>(extra_state_aint);
    *ierror = enter_anytime<create<Kind::Win>>(
        CALL(Win_create_keyval),
        KEYVAL_ARGUMENTS(win_copy_attr_fn, win_delete_attr_fn, win_keyval));
}

void thrum_fortran_keyval_create(void (*copy_fn)(), void (*delete_fn)(), MPI_Fint *keyval,
                                 void *extra_state_integer, MPI_Fint *ierror) {
    auto *extra_state = static_cast<MPI_Fint *>(extra_state_integer);
    *ierror = enter_anytime<create_old>(CALL(Keyval_create),
                                        KEYVAL_ARGUMENTS(copy_fn, delete_fn, keyval));
}

void thrum_fortran_comm_set_attr(MPI_Fint *comm, MPI_Fint *comm_keyval, void *attribute_val,
                                 MPI_Fint *ierror) {
    *ierror = enter<mpi::comm_set_integer_attr>(
        CALL(Comm_set_attr), arg::Comm{"comm", to_c<MPI_Comm>(*comm)},
        arg::Plain{"comm_keyval", *comm_keyval},
        arg::Plain{"attribute_val", *static_cast<MPI_Aint *>(attribute_val)});
}

void thrum_fortran_comm_get_attr(MPI_Fint *comm, MPI_Fint *comm_keyval, void *attribute_val,
                                 MPI_Fint *flag, MPI_Fint *ierror) {
    *ierror = enter<mpi::comm_get_integer_attr>(
        CALL(Comm_get_attr), arg::Comm{"comm", to_c<MPI_Comm>(*comm)},
        arg::Plain{"comm_keyval", *comm_keyval},
        arg::Plain{"attribute_val", static_cast<MPI_Aint *>(attribute_val)},
        arg::Pointer{"flag", flag});
}

void thrum_fortran_attr_put(MPI_Fint *comm, MPI_Fint *keyval, void *attribute_val,
                            MPI_Fint *ierror) {
    *ierror = enter<mpi::comm_set_integer_attr>(
        CALL(Attr_put), arg::Comm{"comm", to_c<MPI_Comm>(*comm)}, arg::Plain{"keyval", *keyval},
        arg::Plain{"attribute_val", MPI_Aint{*static_cast<MPI_Fint *>(attribute_val)}});
}

void thrum_fortran_attr_get(MPI_Fint *comm, MPI_Fint *keyval, void *attribute_val, MPI_Fint *flag,
                            MPI_Fint *ierror) {
    *ierror = enter<get_old>(CALL(Attr_get), arg::Comm{"comm", to_c<MPI_Comm>(*comm)},
                             arg::Plain{"keyval", *keyval},
                             arg::Plain{"attribute_val", static_cast<MPI_Fint *>(attribute_val)},
                             arg::Pointer{"flag", flag});
}

void thrum_fortran_type_set_attr(MPI_Fint *datatype, MPI_Fint *type_keyval, void *attribute_val,
                                 MPI_Fint *ierror) {
    *ierror = enter<mpi::type_set_integer_attr>(
        CALL(Type_set_attr), arg::Type{"datatype", to_c<MPI_Datatype>(*datatype)},
        arg::Plain{"type_keyval", *type_keyval},
        arg::Plain{"attribute_val", *static_cast<MPI_Aint *>(attribute_val)});
}

void thrum_fortran_type_get_attr(MPI_Fint *datatype, MPI_Fint *type_keyval, void *attribute_val,
                                 MPI_Fint *flag, MPI_Fint *ierror) {
    *ierror = enter<mpi::type_get_integer_attr>(
        CALL(Type_get_attr), arg::Type{"datatype", to_c<MPI_Datatype>(*datatype)},
        arg::Plain{"type_keyval", *type_keyval},
        arg::Plain{"attribute_val", static_cast<MPI_Aint *>(attribute_val)},
        arg::Pointer{"flag", flag});
}

void thrum_fortran_win_set_attr(MPI_Fint *win, MPI_Fint *win_keyval, void *attribute_val,
                                MPI_Fint *ierror) {
    *ierror = enter<mpi::win_set_integer_attr>(
        CALL(Win_set_attr), arg::Win{"win", to_c<MPI_Win>(*win)},
        arg::Plain{"win_keyval", *win_keyval},
        arg::Plain{"attribute_val", *static_cast<MPI_Aint *>(attribute_val)});
}

void thrum_fortran_win_get_attr(MPI_Fint *win, MPI_Fint *win_keyval, void *attribute_val,
                                MPI_Fint *flag, MPI_Fint *ierror) {
    *ierror = enter<mpi::win_get_integer_attr>(
        CALL(Win_get_attr), arg::Win{"win", to_c<MPI_Win>(*win)},
        arg::Plain{"win_keyval", *win_keyval},
        arg::Plain{"attribute_val", static_cast<MPI_Aint *>(attribute_val)},
        arg::Pointer{"flag", flag});
}

} // extern "C"
