// Establishing communication between groups that share no communicator (MPI 5.0 section 11.9), or
// through a socket (section 11.10.5). Both end in join_leader() and spread_joined() (creation.h):
// the two roots, or the two ends of the socket, find a common name for their meeting.
#include "comm/ports.h"

#include "check/causality.h"
#include "check/own_windows.h"
#include "comm/process.h"
#include "entry/calls.h"
#include "entry/entry.h"
#include "entry/tolerance.h"
#include "fiber/blocking_call.h"
#include "mpi/creation.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace thrum::mpi {
namespace {

Error check_name(const char *argument, const char *name) {
    return name ? success : fail(MPI_ERR_ARG, "%s is a null pointer", argument);
}

// How long MPI_Comm_connect waits for a server (section 11.9.3 leaves it to the implementation).
constexpr double default_timeout_s = 180;

// Reads the info key `timeout`, in seconds.
Error read_timeout(const Info *info, double &timeout_s) {
    const std::string *asked = info ? info->get("timeout") : nullptr;
    timeout_s = default_timeout_s;
    if (!asked)
        return success;
    char *end = nullptr;
    timeout_s = std::strtod(asked->c_str(), &end);
    if (end != asked->c_str() && !*end && timeout_s >= 0 && timeout_s < 1e9)
        return success;
    return fail(MPI_ERR_INFO_VALUE,
                "timeout of info is \"%s\", but must be a number of seconds, not negative",
                asked->c_str());
}

// Only the root visits the port, and only its arguments are significant. Its result, or error,
// reaches the other members through its proposal.
Error visit_port(const char *port_name, MPI_Info handle, int root, Communicator &comm,
                 PortSide side, MPI_Comm *newcomm) MAY_SUSPEND {
    lose_causality();
    lose_own_accesses();
    if (comm.inter)
        return fail(MPI_ERR_COMM, "comm is an inter-communicator, which has no single group");
    Proposal mine;
    mine.group = comm.group;
    if (comm.rank == root) {
        Info *info;
        mine.error = check_name("port_name", port_name);
        if (!mine.error)
            mine.error = named_info("info", handle, info);
        // A server waits without a limit.
        double timeout_s = -1;
        if (!mine.error && side == PortSide::Connect)
            mine.error = read_timeout(info, timeout_s);
        PortMeeting meeting;
        if (!mine.error)
            mine.error = meet_at_port(port_name, side, timeout_s, meeting);
        if (!mine.error)
            join_leader(meeting.name, meeting.acceptor, meeting.connector, side == PortSide::Accept,
                        mine);
    }
    return spread_joined(comm, root, mine, newcomm);
}

// What each end of a socket sends to the other. It travels as bytes: both ends run the same library
// if they are in one job, and otherwise the magic word differs or the job does.
struct Introduction {
    char magic[8];
    char job[256];   // name of the job, or of its only process
    int32_t process; // world rank
    uint64_t number; // number of this call in its process
};

// Its last character changes when the struct does.
constexpr char introduction_magic[8] = {'t', 'h', 'r', 'u',
                                        'm', ' ', 'j', '2'}; // changes when the struct does

std::atomic<uint64_t> calls_of_join{0}; // makes the names of two meetings of the same pair differ

// Returns what this end says about itself. A job of one process has no name, so its process id
// tells it from others.
Introduction introduce(const Process &self) {
    Introduction mine{};
    std::memcpy(mine.magic, introduction_magic, sizeof mine.magic);
    if (has_other_processes())
        std::snprintf(mine.job, sizeof mine.job, "%s", job_name().c_str());
    else
        std::snprintf(mine.job, sizeof mine.job, "process %d", static_cast<int>(::getpid()));
    mine.process = self.number;
    mine.number = calls_of_join.fetch_add(1, std::memory_order_relaxed);
    return mine;
}

// Sends all bytes. MSG_NOSIGNAL: SIGPIPE would hit the whole process. The introduction is short and
// usually fits into the socket's buffer, so this is not a blocking call of the rank.
bool send_whole(int fd, const void *data, size_t bytes) {
    auto *text = static_cast<const char *>(data);
    while (bytes > 0) {
        ssize_t n = ::send(fd, text, bytes, MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        text += n;
        bytes -= static_cast<size_t>(n);
    }
    return true;
}

// Receives all bytes. Returns false if the other end is closed. Waits in the kernel as a blocking
// call, so that other ranks of the worker can run: one of them may be the other end.
bool receive_whole(int fd, void *data, size_t bytes) MAY_SUSPEND {
    BlockingCall call;
    auto *text = static_cast<char *>(data);
    while (bytes > 0) {
        ssize_t n = ::recv(fd, text, bytes, MSG_DONTWAIT);
        if (n > 0) {
            text += n;
            bytes -= static_cast<size_t>(n);
            continue;
        }
        if (n == 0 || (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR))
            return false;
        // Entered only when nothing is there yet, and left by the destructor.
        call.enter("MPI_Comm_join");
        pollfd wanted{fd, POLLIN, 0};
        ::poll(&wanted, 1, -1);
    }
    return true;
}

// Only a stream keeps the introduction whole.
Error check_socket(int fd) {
    int type = 0;
    socklen_t length = sizeof type;
    if (::getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &length) != 0)
        return fail(MPI_ERR_ARG, "fd is %d: %s", fd, std::strerror(errno));
    return type == SOCK_STREAM
               ? success
               : fail(MPI_ERR_ARG, "fd is %d, which is not a SOCK_STREAM socket", fd);
}

} // namespace

