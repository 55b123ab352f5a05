// Sockets: MSG_DONTWAIT makes the attempt. accept() and connect() have no such flag and are rare: a
// rank goes to a spare worker for them, unless the socket is non-blocking.
#include "libc/blocking.h"
#include "libc/libc_state.h"
#include "libc/standard_descriptors.h"

#include <netdb.h>
#include <sys/socket.h>

namespace thrum {
namespace {

bool would_block(ssize_t result) {
    return result < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
}

// Receives by call(flags), first without waiting. `flags` are the program's.
template <class Call>
ssize_t receive(const char *name, int socket, int flags, Call call) MAY_SUSPEND {
    if (waits_in_place())
        return call(flags);
    // An attempt would take a part of the data, and the call that follows would wait for too much.
    if (flags & MSG_WAITALL)
        return blocking(name, [&] { return call(flags); });
    ssize_t n = call(flags | MSG_DONTWAIT);
    if (!would_block(n))
        return n;
    if ((flags & MSG_DONTWAIT) || is_nonblocking(socket)) {
        let_others_run();
        return n;
    }
    return blocking(name, [&] { return call(flags); });
}

ssize_t override_recvfrom(int socket, void *data, size_t size_bytes, int flags, sockaddr *address,
                          socklen_t *address_bytes) MAY_SUSPEND {
    socket = real_descriptor(socket);
    return receive("recvfrom", socket, flags, [&](int f) {
        return ::recvfrom(socket, data, size_bytes, f, address, address_bytes);
    });
}

ssize_t override_recv(int socket, void *data, size_t size_bytes, int flags) MAY_SUSPEND {
    socket = real_descriptor(socket);
    return receive("recv", socket, flags,
                   [&](int f) { return ::recv(socket, data, size_bytes, f); });
}

ssize_t override_recv_chk(int socket, void *data, size_t size_bytes, size_t room_bytes,
                          int flags) MAY_SUSPEND {
    if (size_bytes > room_bytes)
        __chk_fail();
    return override_recv(socket, data, size_bytes, flags);
}

ssize_t override_recvfrom_chk(int socket, void *data, size_t size_bytes, size_t room_bytes,
                              int flags, sockaddr *address, socklen_t *address_bytes) MAY_SUSPEND {
    if (size_bytes > room_bytes)
        __chk_fail();
    return override_recvfrom(socket, data, size_bytes, flags, address, address_bytes);
}

ssize_t override_recvmsg(int socket, msghdr *message, int flags) MAY_SUSPEND {
    socket = real_descriptor(socket);
    return receive("recvmsg", socket, flags, [&](int f) { return ::recvmsg(socket, message, f); });
}

int override_recvmmsg(int socket, mmsghdr *messages, unsigned count, int flags,
                      timespec *timeout) MAY_SUSPEND {
    socket = real_descriptor(socket);
    return blocking("recvmmsg",
                    [&] { return ::recvmmsg(socket, messages, count, flags, timeout); });
}

// Sends by call(bytes already sent, flags), first without waiting. A stream may take a part of the
// data; the rest is then sent on a spare worker.
template <class Call>
ssize_t send_all(const char *name, int socket, size_t size_bytes, int flags,
                 Call call) MAY_SUSPEND {
    if (waits_in_place())
        return call(0, flags);
    ssize_t n = call(0, flags | MSG_DONTWAIT);
    if (n < 0 ? !would_block(n) : static_cast<size_t>(n) >= size_bytes)
        return n;
    if ((flags & MSG_DONTWAIT) || is_nonblocking(socket)) {
        if (n < 0)
            let_others_run();
        return n;
    }
    size_t sent = n > 0 ? static_cast<size_t>(n) : 0;
    ssize_t more = blocking(name, [&] { return call(sent, flags); });
    if (sent == 0)
        return more;
    return more > 0 ? n + more : n;
}

ssize_t override_send(int socket, const void *data, size_t size_bytes, int flags) MAY_SUSPEND {
    socket = real_descriptor(socket);
    return send_all("send", socket, size_bytes, flags, [&](size_t sent, int f) {
        return ::send(socket, static_cast<const char *>(data) + sent, size_bytes - sent, f);
    });
}

ssize_t override_sendto(int socket, const void *data, size_t size_bytes, int flags,
                        const sockaddr *address, socklen_t address_bytes) MAY_SUSPEND {
    socket = real_descriptor(socket);
    return send_all("sendto", socket, size_bytes, flags, [&](size_t sent, int f) {
        return ::sendto(socket, static_cast<const char *>(data) + sent, size_bytes - sent, f,
                        address, address_bytes);
    });
}

// Without an attempt: after a part of it the descriptors that it may carry must not go again.
ssize_t override_sendmsg(int socket, const msghdr *message, int flags) MAY_SUSPEND {
    socket = real_descriptor(socket);
    if (waits_in_place() || (flags & MSG_DONTWAIT) || is_nonblocking(socket)) {
        ssize_t n = ::sendmsg(socket, message, flags);
        if (would_block(n))
            let_others_run();
        return n;
    }
    return blocking("sendmsg", [&] { return ::sendmsg(socket, message, flags); });
}

int override_sendmmsg(int socket, mmsghdr *messages, unsigned count, int flags) MAY_SUSPEND {
    socket = real_descriptor(socket);
    return blocking("sendmmsg", [&] { return ::sendmmsg(socket, messages, count, flags); });
}

int override_accept4(int socket, sockaddr *address, socklen_t *address_bytes,
                     int flags) MAY_SUSPEND {
    socket = real_descriptor(socket);
    auto accept = [&] {
        return ::accept4(socket, address, address_bytes, flags);
    };
    bool waits = !is_nonblocking(socket);
    int result = waits ? blocking("accept", accept) : accept();
    if (!waits && would_block(result))
        let_others_run();
    return numbered(result);
}

int override_accept(int socket, sockaddr *address, socklen_t *address_bytes) MAY_SUSPEND {
    return override_accept4(socket, address, address_bytes, 0);
}

int override_connect(int socket, const sockaddr *address, socklen_t address_bytes) MAY_SUSPEND {
    socket = real_descriptor(socket);
    if (is_nonblocking(socket))
        return ::connect(socket, address, address_bytes);
    return blocking("connect", [&] { return ::connect(socket, address, address_bytes); });
}

int override_getaddrinfo(const char *node, const char *service, const addrinfo *hints,
                         addrinfo **result) MAY_SUSPEND {
    return blocking("getaddrinfo", [&] { return ::getaddrinfo(node, service, hints, result); });
}

int override_getnameinfo(const sockaddr *address, socklen_t address_bytes, char *host,
                         socklen_t host_bytes, char *service, socklen_t service_bytes,
                         int flags) MAY_SUSPEND {
    return blocking("getnameinfo", [&] {
        return ::getnameinfo(address, address_bytes, host, host_bytes, service, service_bytes,
                             flags);
    });
}

const FunctionOverride table[] = {
    OVERRIDE("recv", override_recv),
    OVERRIDE("__recv", override_recv),
    OVERRIDE("__recv_chk", override_recv_chk),
    OVERRIDE("recvfrom", override_recvfrom),
    OVERRIDE("__recvfrom_chk", override_recvfrom_chk),
    OVERRIDE("recvmsg", override_recvmsg),
    OVERRIDE("recvmmsg", override_recvmmsg),
    OVERRIDE("send", override_send),
    OVERRIDE("__send", override_send),
    OVERRIDE("sendto", override_sendto),
    OVERRIDE("sendmsg", override_sendmsg),
    OVERRIDE("sendmmsg", override_sendmmsg),
    OVERRIDE("accept", override_accept),
    OVERRIDE("accept4", override_accept4),
    OVERRIDE("connect", override_connect),
    OVERRIDE("__connect", override_connect),
    OVERRIDE("getaddrinfo", override_getaddrinfo),
    OVERRIDE("getnameinfo", override_getnameinfo),
};

} // namespace

LIBC_FUNCTIONS(table);

} // namespace thrum
