// Keyvals, and the attributes of objects. Keyvals are in one table for all ranks, under one lock;
// attributes are in their object and belong to one rank, without a lock. Callbacks run between the
// two: each function takes what it needs before, and looks again after a callback, which may have
// changed the object's attributes or freed the keyval.
#include "comm/attributes.h"

#include "base/check.h"
#include "base/spinlock.h"
#include "comm/process.h"

namespace thrum {
namespace {

// One table for all ranks. A keyval's number matters only to its rank, and programs must expect
// numbers that differ between ranks (section 7.7.2).
struct KeyvalTable {
    SpinLock lock;                 // guards everything here, and Keyval::references and freed
    std::vector<Keyval *> keyvals; // by number - first_number; nullptr: free
    std::vector<size_t> free_slots;
};

constexpr int first_number = 1 << 20; // far from the predefined ones

KeyvalTable &table() {
    static auto *the_table = new KeyvalTable; // never destroyed: ranks may outlive static objects
    return *the_table;
}

// Drops a reference; the last one frees the keyval and its number.
void drop_locked(Keyval &keyval) {
    if (--keyval.references > 0)
        return;
    auto slot = static_cast<size_t>(keyval.number - first_number);
    table().keyvals[slot] = nullptr;
    table().free_slots.push_back(slot);
    delete &keyval;
}

void drop(Keyval &keyval) {
    LockGuard guard(table().lock);
    drop_locked(keyval);
}

void add_reference(Keyval &keyval) {
    LockGuard guard(table().lock);
    ++keyval.references;
}

// The predefined copy functions of mpi.h: 0 copies nothing, 1 copies the value.
constexpr auto dup_function = static_cast<uintptr_t>(1);

template <class Function, class Handle>
int call_copy(const Keyval &keyval, void *object, void *value, void **copied, int *flag) {
    return reinterpret_cast<Function *>(keyval.copy)(static_cast<Handle>(object), keyval.number,
                                                     keyval.extra_state, value, copied, flag);
}

// The result of a copy function. If `flag` is 0, the attribute is not copied.
struct Copied {
    void *value = nullptr;
    bool is_integer = false; // if true, `integer` is the value
    MPI_Aint integer = 0;
    int flag = 0;
};

// Calls a copy function of the program with the handle type of its object. Returns its error code.
int call_c_copy(const Keyval &keyval, void *object, const Attributes::Entry &entry,
                Copied &copied) {
    void **out = &copied.value;
    int *flag = &copied.flag;
    switch (keyval.kind) {
    case Keyval::Kind::Comm:
        return call_copy<MPI_Comm_copy_attr_function, MPI_Comm>(keyval, object, entry.value, out,
                                                                flag);
    case Keyval::Kind::Type:
        return call_copy<MPI_Type_copy_attr_function, MPI_Datatype>(keyval, object, entry.value,
                                                                    out, flag);
    case Keyval::Kind::Win:
        return call_copy<MPI_Win_copy_attr_function, MPI_Win>(keyval, object, entry.value, out,
                                                              flag);
    }
    return MPI_ERR_INTERN;
}

// Returns the value as a foreign callback gets it.
MPI_Aint foreign_value(const Attributes::Entry &entry) {
    return entry.keyval->foreign->has_pointers ? reinterpret_cast<MPI_Aint>(entry.value)
                                               : integer_value(entry);
}

// Calls a foreign copy function. Returns its error code.
int call_foreign_copy(const Keyval &keyval, void *object, const Attributes::Entry &entry,
                      Copied &copied) {
    MPI_Aint value = 0;
    const int code =
        keyval.foreign->copy(keyval, object, foreign_value(entry), &value, &copied.flag);
    copied.is_integer = !keyval.foreign->has_pointers;
    if (copied.is_integer)
        copied.integer = value;
    else
        copied.value = reinterpret_cast<void *>(value);
    return code;
}

// Copies one value. A foreign copy function gets and returns integers; MPI_COMM_DUP_FN and similar
// constants are recognised and not called.
int copy_value(const Attributes::Entry &entry, void *object, Copied &copied) {
    const Keyval &keyval = *entry.keyval;
    if (!keyval.copy)
        return MPI_SUCCESS;
    if (reinterpret_cast<uintptr_t>(keyval.copy) == dup_function) {
        copied = {entry.value, false, 0, 1};
    } else {
        const auto call = keyval.foreign ? call_foreign_copy : call_c_copy;
        if (int code = call(keyval, object, entry, copied); code || copied.is_integer)
            return code;
    }
    // An unchanged integer gets its own storage.
    if (entry.is_integer && copied.value == entry.value)
        copied = {nullptr, true, integer_value(entry), copied.flag};
    return MPI_SUCCESS;
}

// Calls the delete function with the value in the form of the language that made the keyval.
int call_delete(const Attributes::Entry &entry, void *object) {
    const Keyval &keyval = *entry.keyval;
    void *value = entry.value;
    if (!keyval.delete_function)
        return MPI_SUCCESS;
    if (keyval.foreign)
        return keyval.foreign->delete_function(keyval, object, foreign_value(entry));
    auto call = [&]<class Function, class Handle>(Function *, Handle) {
        return reinterpret_cast<Function *>(keyval.delete_function)(
            static_cast<Handle>(object), keyval.number, value, keyval.extra_state);
    };
    switch (keyval.kind) {
    case Keyval::Kind::Comm:
        return call(static_cast<MPI_Comm_delete_attr_function *>(nullptr), MPI_Comm{});
    case Keyval::Kind::Type:
        return call(static_cast<MPI_Type_delete_attr_function *>(nullptr), MPI_Datatype{});
    case Keyval::Kind::Win:
        return call(static_cast<MPI_Win_delete_attr_function *>(nullptr), MPI_Win{});
    }
    return MPI_ERR_INTERN;
}

// Releases what an entry owns, without callbacks.
void forget(const Attributes::Entry &entry) {
    if (entry.is_integer)
        delete static_cast<MPI_Aint *>(entry.value);
    drop(*entry.keyval);
}

// Appends an attribute. The `value` of an integer is a new MPI_Aint, which the entry owns.
void append(Attributes *&attributes, Keyval &keyval, void *value, bool is_integer) {
    if (!attributes)
        attributes = new Attributes;
    add_reference(keyval);
    attributes->entries.push_back({&keyval, value, is_integer});
}

Error callback_failed(const char *which, const Keyval &keyval, int code) {
    return fail(code, "the %s function of attribute key %d returned error code %d", which,
                keyval.number, code);
}

// Removes entry `i` after its delete function has agreed. The callback may itself change the
// attributes, so the entry is looked up again by its key.
Error delete_entry(Attributes *&attributes, size_t i, void *object) {
    Keyval &keyval = *attributes->entries[i].keyval;
    add_reference(keyval); // the callback may free the keyval
    int code = call_delete(attributes->entries[i], object);
    if (code == MPI_SUCCESS && attributes)
        for (auto entry = attributes->entries.begin(); entry != attributes->entries.end(); ++entry)
            if (entry->keyval == &keyval) {
                forget(*entry);
                attributes->entries.erase(entry);
                break;
            }
    Error error = code == MPI_SUCCESS ? success : callback_failed("delete", keyval, code);
    drop(keyval);
    return error;
}

void shrink(Attributes *&attributes) {
    if (attributes && attributes->entries.empty()) {
        delete attributes;
        attributes = nullptr;
    }
}

} // namespace

// Predefined datatypes are shared by all ranks, so their attributes are in a list of the rank.
Attributes *&attributes_of(Datatype &datatype) {
    if (!datatype.predefined)
        return datatype.attributes;
    TypeAttributes *&list = current_process().type_attributes;
    for (TypeAttributes *entry = list; entry; entry = entry->next)
        if (entry->datatype == &datatype)
            return entry->attributes;
    list = new TypeAttributes{&datatype, nullptr, list};
    return list->attributes;
}

void forget_type_attributes(TypeAttributes *&list) {
    while (TypeAttributes *entry = list) {
        list = entry->next;
        forget_attributes(entry->attributes);
        delete entry;
    }
}

// Reuses the numbers of keyvals that are gone, so that a program which creates and frees keyvals in
// a loop needs no growing table.
int new_keyval(Keyval::Kind kind, void (*copy)(), void (*delete_function)(), void *extra_state,
               const ForeignCallbacks *foreign) {
    LockGuard guard(table().lock);
    size_t slot = table().keyvals.size();
    if (table().free_slots.empty()) {
        table().keyvals.push_back(nullptr);
    } else {
        slot = table().free_slots.back();
        table().free_slots.pop_back();
    }
    int number = first_number + static_cast<int>(slot);
    table().keyvals[slot] =
        new Keyval{number, kind, false, 1, copy, delete_function, extra_state, foreign};
    return number;
}

Keyval *find_keyval(Keyval::Kind kind, int number) {
    LockGuard guard(table().lock);
    if (number < first_number ||
        static_cast<size_t>(number - first_number) >= table().keyvals.size())
        return nullptr;
    Keyval *keyval = table().keyvals[static_cast<size_t>(number - first_number)];
    return keyval && keyval->kind == kind && !keyval->freed ? keyval : nullptr;
}

void free_keyval(Keyval &keyval) {
    LockGuard guard(table().lock);
    CHECK(!keyval.freed);
    keyval.freed = true;
    drop_locked(keyval);
}

const Attributes::Entry *find_attribute(const Attributes *attributes, const Keyval &keyval) {
    return find_attribute(attributes, keyval.number);
}

const Attributes::Entry *find_attribute(const Attributes *attributes, int keyval_number) {
    if (attributes)
        for (const Attributes::Entry &entry : attributes->entries)
            if (entry.keyval->number == keyval_number)
                return &entry;
    return nullptr;
}

Error set_attribute(Attributes *&attributes, Keyval &keyval, void *value, void *object) {
    // Section 7.7.2: setting an existing value first deletes the old one.
    if (Error error = delete_attribute(attributes, keyval, object))
        return error;
    append(attributes, keyval, value, false);
    return success;
}

Error set_integer_attribute(Attributes *&attributes, Keyval &keyval, MPI_Aint value, void *object) {
    if (Error error = delete_attribute(attributes, keyval, object))
        return error;
    append(attributes, keyval, new MPI_Aint(value), true);
    return success;
}

MPI_Aint integer_value(const Attributes::Entry &entry) {
    return entry.is_integer ? *static_cast<MPI_Aint *>(entry.value)
                            : reinterpret_cast<MPI_Aint>(entry.value);
}

Error delete_attribute(Attributes *&attributes, Keyval &keyval, void *object) {
    const Attributes::Entry *entry = find_attribute(attributes, keyval);
    if (!entry)
        return success;
    Error error =
        delete_entry(attributes, static_cast<size_t>(entry - attributes->entries.data()), object);
    shrink(attributes);
    return error;
}

Error copy_attributes(const Attributes *from, void *old_object, Attributes *&to) {
    if (!from)
        return success;
    const std::vector<Attributes::Entry> entries = from->entries; // a callback may change it
    for (const Attributes::Entry &entry : entries) {
        Copied copied;
        int code = copy_value(entry, old_object, copied);
        if (code != MPI_SUCCESS) {
            Error error = callback_failed("copy", *entry.keyval, code);
            forget_attributes(to);
            return error;
        }
        if (copied.flag)
            append(to, *entry.keyval,
                   copied.is_integer ? new MPI_Aint(copied.integer) : copied.value,
                   copied.is_integer);
    }
    return success;
}

Error delete_attributes(Attributes *&attributes, void *object) {
    while (attributes && !attributes->entries.empty())
        if (Error error = delete_entry(attributes, attributes->entries.size() - 1, object))
            return error;
    shrink(attributes);
    return success;
}

void forget_attributes(Attributes *&attributes) {
    if (!attributes)
        return;
    for (const Attributes::Entry &entry : attributes->entries)
        forget(entry);
    delete attributes;
    attributes = nullptr;
}

} // namespace thrum
