// Finds the override of a C-library function or variable by its name; nullptr: there is none.
#pragma once
#include "image/image.h"

namespace thrum {

const FunctionOverride *find_function(const Overrides &overrides, const char *name);
const VariableOverride *find_variable(const Overrides &overrides, const char *name);

} // namespace thrum
