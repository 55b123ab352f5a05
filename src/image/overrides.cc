// Linear search: it runs once for each slot, at the start only.
#include "image/overrides.h"

#include <cstring>

namespace thrum {

const FunctionOverride *find_function(const Overrides &overrides, const char *name) {
    for (size_t i = 0; i < overrides.function_count; ++i)
        if (!std::strcmp(overrides.functions[i].name, name))
            return &overrides.functions[i];
    return nullptr;
}

const VariableOverride *find_variable(const Overrides &overrides, const char *name) {
    for (size_t i = 0; i < overrides.variable_count; ++i)
        if (!std::strcmp(overrides.variables[i].name, name))
            return &overrides.variables[i];
    return nullptr;
}

} // namespace thrum
