// Ports and published names (MPI 5.0 section 11.9): where groups find each other that share no
// communicator. A port is an entry in a table of the process that has opened it; visitors from
// other node processes come there by messages. Names are in a table of the process while it is
// alone, and in the launcher's PMIx server when it is not.
#pragma once
#include "base/error.h"
#include "fiber/task.h"

#include <string>

namespace thrum {

std::string open_port();
// MPI_ERR_PORT if there is no such port. Who waits at it gets that, too.
Error close_port(const char *name) MAY_SUSPEND;

enum class PortSide { Accept, Connect };

// Two visitors of a port, who have met there.
struct PortMeeting {
    int acceptor = 0, connector = 0; // world ranks
    std::string name;                // of this meeting: both get the same, no other does
};

// Waits until somebody of the other side has come to the port, MPI_ERR_PORT after `timeout_s`
// (< 0: no limit). Several may wait; the first come is the first served.
Error meet_at_port(const char *name, PortSide side, double timeout_s,
                   PortMeeting &meeting) MAY_SUSPEND;

// Whether it is the name of a port that is open here, or may be open elsewhere.
bool may_be_port(const char *name);
Error publish_name(const char *service, const char *port) MAY_SUSPEND;
Error unpublish_name(const char *service, const char *port) MAY_SUSPEND;
Error look_up_name(const char *service, std::string &port) MAY_SUSPEND;
// The process is not alone any more: others shall find what it has published.
void publish_names_globally() MAY_SUSPEND;

// Makes this process take in visitors from others; before any of them may come. Idempotent.
void begin_remote_visits();

} // namespace thrum
