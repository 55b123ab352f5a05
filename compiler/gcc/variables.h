// Which variables are private, and how code reaches them (compiler/README.md, "What a pass does").
#pragma once
#include "gcc_headers.h"

namespace thrum {

enum class Reach {
    Shared, // not private: the compiler's own code is right
    Direct, // %gs:x, or x plus the rank's distance
    Slot,   // the loader decides: the address is in __thrum_slot.x
};

// Rules 1 to 3 of the contract for a variable that is defined in this unit. Call when the
// middle-end is done: it finds variables that are never written.
bool is_private(tree variable);
// The same of a symbol that appears in code.
Reach reach_of(rtx symbol);
// Whether a constant may hold the address of private data: an initialiser, or an expression for the
// constant pool.
bool may_hold_private_address(tree value);
bool may_hold_private_address(rtx value);

// Makes a private constant an ordinary variable, so that it is not placed in RELRO.
void make_writable(tree variable);

} // namespace thrum
