// Settings as control variables of MPI_T. The table of settings (base/settings.ini) describes them.
// setting_variables.cc defines the read-only ones. The layer that uses a writable setting defines
// its variable, because it knows which object has the value of the calling rank:
//
//   SETTING_VARIABLE(eager_limit, [] { ...returns int64_t... }, [](int64_t value) { ... });
#pragma once
#include "trace/variables.h"

namespace thrum {

// The descriptions of the writable settings, generated from settings.ini.
namespace writable_setting {
#include "trace/writable_settings.inc"
} // namespace writable_setting

// Adds the functions that read and write the value.
constexpr ControlVariable with_access(ControlVariable variable, int64_t (*read)(),
                                      bool (*write)(int64_t value)) {
    variable.read = read;
    variable.write = write;
    return variable;
}

#define SETTING_VARIABLE(name, ...)                                                                \
    CONTROL_VARIABLE(name, ::thrum::with_access(::thrum::writable_setting::name, __VA_ARGS__))

} // namespace thrum
