// Symbol lookup as ld.so does it in the global scope: objects in the order of loading, GNU or
// System V hash table, versions (glibc, elf/dl-lookup.c defines the rules). Needed where ld.so's
// answer cannot be read from a slot: the source of a COPY, and what a slot would hold without the
// program's definition.
#pragma once
#include "image/object.h"

namespace thrum {

struct Definition {
    const Object *object = nullptr; // nullptr: not found
    const ElfW(Sym) *symbol = nullptr;

    explicit operator bool() const { return object != nullptr; }

    // Returns the address of the symbol; for an indirect function the result of its resolver.
    uintptr_t address() const;
};

// Returns the name of a symbol by its number in the dynamic symbol table.
const char *symbol_name(const Object &object, size_t symbol_index);

// Returns the version that `object` demands of symbol number `symbol_index`, or nullptr.
const char *wanted_version(const Object &object, size_t symbol_index);

// Returns the definition of `name` in `object` itself, or nullptr. `version`: nullptr for any that
// is not hidden.
const ElfW(Sym) * find_in_object(const Object &object, const char *name, const char *version);

// Returns the number of entries of the dynamic symbol table, as far as the hash table tells.
size_t symbol_count(const Object &object);
// Returns whether only `object` itself can define its symbol number `symbol_index`: it is local or
// not of default visibility.
bool is_own_definition(const Object &object, size_t symbol_index);
// Finds what `object` finds in itself before it looks elsewhere: such a symbol, or any symbol if it
// is linked with -Bsymbolic.
Definition find_in_itself(const Object &object, size_t symbol_index);

// Finds the first definition among the process's own objects for which accept(object) holds.
template <class Accept>
Definition find_definition(const char *name, const char *version, Accept accept) {
    for (const Object &object : objects())
        if (accept(object))
            if (const ElfW(Sym) *symbol = find_in_object(object, name, version))
                return {&object, symbol};
    return {};
}

} // namespace thrum
