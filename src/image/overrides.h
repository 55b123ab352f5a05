// What a slot of a private object that leads into the C library holds instead.
#pragma once
#include "image/image.h"

namespace thrum {

const FunctionOverride *find_function(const Overrides &overrides, const char *name);
const VariableOverride *find_variable(const Overrides &overrides, const char *name);

} // namespace thrum
