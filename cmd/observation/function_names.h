#pragma once
#include <cstdint>

namespace observation {

// Returns "MPI_Send" for the number of its calls in an observation; "" if there is none.
const char *function_name(uint32_t number);

} // namespace observation
