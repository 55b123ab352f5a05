// Ports and published names (MPI 5.0 section 11.9): where groups find each other that share no
// communicator. All are in this process, so a port is a name in a table, and the scope of both is
// the job.
#pragma once
#include "base/error.h"
#include "fiber/task.h"

#include <string>

namespace thrum {

std::string open_port();
// MPI_ERR_PORT if there is no such port. Who waits at it gets that, too.
Error close_port(const char *name);

enum class PortSide { Accept, Connect };

// Waits until somebody of the other side has come to the port, then, once, join(acceptor's
// argument, connector's argument) has been called. Several may wait; the first come is the first
// served.
Error meet_at_port(const char *name, PortSide side, void *argument,
                   void (*join)(void *acceptor, void *connector)) MAY_SUSPEND;

Error publish_name(const char *service, const char *port);
Error unpublish_name(const char *service, const char *port);
Error look_up_name(const char *service, std::string &port);

} // namespace thrum
