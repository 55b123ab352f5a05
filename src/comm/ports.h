// Ports and published names (MPI 5.0 section 11.9): where groups meet that share no communicator. A
// port is an entry in a table of the process that opened it; visitors from other node processes
// reach it by messages. Names are in a table of the process while it is alone, otherwise in the
// launcher's PMIx server.
#pragma once
#include "base/error.h"
#include "fiber/task.h"

#include <string>

namespace thrum {

// Opens a port in this process and returns its name, which is unique in the job.
std::string open_port();
// Closes a port. Returns MPI_ERR_PORT if there is no such port; ranks that wait at it get that
// error, too.
Error close_port(const char *name) MAY_SUSPEND;

// The two roles at a port: a visitor meets one of the other role.
enum class PortSide { Accept, Connect };

// Two visitors that have met at a port.
struct PortMeeting {
    int acceptor = 0, connector = 0; // world ranks
    std::string name;                // name of this meeting, the same for both and unique
};

// Waits until a visitor of the other side comes to the port. Fails with MPI_ERR_PORT after
// `timeout_s` seconds (< 0: no limit), or if the port is closed. Several ranks may wait, and are
// served first come, first served.
Error meet_at_port(const char *name, PortSide side, double timeout_s,
                   PortMeeting &meeting) MAY_SUSPEND;

// Returns whether `name` is a port that is open here, or may be open elsewhere.
bool may_be_port(const char *name);
// Publish, withdraw and look up the port of a service. They fail with MPI_ERR_SERVICE or
// MPI_ERR_NAME if the name is published already, or is not.
Error publish_name(const char *service, const char *port) MAY_SUSPEND;
Error unpublish_name(const char *service, const char *port) MAY_SUSPEND;
Error look_up_name(const char *service, std::string &port) MAY_SUSPEND;
// Publishes this process's names globally when it is no longer alone, so that others find them.
void publish_names_globally() MAY_SUSPEND;

// Makes this process accept visitors from others; must be called before any can come. Idempotent.
void begin_remote_visits();

} // namespace thrum
