// Establishing communication between groups that share no communicator (MPI 5.0 section 11.9), and
// by a socket (section 11.10.5).
#include "comm/ports.h"

#include "comm/assembly.h"
#include "comm/process.h"
#include "comm/span.h"
#include "fiber/blocking_call.h"
#include "mpi/calls.h"
#include "mpi/creation.h"
#include "mpi/entry.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace thrum::mpi {
namespace {

Error check_name(const char *argument, const char *name) {
    return name ? success : fail(MPI_ERR_ARG, "%s is a null pointer", argument);
}

// The acceptor is side 0.
void join_at_port(void *acceptor, void *connector) {
    join_groups({static_cast<Proposal *>(acceptor), static_cast<Proposal *>(connector)},
                empty_group);
}

Error visit_port(const char *port_name, MPI_Info handle, int root, Communicator &comm,
                 PortSide side, MPI_Comm *newcomm) {
    if (comm.inter)
        return fail(MPI_ERR_COMM, "comm is an inter-communicator, which has no single group");
    if (has_other_processes())
        return not_across_processes("establishing communication");
    Proposal mine;
    mine.group = comm.group;
    if (comm.rank == root) {
        Info *info;
        mine.error = check_name("port_name", port_name);
        if (!mine.error)
            mine.error = named_info("info", handle, info);
        if (!mine.error) {
            Error error = meet_at_port(port_name, side, &mine, join_at_port);
            if (error)
                mine.error = error;
        }
    }
    return spread_joined(comm, root, mine, newcomm);
}

// What each end of a socket tells the other.
struct Introduction {
    char magic[8];
    int64_t process_id;
    uint64_t address; // of its Process
    uint64_t number;  // of the call
};

constexpr char introduction_magic[8] = {'t', 'h', 'r', 'u', 'm', ' ', 'j', '1'};

std::atomic<uint64_t> calls_of_join{0};

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
        call.enter("MPI_Comm_join");
        pollfd wanted{fd, POLLIN, 0};
        ::poll(&wanted, 1, -1);
    }
    return true;
}

Error check_socket(int fd) {
    int type = 0;
    socklen_t length = sizeof type;
    if (::getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &length) != 0)
        return fail(MPI_ERR_ARG, "fd is %d: %s", fd, std::strerror(errno));
    return type == SOCK_STREAM ? success
                               : fail(MPI_ERR_ARG, "fd is %d, which is no SOCK_STREAM socket", fd);
}

} // namespace

Error open_port(Info *, char *port_name) {
    if (Error error = check_name("port_name", port_name))
        return error;
    std::snprintf(port_name, MPI_MAX_PORT_NAME, "%s", thrum::open_port().c_str());
    return success;
}

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

Error publish_name(const char *service_name, Info *, const char *port_name) {
    if (has_other_processes())
        return not_across_processes("publishing a name");
    Error error = check_name("service_name", service_name);
    if (!error)
        error = check_name("port_name", port_name);
    return error ? error : thrum::publish_name(service_name, port_name);
}

Error unpublish_name(const char *service_name, Info *, const char *port_name) {
    if (has_other_processes())
        return not_across_processes("unpublishing a name");
    Error error = check_name("service_name", service_name);
    if (!error)
        error = check_name("port_name", port_name);
    return error ? error : thrum::unpublish_name(service_name, port_name);
}

Error lookup_name(const char *service_name, Info *, char *port_name) {
    if (has_other_processes())
        return not_across_processes("looking a name up");
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

// Both ends tell each other who they are, then meet without the socket. An end outside this process
// cannot be reached: section 11.10.5 has MPI_COMM_NULL for that.
Error comm_join(int fd, MPI_Comm *intercomm) {
    if (Error error = check_socket(fd))
        return error;
    Process &self = current_process();
    Introduction mine{{},
                      ::getpid(),
                      reinterpret_cast<uintptr_t>(&self),
                      calls_of_join.fetch_add(1, std::memory_order_relaxed)};
    std::memcpy(mine.magic, introduction_magic, sizeof mine.magic);
    Introduction theirs{};
    if (!send_whole(fd, &mine, sizeof mine) || !receive_whole(fd, &theirs, sizeof theirs))
        return fail(MPI_ERR_OTHER, "fd is %d: the other end of the socket has gone", fd);
    *intercomm = MPI_COMM_NULL;
    if (std::memcmp(theirs.magic, introduction_magic, sizeof theirs.magic) != 0 ||
        theirs.process_id != mine.process_id)
        return success;
    auto &other = *reinterpret_cast<Process *>(theirs.address);
    if (&other == &self)
        return fail(MPI_ERR_OTHER, "fd is %d: both ends of the socket are this process's own", fd);
    bool self_first = mine.number < theirs.number;
    Group *leaders = self_first ? new_group({&self, &other}) : new_group({&other, &self});
    AssemblyKey key;
    key.purpose = AssemblyKey::Purpose::Join;
    key.string_tag = std::to_string(std::min(mine.number, theirs.number));
    key.group = leaders;
    Proposal proposal;
    proposal.group = self.self->group;
    assemble_proposals(key, self_first ? 0 : 1, proposal, join_groups);
    release(*leaders);
    if (proposal.error)
        return proposal.error;
    *intercomm = finish_creation(*self.self, proposal);
    return success;
}

} // namespace thrum::mpi
