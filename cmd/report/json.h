// A report as JSON (RFC 8259): the data of its page, and what `thrum report` compares.
#pragma once
#include "report.h"

#include <string>

namespace report {

// Returns one object. docs/reports.md says what it holds.
std::string json_of(const Report &report);

} // namespace report
