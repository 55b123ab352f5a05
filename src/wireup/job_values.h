// Key-value pairs with which the processes of a job, including added ones, inform each other
// through the launcher's PMIx server (PMIx_Publish). The keys cannot collide with published names.
// Values are texts.
#pragma once
#include "wireup/wireup.h"

namespace thrum {

// Publishes a value once for all processes of the job. Known: the key has a value already.
NameResult set_job_value(const std::string &key, const std::string &value,
                         std::string &why) MAY_SUSPEND;
// Returns the value of a key; "" if it is not set.
std::string get_job_value(const std::string &key) MAY_SUSPEND;

// In the variables of a SpawnedProgram: the hosts where its processes should run, separated by
// commas. The processes do not see this variable.
inline constexpr const char *spawn_hosts_variable = "THRUM_SPAWN_HOSTS";

} // namespace thrum
