// A view as JSON, for the page of mpiexec --live.
#pragma once
#include "view.h"

#include <string>

namespace live {

std::string json_of(const View &view);
// Returns what is known of one rank of the view.
std::string json_of_rank(const View &view, int rank);
std::string json_of(const Queues &queues);

} // namespace live