// Hints are ignored.
Error open_port(Info *, char *port_name) {
    if (Error error = check_name("port_name", port_name))
        return error;
    std::snprintf(port_name, MPI_MAX_PORT_NAME, "%s", thrum::open_port().c_str());
    return success;
}

// Ranks that wait at the port get an error.
Error close_port(const char *port_name) {
    if (Error error = check_name("port_name", port_name))
        return error;
    return thrum::close_port(port_name);
}

Error comm_accept(const char *port_name, Info *info, int root, Communicator &comm,
                  MPI_Comm *newcomm) {
    return visit_port(port_name, info, root, comm, PortSide::Accept, newcomm);
}

Error comm_connect(const char *port_name, Info *info, int root, Communicator &comm,
                   MPI_Comm *newcomm) {
    return visit_port(port_name, info, root, comm, PortSide::Connect, newcomm);
}

// A name that cannot be a port is an error with --check only: other MPIs publish any text.
Error publish_name(const char *service_name, Info *, const char *port_name) {
    Error error = check_name("service_name", service_name);
    if (!error)
        error = check_name("port_name", port_name);
    if (!error && !may_be_port(port_name) && !is_tolerated(Tolerance::UnknownPort))
        error =
            tolerate(Tolerance::UnknownPort,
                     fail(MPI_ERR_PORT,
                          "port_name is \"%s\", which is not an open port of this job", port_name));
    return error ? error : thrum::publish_name(service_name, port_name);
}

Error unpublish_name(const char *service_name, Info *, const char *port_name) {
    Error error = check_name("service_name", service_name);
    if (!error)
        error = check_name("port_name", port_name);
    return error ? error : thrum::unpublish_name(service_name, port_name);
}

// The port's name is copied to an array of MPI_MAX_PORT_NAME bytes.
Error lookup_name(const char *service_name, Info *, char *port_name) {
    Error error = check_name("service_name", service_name);
    if (!error)
        error = check_name("port_name", port_name);
    std::string port;
    if (!error)
        error = look_up_name(service_name, port);
    if (!error)
        std::snprintf(port_name, MPI_MAX_PORT_NAME, "%s", port.c_str());
    return error;
}

// Both ends identify themselves through the socket, then meet without it. An end outside this job
// cannot be reached, for which section 11.10.5 provides MPI_COMM_NULL.
Error comm_join(int fd, MPI_Comm *intercomm) {
    lose_causality();
    lose_own_accesses();
    if (Error error = check_socket(fd))
        return error;
    Process &self = current_process();
    const Introduction mine = introduce(self);
    Introduction theirs{};
    if (!send_whole(fd, &mine, sizeof mine) || !receive_whole(fd, &theirs, sizeof theirs))
        return fail(MPI_ERR_OTHER, "fd is %d: the other end of the socket is closed", fd);
    *intercomm = MPI_COMM_NULL;
    if (std::memcmp(theirs.magic, mine.magic, sizeof mine.magic) != 0 ||
        std::memcmp(theirs.job, mine.job, sizeof mine.job) != 0)
        return success;
    if (theirs.process == mine.process)
        return fail(MPI_ERR_OTHER, "fd is %d: both ends of the socket belong to this process", fd);
    // Both ends compute the same name and order from the two introductions.
    const bool self_first = mine.process < theirs.process;
    const Introduction &first = self_first ? mine : theirs, &second = self_first ? theirs : mine;
    Proposal proposal;
    proposal.group = self.self->group;
    join_leader("socket " + std::to_string(first.number) + " " + std::to_string(second.number),
                first.process, second.process, self_first, proposal);
    if (proposal.error)
        return proposal.error;
    *intercomm = finish_creation(*self.self, proposal);
    return success;
}

} // namespace thrum::mpi
