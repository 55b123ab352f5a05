// What processes of a job tell each other through the launcher's PMIx server (PMIx_Publish), added
// ones included, under keys that no published name can be. Values are texts.
#pragma once
#include "wireup/wireup.h"

namespace thrum {

NameResult tell_job(const std::string &key, const std::string &value, std::string &why) MAY_SUSPEND;
std::string ask_job(const std::string &key) MAY_SUSPEND; // "": nobody has told it

// In the variables of a SpawnedProgram: the names of hosts where its processes shall run, with
// commas between. They do not see it.
inline constexpr const char *spawn_hosts_variable = "THRUM_SPAWN_HOSTS";

} // namespace thrum
