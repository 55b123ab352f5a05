// Silent connections between nodes (node_watch.h). A connection tries the addresses of a process
// one after the other; it counts only when both ends have proved their identity.
#include "fabric/network/node_watch.h"

#include "base/descriptor.h"
#include "base/fabric_settings.h"

#include <algorithm>
#include <arpa/inet.h>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

namespace thrum {
namespace {

constexpr size_t hosts_max = 8;     // of addresses that a process publishes
constexpr size_t links_max = 16384; // limits connections from any source

// Returns the processes of each node that are not lost.
std::vector<std::vector<NodeProcess>> processes_by_node(std::span<const int> nodes) {
    std::vector<std::vector<NodeProcess>> by_node;
    for (size_t process = 0; process < nodes.size(); ++process) {
        if (nodes[process] < 0)
            continue;
        auto node = static_cast<size_t>(nodes[process]);
        if (node >= by_node.size())
            by_node.resize(node + 1);
        by_node[node].push_back(NodeProcess(static_cast<int>(process)));
    }
    std::erase_if(by_node,
                  [](const std::vector<NodeProcess> &processes) { return processes.empty(); });
    return by_node;
}

bool is_loopback(const sockaddr *address) {
    if (address->sa_family == AF_INET)
        return ntohl(reinterpret_cast<const sockaddr_in *>(address)->sin_addr.s_addr) >> 24 == 127;
    return IN6_IS_ADDR_LOOPBACK(&reinterpret_cast<const sockaddr_in6 *>(address)->sin6_addr);
}

// Returns "" for addresses that are meaningless on other nodes.
std::string text_of(const sockaddr *address) {
    char text[INET6_ADDRSTRLEN] = "";
    if (address && address->sa_family == AF_INET)
        ::inet_ntop(AF_INET, &reinterpret_cast<const sockaddr_in *>(address)->sin_addr, text,
                    sizeof text);
    if (address && address->sa_family == AF_INET6) {
        const in6_addr &in = reinterpret_cast<const sockaddr_in6 *>(address)->sin6_addr;
        if (!IN6_IS_ADDR_LINKLOCAL(&in))
            ::inet_ntop(AF_INET6, &in, text, sizeof text);
    }
    return text;
}

// Returns the addresses of this machine. The loopback is last, for "other nodes" that are this
// machine, too.
std::vector<std::string> own_hosts() {
    std::vector<std::string> hosts, loopback;
    ifaddrs *all = nullptr;
    if (::getifaddrs(&all) != 0)
        return hosts;
    for (ifaddrs *one = all; one; one = one->ifa_next) {
        const std::string text = one->ifa_flags & IFF_UP ? text_of(one->ifa_addr) : "";
        if (!text.empty())
            (is_loopback(one->ifa_addr) ? loopback : hosts).push_back(text);
    }
    ::freeifaddrs(all);
    hosts.resize(std::min(hosts.size(), hosts_max - 1));
    if (!loopback.empty())
        hosts.push_back(loopback.front());
    return hosts;
}

// Opens a listening socket on both address families if the system has both. Returns -1 if that
// fails.
int open_listener(int &port) {
    for (int family : {AF_INET6, AF_INET}) {
        int fd =
            move_descriptor_up(::socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
        sockaddr_storage address{};
        address.ss_family = static_cast<sa_family_t>(family);
        socklen_t length = family == AF_INET ? sizeof(sockaddr_in) : sizeof(sockaddr_in6);
        auto *any = reinterpret_cast<sockaddr *>(&address);
        int off = 0;
        if (fd >= 0 && family == AF_INET6)
            ::setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off);
        if (fd >= 0 && ::bind(fd, any, length) == 0 && ::listen(fd, SOMAXCONN) == 0 &&
            ::getsockname(fd, any, &length) == 0) {
            port = ntohs(family == AF_INET ? reinterpret_cast<sockaddr_in *>(any)->sin_port
                                           : reinterpret_cast<sockaddr_in6 *>(any)->sin6_port);
            return fd;
        }
        if (fd >= 0)
            ::close(fd);
    }
    return -1;
}

// Lets the kernel report, after host_timeout_s, that the other end no longer answers.
void keep_alive(int fd) {
    constexpr int probes_most = 127; // the most that Linux counts
    const int patience_s = fabric_settings().host_timeout_s;
    int on = 1, idle_s = 1, interval_s = 1 + patience_s / probes_most;
    int probes = std::max(1, (patience_s - idle_s) / interval_s);
    ::setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
    ::setsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &idle_s, sizeof idle_s);
    ::setsockopt(fd, IPPROTO_TCP, TCP_KEEPINTVL, &interval_s, sizeof interval_s);
    ::setsockopt(fd, IPPROTO_TCP, TCP_KEEPCNT, &probes, sizeof probes);
}

// Begins a connection. Returns -1 if it is impossible.
int begin_to_connect(const std::string &host, int port) {
    sockaddr_in v4{};
    sockaddr_in6 v6{};
    v4.sin_family = AF_INET;
    v6.sin6_family = AF_INET6;
    v4.sin_port = v6.sin6_port = htons(static_cast<uint16_t>(port));
    const bool is_v4 = ::inet_pton(AF_INET, host.c_str(), &v4.sin_addr) == 1;
    if (!is_v4 && ::inet_pton(AF_INET6, host.c_str(), &v6.sin6_addr) != 1)
        return -1;
    int fd = move_descriptor_up(
        ::socket(is_v4 ? AF_INET : AF_INET6, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (fd < 0)
        return -1;
    int attempts = 2; // seven seconds, then the next address is tried
    ::setsockopt(fd, IPPROTO_TCP, TCP_SYNCNT, &attempts, sizeof attempts);
    keep_alive(fd);
    int result = is_v4 ? ::connect(fd, reinterpret_cast<sockaddr *>(&v4), sizeof v4)
                       : ::connect(fd, reinterpret_cast<sockaddr *>(&v6), sizeof v6);
    if (result == 0 || errno == EINPROGRESS)
        return fd;
    ::close(fd);
    return -1;
}

} // namespace

// Targets are at the distances 1, 2, 4 ... around the ring of nodes. So several others notice the
// loss of a node, at few connections per process. The i-th process of a node watches the i-th of
// the other.
std::vector<NodeProcess> watch_targets(NodeProcess process, std::span<const int> nodes) {
    const std::vector<std::vector<NodeProcess>> by_node = processes_by_node(nodes);
    size_t here = 0, place = 0;
    for (size_t i = 0; i < by_node.size(); ++i) {
        auto at = std::ranges::find(by_node[i], process);
        if (at == by_node[i].end())
            continue;
        here = i;
        place = static_cast<size_t>(at - by_node[i].begin());
    }
    std::vector<NodeProcess> targets;
    for (size_t distance = 1; distance < by_node.size(); distance *= 2) {
        const std::vector<NodeProcess> &there = by_node[(here + distance) % by_node.size()];
        targets.push_back(there[place % there.size()]);
        for (size_t i = place + by_node[here].size(); i < there.size(); i += by_node[here].size())
            targets.push_back(there[i]);
    }
    return targets;
}

// Formats "ACCEPTING CONNECTING PORT HOST ...".
std::string NodeWatch::open() {
    int port = 0;
    if (::getrandom(&words_, sizeof words_, 0) != sizeof words_)
        return "";
    listener_ = open_listener(port);
    if (listener_ < 0 || !helper_.watch(listener_, &on_connection, this, 0, false))
        return "";
    std::string address = std::to_string(words_.of_accepting) + ' ' +
                          std::to_string(words_.of_connecting) + ' ' + std::to_string(port);
    for (const std::string &host : own_hosts())
        address += ' ' + host;
    return address;
}

// Parses what open() has written.
void NodeWatch::set_address(NodeProcess process, std::string address) {
    Address known;
    const char *at = address.data(), *end = at + address.size();
    auto take = [&](auto &number) {
        at = std::from_chars(at, end, number).ptr;
        at += at < end;
    };
    take(known.words.of_accepting);
    take(known.words.of_connecting);
    take(known.port);
    while (at < end) {
        const char *space = std::find(at, end, ' ');
        known.hosts.emplace_back(at, space);
        at = space + (space < end);
    }
    auto number = process.index();
    SleepingLock::Guard guard(lock_);
    if (number >= addresses_.size())
        addresses_.resize(number + 1);
    addresses_[number] = std::move(known);
}

void NodeWatch::begin(NodeProcess this_process, std::vector<int> nodes) {
    SleepingLock::Guard guard(lock_);
    this_process_ = this_process;
    nodes_ = std::move(nodes);
    addresses_.resize(nodes_.size());
    seek_connections();
}

// Connects with the processes that this one should watch and does not yet watch. The caller holds
// lock_.
void NodeWatch::seek_connections() {
    for (NodeProcess process : watch_targets(this_process_, nodes_))
        if (std::ranges::none_of(links_, [&](const Link &link) {
                return link.process == process && link.state != Link::State::Closed;
            }))
            connect_with(process, 0, false);
}

// Connects by the first usable address from number `host` on. Returns false if there is none. The
// caller holds lock_.
bool NodeWatch::connect_with(NodeProcess process, size_t host, bool was_there) {
    const Address &address = addresses_[process.index()];
    for (; host < address.hosts.size(); ++host)
        if (int fd = begin_to_connect(address.hosts[host], address.port); fd >= 0) {
            add_link({Link::State::Connecting, fd, process, host + 1, was_there});
            return true;
        }
    return false;
}

void NodeWatch::add_link(const Link &link) {
    links_.push_back(link);
    if (!helper_.watch(link.fd, &on_link, this, static_cast<int>(links_.size() - 1), false))
        close_link(links_.back());
}

void NodeWatch::close_link(Link &link) {
    ::close(link.fd); // this also ends its notices
    link.fd = -1;
    link.state = Link::State::Closed;
}

void NodeWatch::on_connection(void *self, int) {
    static_cast<NodeWatch *>(self)->accept_connections();
}

// The greeting is sent before the other side is known: each side must prove that it belongs to the
// job.
void NodeWatch::accept_connections() {
    SleepingLock::Guard guard(lock_);
    for (;;) {
        int fd = move_descriptor_up(
            ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
        if (fd < 0)
            return;
        const Greeting own = greeting(words_.of_accepting);
        if (links_.size() >= links_max ||
            ::send(fd, &own, sizeof own, MSG_NOSIGNAL) != sizeof own) {
            ::close(fd);
            continue;
        }
        keep_alive(fd);
        add_link({Link::State::Accepted, fd, no_process, 0, false});
    }
}

void NodeWatch::on_link(void *self, int number) {
    auto &watch = *static_cast<NodeWatch *>(self);
    NodeProcess lost;
    {
        SleepingLock::Guard guard(watch.lock_);
        lost = watch.serve(watch.links_[static_cast<size_t>(number)]);
    }
    if (lost == no_process)
        return;
    watch.sink_.ask_to_take_in_all(); // messages that it has sent before count
    watch.sink_.lost(lost);
}

// Handles data or the end of a connection. Returns the lost process, or no_process. The caller
// holds lock_.
NodeProcess NodeWatch::serve(Link &link) {
    if (link.state == Link::State::Closed)
        return no_process;
    Greeting come{};
    const ssize_t n = ::recv(link.fd, &come, sizeof come, MSG_DONTWAIT);
    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return no_process;
    if (link.state == Link::State::Up) {
        if (n > 0)
            return no_process;
        close_link(link);
        return link.process;
    }
    const bool is_whole = n == sizeof come && come.process.index() < nodes_.size();
    if (link.state == Link::State::Accepted) {
        link.process = come.process;
        link.state = Link::State::Up;
        if (!is_whole || come.word != words_.of_connecting)
            close_link(link);
        return no_process;
    }
    const Words &words = addresses_[link.process.index()].words;
    const Greeting own = greeting(words.of_connecting);
    if (is_whole && come.word == words.of_accepting && come.process == link.process &&
        ::send(link.fd, &own, sizeof own, MSG_NOSIGNAL) == sizeof own) {
        link.state = Link::State::Up;
        return no_process;
    }
    // Another machine may have this address, too, or none. Or the process was there, and has ended.
    const bool was_there = link.was_there || n == 0 || (n < 0 && errno == ECONNRESET);
    close_link(link);
    if (connect_with(link.process, link.next_host, was_there))
        return no_process;
    return was_there ? link.process : no_process;
}

void NodeWatch::note_loss(NodeProcess process) {
    SleepingLock::Guard guard(lock_);
    if (process.index() >= nodes_.size())
        return;
    nodes_[process.index()] = -1;
    seek_connections();
}

void NodeWatch::close() {
    SleepingLock::Guard guard(lock_);
    if (listener_ >= 0)
        ::close(listener_);
    listener_ = -1;
    for (Link &link : links_)
        if (link.state != Link::State::Closed)
            close_link(link);
    nodes_.clear();
}

void NodeWatch::leave_in_child() {
    if (listener_ >= 0)
        ::close(listener_);
    for (const Link &link : links_)
        if (link.fd >= 0)
            ::close(link.fd);
    after_fork();
}

} // namespace thrum
