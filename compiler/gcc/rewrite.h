// The RTL pass that rewrites references to private variables, and the data that it needs in the
// object (rewrite.cc).
#pragma once
#include "gcc_headers.h"

#include <stdio.h>

namespace thrum {

// Makes the pass, which runs right after expand. GCC owns it.
rtl_opt_pass *new_rewrite_pass(gcc::context *context);

// Writes the slots that the rewritten code uses, and the distance, to the assembler file. Called
// once, at the end of the unit.
void write_slots(FILE *file);

} // namespace thrum
