// Settings (settings.h) with which mpiexec tells a process its place in a job of several processes.
#pragma once
#include "base/setting_fields.h"

namespace thrum {

struct JobSettings : JobSettingFields {
    // The entry THRUM_LAUNCH_PID=... of the initial environment, where /proc/PID/environ shows it;
    // nullptr: not set.
    const char *launch_entry = nullptr;
};

const JobSettings &job_settings(); // filled by read_settings()

} // namespace thrum
