// Caching (MPI 5.0 section 7.7): attributes of communicators, datatypes and windows, and the
// predefined ones of sections 9.1.2 and 12.2.6.
#include "mpi/attribute.h"

#include "base/settings.h"
#include "comm/error_codes.h"
#include "comm/made_objects.h"
#include "comm/process.h"
#include "entry/calls.h"
#include "entry/entry.h"
#include "wireup/wireup.h"

#include <climits>

namespace thrum::mpi {
namespace {

using Kind = Keyval::Kind;

// Callbacks are kept without their type; Keyval::Kind says with which one they are called.
template <class Copy, class Delete>
Error create_keyval(Kind kind, Copy *copy, Delete *delete_function, int *keyval,
                    void *extra_state) {
    *keyval = new_keyval(kind, reinterpret_cast<void (*)()>(copy),
                         reinterpret_cast<void (*)()>(delete_function), extra_state);
    record_made(MadeKind::Keyval, handle_of_keyval(*keyval));
    return success;
}

// Describes a key that is unknown, freed, or of another kind of object.
Error bad_keyval(int keyval) {
    if (keyval == MPI_KEYVAL_INVALID)
        return fail(MPI_ERR_KEYVAL, "keyval is MPI_KEYVAL_INVALID");
    return fail(MPI_ERR_KEYVAL, "keyval is %d, which is not an attribute key of this kind", keyval);
}

// The key is only marked as freed while attributes still use it.
Error free_keyval_of(Kind kind, int *keyval) {
    Keyval *found = find_keyval(kind, *keyval);
    if (!found)
        return bad_keyval(*keyval);
    free_keyval(*found);
    record_freed(MadeKind::Keyval, handle_of_keyval(*keyval));
    *keyval = MPI_KEYVAL_INVALID;
    return success;
}

// C passes the address of a pointer as void *.
void give(void *attribute_val, int *flag, void *value) {
    *static_cast<void **>(attribute_val) = value;
    *flag = 1;
}

bool is_predefined(int keyval) {
    return keyval >= MPI_TAG_UB && keyval <= MPI_UNIVERSE_SIZE;
}

// Programs may read predefined attributes, but neither set nor delete them.
Error check_not_predefined(int keyval) {
    return is_predefined(keyval)
               ? fail(MPI_ERR_KEYVAL, "keyval is %d, a predefined attribute that cannot be changed",
                      keyval)
               : success;
}

// Returns the value of a predefined attribute: the address of an int that lives as long as the
// rank, or nullptr if it is not set. MPI_UNIVERSE_SIZE is set only by mpiexec --universe-size (or
// its variable), because programs conclude from a value that they cannot spawn more.
const int *predefined_value(Process &process, int keyval) {
    static constexpr int tag_upper_bound = INT_MAX, any_rank = MPI_ANY_SOURCE,
                         no_rank = MPI_PROC_NULL, no = 0, yes = 1;
    switch (keyval) {
    case MPI_TAG_UB:
        return &tag_upper_bound;
    case MPI_IO:
        return &any_rank;
    case MPI_HOST:
        return &no_rank;
    case MPI_WTIME_IS_GLOBAL:
        return node_count() > 1 ? &no : &yes; // each node counts from its own start
    case MPI_APPNUM:
        return &process.rank->program;
    case MPI_UNIVERSE_SIZE:
        return settings().universe_size ? &settings().universe_size : nullptr;
    default:
        return last_used_code(process); // MPI_LASTUSEDCODE
    }
}

Attributes *&attributes_in(Communicator &comm) {
    return comm.attributes;
}

Attributes *&attributes_in(Datatype &datatype) {
    return attributes_of(datatype);
}

Attributes *&attributes_in(Window &win) {
    return win.attributes;
}

// A key without an attribute is no error: `entry` is null then.
template <class Object>
Error get_entry(Kind kind, Object &object, int keyval, const Attributes::Entry *&entry) {
    entry = find_attribute(attributes_in(object), keyval);
    return entry || find_keyval(kind, keyval) ? success : bad_keyval(keyval);
}

// `attribute_val` is left alone if there is no attribute.
template <class Object>
Error get_attribute(Kind kind, Object &object, int keyval, void *attribute_val, int *flag) {
    *flag = 0;
    const Attributes::Entry *entry;
    Error error = get_entry(kind, object, keyval, entry);
    if (entry)
        give(attribute_val, flag, entry->value);
    return error;
}

// What C set as a pointer is returned as an integer.
template <class Object>
Error get_integer_attribute(Kind kind, Object &object, int keyval, MPI_Aint *value, int *flag) {
    const Attributes::Entry *entry;
    Error error = get_entry(kind, object, keyval, entry);
    *flag = entry != nullptr;
    if (entry)
        *value = integer_value(*entry);
    return error;
}

// Returns the handle by which callbacks know the object.
void *callback_handle(Communicator &comm) {
    return handle_of(comm);
}

void *callback_handle(Datatype &datatype) {
    return handle_of(datatype);
}

void *callback_handle(Window &win) {
    return &win;
}

// Sets an attribute as C does, with a pointer.
template <class Object>
Error set_attribute_of(Kind kind, Object &object, int keyval, void *value) {
    Keyval *key = find_keyval(kind, keyval);
    return key ? set_attribute(attributes_in(object), *key, value, callback_handle(object))
               : bad_keyval(keyval);
}

// Sets an attribute as Fortran does, with an integer.
template <class Object>
Error set_integer_attribute_of(Kind kind, Object &object, int keyval, MPI_Aint value) {
    Keyval *key = find_keyval(kind, keyval);
    return key ? set_integer_attribute(attributes_in(object), *key, value, callback_handle(object))
               : bad_keyval(keyval);
}

// A freed key can still be used to delete an attribute: it lives until its last attribute is
// deleted, which this call may do (section 7.7.2).
template <class Object>
Error delete_attribute_of(Kind kind, Object &object, int keyval) {
    if (const Attributes::Entry *entry = find_attribute(attributes_in(object), keyval))
        return delete_attribute(attributes_in(object), *entry->keyval, callback_handle(object));
    if (!find_keyval(kind, keyval))
        return bad_keyval(keyval);
    return fail(MPI_ERR_KEYVAL, "keyval is %d, for which no attribute is set", keyval);
}

} // namespace

// Communicators (section 7.7.2)

Error comm_create_keyval(MPI_Comm_copy_attr_function *copy,
                         MPI_Comm_delete_attr_function *delete_function, int *keyval,
                         void *extra_state) {
    return create_keyval(Kind::Comm, copy, delete_function, keyval, extra_state);
}

Error comm_free_keyval(int *keyval) {
    return free_keyval_of(Kind::Comm, keyval);
}

Error comm_set_attr(Communicator &comm, int keyval, void *attribute_val) {
    if (Error error = check_not_predefined(keyval))
        return error;
    return set_attribute_of(Kind::Comm, comm, keyval, attribute_val);
}

// Predefined attributes are not in the communicator's list; their values are addresses of ints.
Error comm_get_attr(Communicator &comm, int keyval, void *attribute_val, int *flag) {
    if (!is_predefined(keyval))
        return get_attribute(Kind::Comm, comm, keyval, attribute_val, flag);
    const int *found = predefined_value(*comm.process, keyval);
    *flag = 0;
    if (found)
        give(attribute_val, flag, const_cast<int *>(found));
    return success;
}

Error comm_set_integer_attr(Communicator &comm, int keyval, MPI_Aint value) {
    if (Error error = check_not_predefined(keyval))
        return error;
    return set_integer_attribute_of(Kind::Comm, comm, keyval, value);
}

// Languages without pointers get the value itself.
Error comm_get_integer_attr(Communicator &comm, int keyval, MPI_Aint *value, int *flag) {
    if (!is_predefined(keyval))
        return get_integer_attribute(Kind::Comm, comm, keyval, value, flag);
    const int *found = predefined_value(*comm.process, keyval);
    *flag = found != nullptr;
    if (found)
        *value = *found;
    return success;
}

Error comm_delete_attr(Communicator &comm, int keyval) {
    if (Error error = check_not_predefined(keyval))
        return error;
    return delete_attribute_of(Kind::Comm, comm, keyval);
}

// Their deprecated names (chapter 16): the callbacks have the same signatures.

Error keyval_create(MPI_Copy_function *copy, MPI_Delete_function *delete_function, int *keyval,
                    void *extra_state) {
    return comm_create_keyval(copy, delete_function, keyval, extra_state);
}

Error keyval_free(int *keyval) {
    return comm_free_keyval(keyval);
}

Error attr_put(Communicator &comm, int keyval, void *attribute_val) {
    return comm_set_attr(comm, keyval, attribute_val);
}

Error attr_get(Communicator &comm, int keyval, void *attribute_val, int *flag) {
    return comm_get_attr(comm, keyval, attribute_val, flag);
}

Error attr_delete(Communicator &comm, int keyval) {
    return comm_delete_attr(comm, keyval);
}

// Datatypes (section 7.7.4)

Error type_create_keyval(MPI_Type_copy_attr_function *copy,
                         MPI_Type_delete_attr_function *delete_function, int *keyval,
                         void *extra_state) {
    return create_keyval(Kind::Type, copy, delete_function, keyval, extra_state);
}

Error type_free_keyval(int *keyval) {
    return free_keyval_of(Kind::Type, keyval);
}

Error type_set_attr(Datatype &datatype, int keyval, void *attribute_val) {
    return set_attribute_of(Kind::Type, datatype, keyval, attribute_val);
}

Error type_get_attr(Datatype &datatype, int keyval, void *attribute_val, int *flag) {
    return get_attribute(Kind::Type, datatype, keyval, attribute_val, flag);
}

Error type_set_integer_attr(Datatype &datatype, int keyval, MPI_Aint value) {
    return set_integer_attribute_of(Kind::Type, datatype, keyval, value);
}

Error type_get_integer_attr(Datatype &datatype, int keyval, MPI_Aint *value, int *flag) {
    return get_integer_attribute(Kind::Type, datatype, keyval, value, flag);
}

Error type_delete_attr(Datatype &datatype, int keyval) {
    return delete_attribute_of(Kind::Type, datatype, keyval);
}

// Windows (section 7.7.3)

Error win_create_keyval(MPI_Win_copy_attr_function *copy,
                        MPI_Win_delete_attr_function *delete_function, int *keyval,
                        void *extra_state) {
    return create_keyval(Kind::Win, copy, delete_function, keyval, extra_state);
}

Error win_free_keyval(int *keyval) {
    return free_keyval_of(Kind::Win, keyval);
}

namespace {

// The predefined keys of windows are not numbered together with those of communicators.
bool is_predefined_of_window(int keyval) {
    return keyval >= MPI_WIN_BASE && keyval <= MPI_WIN_MODEL;
}

// The same for windows, whose predefined keys are others.
Error check_not_of_window(int keyval) {
    return is_predefined_of_window(keyval)
               ? fail(MPI_ERR_KEYVAL, "keyval is %d, a predefined attribute that cannot be changed",
                      keyval)
               : success;
}

// Section 12.2.6: returns what C gets: the base itself for MPI_WIN_BASE, otherwise the address of
// the value, which lives as long as the window.
void *predefined_value(Window &win, int keyval) {
    switch (keyval) {
    case MPI_WIN_BASE:
        return win.parts[win.rank].base;
    case MPI_WIN_SIZE:
        return &win.size_bytes;
    case MPI_WIN_DISP_UNIT:
        return &win.disp_unit;
    case MPI_WIN_CREATE_FLAVOR:
        return &win.flavor;
    default:
        return &win.model; // MPI_WIN_MODEL
    }
}

} // namespace

Error win_set_attr(Window &win, int keyval, void *attribute_val) {
    if (Error error = check_not_of_window(keyval))
        return error;
    return set_attribute_of(Kind::Win, win, keyval, attribute_val);
}

Error win_get_attr(Window &win, int keyval, void *attribute_val, int *flag) {
    if (!is_predefined_of_window(keyval))
        return get_attribute(Kind::Win, win, keyval, attribute_val, flag);
    give(attribute_val, flag, predefined_value(win, keyval));
    return success;
}

Error win_set_integer_attr(Window &win, int keyval, MPI_Aint value) {
    if (Error error = check_not_of_window(keyval))
        return error;
    return set_integer_attribute_of(Kind::Win, win, keyval, value);
}

// MPI_WIN_BASE is an address, MPI_WIN_SIZE an MPI_Aint, and all others are ints.
Error win_get_integer_attr(Window &win, int keyval, MPI_Aint *value, int *flag) {
    if (!is_predefined_of_window(keyval))
        return get_integer_attribute(Kind::Win, win, keyval, value, flag);
    *flag = 1;
    void *found = predefined_value(win, keyval);
    *value = keyval == MPI_WIN_BASE   ? reinterpret_cast<MPI_Aint>(found)
             : keyval == MPI_WIN_SIZE ? win.size_bytes
                                      : *static_cast<int *>(found);
    return success;
}

Error win_delete_attr(Window &win, int keyval) {
    if (Error error = check_not_of_window(keyval))
        return error;
    return delete_attribute_of(Kind::Win, win, keyval);
}

} // namespace thrum::mpi
