// Decides what the slots of private objects hold instead of functions of the C library.
#pragma once
#include "image/image.h"

namespace thrum {

const FunctionOverride *find_function(const Overrides &overrides, const char *name);
const VariableOverride *find_variable(const Overrides &overrides, const char *name);

} // namespace thrum
