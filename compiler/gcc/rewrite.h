// The RTL pass that rewrites references to private variables, and the data that it needs in the
// object.
#pragma once
#include "gcc_headers.h"

#include <stdio.h>

namespace thrum {

// Makes the pass, which runs right after expand.
rtl_opt_pass *new_rewrite_pass(gcc::context *context);

// Writes the slots that the rewritten code uses, and the distance, to the assembler file.
void write_slots(FILE *file);

} // namespace thrum
