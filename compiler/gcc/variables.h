// Decides which variables are private, and how code accesses them (compiler/README.md, "What a pass
// does"). rewrite.cc asks for each symbol in the code, plugin.cc for each definition.
#pragma once
#include "gcc_headers.h"

namespace thrum {

// How code accesses a variable.
enum class Reach {
    Shared, // not private: the compiler's own code is right
    Direct, // %gs:x, or x plus the rank's distance
    Slot,   // the loader decides: the address is in __thrum_slot.x
};

// Returns whether a variable that is defined in this unit is private, by rules 1 to 3 of the
// contract. Must be called when the middle-end is done, because that finds variables that are never
// written. The decision is kept.
bool is_private(tree variable);
// Returns how code must access a symbol.
Reach reach_of(rtx symbol);
// Returns whether a constant may contain the address of private data: an initialiser, or an
// expression for the constant pool.
bool may_hold_private_address(tree value);
bool may_hold_private_address(rtx value);

// Makes a private constant an ordinary variable, so that it is not placed in RELRO. Does nothing
// for others.
void make_writable(tree variable);

} // namespace thrum
