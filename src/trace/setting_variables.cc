// The control variables of MPI_T that cannot be written: the settings as the environment gave them.
#include "trace/setting_variables.h"

#include "base/fabric_settings.h"
#include "base/job_settings.h"
#include "base/settings.h"

namespace thrum {
namespace {

const char *or_empty(const char *text) {
    return text ? text : "";
}

#include "trace/setting_variables.inc"

} // namespace
} // namespace thrum
