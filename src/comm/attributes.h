// Attributes (MPI 5.0 section 7.7): values that a program caches on a communicator, datatype or
// window, with callbacks that run when the object is duplicated or freed.
//
// Invariants
// 1. A keyval lives until it has been freed and no attribute refers to it (section 7.7.2).
// 2. Callbacks are called without a lock: they may call MPI.
// 3. Attributes belong to one rank; its threads use them one at a time (as section 7.7 allows).
#pragma once
#include "base/error.h"
#include "datatype/datatype.h"
#include "mpi.h"

#include <vector>

namespace thrum {

struct Keyval;

// How to call the callbacks of a keyval that was made in another language than C, or through
// another MPI's binary interface; set by its binding. Both return an error code. Values are
// integers of address size (section 19.3.7), or pointers.
struct ForeignCallbacks {
    int (*copy)(const Keyval &keyval, void *object, MPI_Aint value, MPI_Aint *copied, int *flag);
    int (*delete_function)(const Keyval &keyval, void *object, MPI_Aint value);
    bool has_pointers = false;
};

// An attribute key with its callbacks.
struct Keyval {
    enum class Kind : unsigned char { Comm, Type, Win };
    int number = MPI_KEYVAL_INVALID; // the program's key
    Kind kind = Kind::Comm;
    bool freed = false;       // by the user; attributes still refer to it
    int references = 1;       // one for the user and one per attribute; guarded by the table's lock
    void (*copy)() = nullptr; // Kind's copy function, cast; or a predefined constant
    void (*delete_function)() = nullptr; // likewise
    void *extra_state = nullptr;
    const ForeignCallbacks *foreign = nullptr; // nullptr: C's
};

// The attributes of one object. Objects without attributes have none of these.
struct Attributes {
    struct Entry {
        Keyval *keyval; // holds a reference
        // What C sees. For a value that was set as an integer (section 19.3.7): the address of that
        // MPI_Aint, which this entry owns.
        void *value;
        bool is_integer;
    };

    std::vector<Entry> entries; // in the order in which they were set
};

// A rank's own attributes of predefined datatypes, which all ranks share. They form a list.
struct TypeAttributes {
    const Datatype *datatype;
    Attributes *attributes;
    TypeAttributes *next;
};

// Returns the place of the calling rank's attributes of `datatype`.
Attributes *&attributes_of(Datatype &datatype);
// Frees a rank's attributes of predefined datatypes, without callbacks.
void forget_type_attributes(TypeAttributes *&list);

// Makes a keyval and returns its number. `copy` and `delete_function` may be predefined constants.
int new_keyval(Keyval::Kind kind, void (*copy)(), void (*delete_function)(), void *extra_state,
               const ForeignCallbacks *foreign = nullptr);
// Returns the keyval with this number, or nullptr if there is none of this kind or it was freed.
Keyval *find_keyval(Keyval::Kind kind, int number);
// Marks a keyval as freed, for MPI_Comm_free_keyval. It lives on while attributes refer to it.
void free_keyval(Keyval &keyval);

// Finds an attribute. Of these functions' arguments, `object` is the handle that callbacks get: an
// MPI_Comm, MPI_Datatype or MPI_Win. `attributes` is the object's pointer, which may be nullptr and
// becomes nullptr again when it is empty. A callback's error code is passed on, and the operation
// is then not done (section 7.7.2).
const Attributes::Entry *find_attribute(const Attributes *attributes, const Keyval &keyval);
// Finds it by number, even if the user has freed the keyval (invariant 1).
const Attributes::Entry *find_attribute(const Attributes *attributes, int keyval_number);
// Sets an attribute. An old value is deleted first, with its callback.
Error set_attribute(Attributes *&attributes, Keyval &keyval, void *value, void *object);
Error set_integer_attribute(Attributes *&attributes, Keyval &keyval, MPI_Aint value, void *object);
// Returns what a language without pointers sees: the integer that was set, or the pointer as an
// integer.
MPI_Aint integer_value(const Attributes::Entry &entry);
// Deletes an attribute, if it is set, after its delete function has agreed.
Error delete_attribute(Attributes *&attributes, Keyval &keyval, void *object);
// Copies attributes to a duplicate: calls the copy functions in the order of setting. On an error,
// deletes what was copied so far without callbacks.
Error copy_attributes(const Attributes *from, void *old_object, Attributes *&to);
// Deletes attributes before an object is freed: calls the delete functions, latest set first
// (section 11.2.4 requires this for MPI_COMM_SELF). Stops at an error and keeps the rest.
Error delete_attributes(Attributes *&attributes, void *object);
// Frees the memory without callbacks.
void forget_attributes(Attributes *&attributes);

} // namespace thrum
