// Decides which variables are private, and how code reaches them (compiler/README.md, "What a pass
// does").
#pragma once
#include "gcc_headers.h"

namespace thrum {

enum class Reach {
    Shared, // not private: the compiler's own code is right
    Direct, // %gs:x, or x plus the rank's distance
    Slot,   // the loader decides: the address is in __thrum_slot.x
};

// Applies rules 1 to 3 of the contract to a variable that is defined in this unit. Call it when the
// middle-end is done, because it finds variables that are never written.
bool is_private(tree variable);
// Does the same for a symbol that appears in code.
Reach reach_of(rtx symbol);
// Returns whether a constant may contain the address of private data: an initialiser, or an
// expression for the constant pool.
bool may_hold_private_address(tree value);
bool may_hold_private_address(rtx value);

// Makes a private constant an ordinary variable, so that it is not placed in RELRO.
void make_writable(tree variable);

} // namespace thrum
