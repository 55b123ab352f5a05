// Ports and published names (ports.h). A visitor (on a rank's stack) waits; a guest is how a port
// knows a visitor, here or in another process.
//
//   visitor's process                       the port's process
//   meet_at_port()   Visit ---------------> receive_guest(): waits, or meets one of the other side
//                          <--------------- Met (with whom, number of the meeting), or Refused
//   time limit       Withdraw ------------> withdraw_guest(): Refused, unless it has met
//   close_port()     Close ---------------> close_here(): Refused to all guests
//
// Every visitor gets exactly one answer, so its stack frame stays valid until then.
#include "comm/ports.h"

#include "base/clock.h"
#include "base/futex.h"
#include "base/spinlock.h"
#include "comm/process.h"
#include "comm/span.h"
#include "fabric/fabric.h"
#include "fiber/blocking_call.h"
#include "fiber/completion.h"

#include <cstdio>
#include <cstring>
#include <deque>
#include <map>
#include <unistd.h>

namespace thrum {
namespace {

// A rank that waits for an answer; on its stack.
struct Visitor {
    explicit Visitor(const char *of_port) : port(of_port) {}

    const char *port; // name, for reports
    Completion met;
    bool is_refused = false; // there is no such port, or it was closed meanwhile
    int other = 0;           // world rank of the visitor that it met
    uint64_t meeting = 0;    // number of the meeting, counted by the port's process
};

// A visitor as a port knows it.
struct Guest {
    NodeProcess process;
    int number;       // world rank
    uint64_t visitor; // address of the Visitor there
};

// An open port of this process, and the guests that wait at it.
struct Port {
    std::deque<Guest> waiting[2]; // by PortSide; at least one of them is empty
};

// The ports and names of this process.
struct Tables {
    SpinLock lock; // guards everything here
    std::map<std::string, Port> ports;
    std::map<std::string, std::string> services; // ports by published name
    unsigned last_port = 0;
    uint64_t last_meeting = 0;
};

Tables &tables() {
    static auto *the_tables = new Tables; // never destroyed: ranks may outlive static objects
    return *the_tables;
}

// A message about a port between node processes. The name of the port follows as payload.
struct PortMessage {
    enum class What : uint8_t { Visit, Withdraw, Close, Met, Refused } what;
    PortSide side;
    int number;       // a world rank: the guest's (Visit), or the one it met (Met)
    uint64_t visitor; // address of the Visitor, in its process
    uint64_t meeting;
};

Error no_such_port(const char *name) {
    return fail(
        MPI_ERR_PORT,
        "port_name is \"%s\", which is not an open port of this job (ports are local to a job)",
        name);
}

// Returns the process that owns a port, if it is another one: names of ports contain the job's name
// and the process number. no_process: a port of this process, or not the name of a port.
NodeProcess home_of(const char *name) {
    if (!has_other_processes())
        return no_process;
    const std::string beginning = "thrum:" + job_name() + ":";
    int process;
    if (std::string_view(name).starts_with(beginning) &&
        std::sscanf(name + beginning.size(), "%d:", &process) == 1 && process >= 0 &&
        process < node_process_count() + added_processes_max &&
        NodeProcess(process) != this_node_process())
        return NodeProcess(process);
    return no_process;
}

// Answers a guest. A visitor of this process is completed directly; it may be gone right after
// that.
void answer(const Guest &guest, bool refused, int other, uint64_t meeting) MAY_SUSPEND {
    if (guest.process == this_node_process()) {
        auto &visitor = *reinterpret_cast<Visitor *>(guest.visitor);
        visitor.is_refused = refused;
        visitor.other = other;
        visitor.meeting = meeting;
        visitor.met.complete();
        return;
    }
    PortMessage message{refused ? PortMessage::What::Refused : PortMessage::What::Met,
                        {},
                        other,
                        guest.visitor,
                        meeting};
    // If that process has gone there is nobody to notify.
    fabric_send(guest.process, Channel::PointToPoint, MessageKind::Dynamic, &message,
                sizeof message);
}

// Lets a guest wait at a port of this process, or meet the first one of the other side. The answers
// go out without the lock: each may send a message.
void receive_guest(const std::string &name, PortSide side, const Guest &guest) MAY_SUSPEND {
    Tables &t = tables();
    Guest other{};
    uint64_t meeting = 0;
    bool is_open;
    {
        LockGuard guard(t.lock);
        auto found = t.ports.find(name);
        is_open = found != t.ports.end();
        if (is_open) {
            auto &others = found->second.waiting[side == PortSide::Accept];
            if (others.empty()) {
                found->second.waiting[side == PortSide::Connect].push_back(guest);
                return;
            }
            other = others.front();
            others.pop_front();
            meeting = ++t.last_meeting;
        }
    }
    if (is_open)
        answer(other, false, guest.number, meeting);
    answer(guest, !is_open, other.number, meeting);
}

// Removes a guest. If it has met another or was refused, its answer is already on the way.
void withdraw_guest(const std::string &name, const Guest &guest) MAY_SUSPEND {
    Tables &t = tables();
    bool has_waited = false;
    {
        LockGuard guard(t.lock);
        if (auto found = t.ports.find(name); found != t.ports.end())
            for (auto &waiting : found->second.waiting)
                has_waited |=
                    std::erase_if(waiting, [&](const Guest &other) {
                        return other.process == guest.process && other.visitor == guest.visitor;
                    }) > 0;
    }
    if (has_waited)
        answer(guest, true, 0, 0);
}

// Closes a port of this process. It is removed first; then its guests are refused without the lock,
// because each answer may send a message.
bool close_here(const std::string &name) MAY_SUSPEND {
    Tables &t = tables();
    std::deque<Guest> waiting;
    {
        LockGuard guard(t.lock);
        auto found = t.ports.find(name);
        if (found == t.ports.end())
            return false;
        for (auto &side : found->second.waiting)
            waiting.insert(waiting.end(), side.begin(), side.end());
        t.ports.erase(found);
    }
    for (const Guest &guest : waiting)
        answer(guest, true, 0, 0);
    return true;
}

// Handles a message about a port; its payload is the port's name. Arrive function: any thread.
void on_message(void *, const Arrival &arrival) MAY_SUSPEND {
    const auto &message = *static_cast<const PortMessage *>(arrival.header);
    std::string name(static_cast<const char *>(arrival.payload), arrival.payload_bytes);
    Guest sender{arrival.source, message.number, message.visitor};
    switch (message.what) {
    case PortMessage::What::Visit:
        receive_guest(name, message.side, sender);
        break;
    case PortMessage::What::Withdraw:
        withdraw_guest(name, sender);
        break;
    case PortMessage::What::Close:
        answer(sender, !close_here(name), 0, 0);
        break;
    case PortMessage::What::Met:
    case PortMessage::What::Refused:
        answer({this_node_process(), 0, message.visitor},
               message.what == PortMessage::What::Refused, message.number, message.meeting);
        break;
    }
}

// Describes for reports what a visitor waits for.
struct PortBlockage : Blockage {
    const char *port;

    explicit PortBlockage(const char *name) : port(name) {
        kind = Kind::Described;
        describe = [](const Blockage &blockage, char *text, size_t size_bytes) {
            std::snprintf(text, size_bytes, " at port %s",
                          static_cast<const PortBlockage &>(blockage).port);
            return -1;
        };
    }
};

// Returns whether the visitor was answered in time. With a time limit it waits in the kernel,
// because this is rare and takes long.
bool await_answer(Visitor &self, double timeout_s) MAY_SUSPEND {
    PortBlockage blockage(self.port);
    Waiting waiting(blockage);
    if (timeout_s < 0) {
        self.met.wait();
        return true;
    }
    std::atomic<uint32_t> answered{0};
    const auto wake = [](void *word) {
        auto &flag = *static_cast<std::atomic<uint32_t> *>(word);
        flag.store(1, std::memory_order_release); // [port-1]
        futex_wake(flag);
    };
    WaitGroup group(wake, &answered, 1);
    if (!self.met.join(group))
        return true;
    const int64_t end_ns = now_ns() + static_cast<int64_t>(timeout_s * 1e9);
    BlockingCall call;
    call.enter("MPI_Comm_connect");
    while (answered.load(std::memory_order_acquire) == 0) { // [port-1]
        const int64_t left_ns = end_ns - now_ns();
        if (left_ns <= 0 && self.met.leave(group))
            return false;
        futex_wait(answered, 0, left_ns > 0 ? left_ns : -1); // later: the answer is on its way
    }
    return true;
}

// Sends process `home` a message about a port.
bool send_to(NodeProcess home, PortMessage message, const char *name, Visitor &self) MAY_SUSPEND {
    message.visitor = reinterpret_cast<uintptr_t>(&self);
    message.number = current_process().number;
    iovec text{const_cast<char *>(name), std::strlen(name)};
    return fabric_send(home, Channel::PointToPoint, MessageKind::Dynamic, &message, sizeof message,
                       &text, 1);
}

Error unsupported(const char *service, const std::string &why) {
    return fail(MPI_ERR_SERVICE, "service_name is \"%s\": %s", service, why.c_str());
}

} // namespace

void begin_remote_visits() {
    set_arrive_function(MessageKind::Dynamic, on_message);
}

std::string open_port() {
    Tables &t = tables();
    LockGuard guard(t.lock);
    std::string job = has_other_processes() ? job_name() : std::to_string(::getpid());
    std::string name = "thrum:" + job + ":" + std::to_string(this_node_process().number()) + ":" +
                       std::to_string(++t.last_port);
    t.ports[name];
    return name;
}

Error close_port(const char *name) {
    if (NodeProcess home = home_of(name); home != no_process) {
        Visitor self(name);
        const bool sent = send_to(home, {PortMessage::What::Close, {}, 0, 0, 0}, name, self);
        return sent && await_answer(self, -1) && !self.is_refused ? success : no_such_port(name);
    }
    return close_here(name) ? success : no_such_port(name);
}

// After its time limit the visitor withdraws, and waits until it is answered all the same: the port
// may have paired it in the same moment.
Error meet_at_port(const char *name, PortSide side, double timeout_s, PortMeeting &meeting) {
    const int own = current_process().number;
    Visitor self(name);
    const Guest guest{this_node_process(), own, reinterpret_cast<uintptr_t>(&self)};
    const NodeProcess home = home_of(name);
    if (home == no_process)
        receive_guest(name, side, guest);
    else if (!send_to(home, {PortMessage::What::Visit, side, 0, 0, 0}, name, self))
        return no_such_port(name);
    if (!await_answer(self, timeout_s)) {
        if (home == no_process)
            withdraw_guest(name, guest);
        else if (!send_to(home, {PortMessage::What::Withdraw, side, 0, 0, 0}, name, self))
            return no_such_port(name);
        self.met.wait();
        if (self.is_refused)
            return fail(MPI_ERR_PORT,
                        "port_name is \"%s\", where no process has called MPI_Comm_accept for %g "
                        "s; the info key \"timeout\" sets how long MPI_Comm_connect waits",
                        name, timeout_s);
    }
    if (self.is_refused)
        return no_such_port(name);
    meeting.acceptor = side == PortSide::Accept ? own : self.other;
    meeting.connector = side == PortSide::Accept ? self.other : own;
    meeting.name = std::string(name) + "#" + std::to_string(self.meeting);
    return success;
}

bool may_be_port(const char *name) {
    LockGuard guard(tables().lock);
    return tables().ports.contains(name) || home_of(name) != no_process;
}

// Publishes in the launcher's server if the job has other processes, otherwise in the table of this
// one. The two functions below follow the same rule.
Error publish_name(const char *service, const char *port) {
    Tables &t = tables();
    if (has_other_processes()) {
        std::string why;
        switch (publish_globally(service, port, why)) {
        case NameResult::Done:
            return success;
        case NameResult::Known:
            return fail(MPI_ERR_SERVICE, "service_name is \"%s\", which is already published",
                        service);
        default:
            return unsupported(service, why);
        }
    }
    LockGuard guard(t.lock);
    auto [place, is_new] = t.services.try_emplace(service, port);
    return is_new ? success
                  : fail(MPI_ERR_SERVICE, "service_name is \"%s\", which is published for port %s",
                         service, place->second.c_str());
}

Error unpublish_name(const char *service, const char *port) {
    const auto wrong_port = [&](const std::string &its_port) {
        return fail(MPI_ERR_SERVICE, "service_name is \"%s\", published for port %s, not for %s",
                    service, its_port.c_str(), port);
    };
    const auto not_published = [&] {
        return fail(MPI_ERR_SERVICE, "service_name is \"%s\", which is not published", service);
    };
    if (has_other_processes()) {
        std::string its_port, why;
        NameResult result = look_up_globally(service, its_port, why);
        if (result == NameResult::Done && its_port != port)
            return wrong_port(its_port);
        if (result == NameResult::Done)
            result = unpublish_globally(service, why);
        return result == NameResult::Done      ? success
               : result == NameResult::Unknown ? not_published()
                                               : unsupported(service, why);
    }
    Tables &t = tables();
    LockGuard guard(t.lock);
    auto found = t.services.find(service);
    if (found == t.services.end())
        return not_published();
    if (found->second != port)
        return wrong_port(found->second);
    t.services.erase(found);
    return success;
}

Error look_up_name(const char *service, std::string &port) {
    const auto not_published = [&] {
        return fail(MPI_ERR_NAME, "service_name is \"%s\", which is not published", service);
    };
    if (has_other_processes()) {
        std::string why;
        NameResult result = look_up_globally(service, port, why);
        return result == NameResult::Done      ? success
               : result == NameResult::Unknown ? not_published()
                                               : unsupported(service, why);
    }
    Tables &t = tables();
    LockGuard guard(t.lock);
    auto found = t.services.find(service);
    if (found == t.services.end())
        return not_published();
    port = found->second;
    return success;
}

void publish_names_globally() {
    Tables &t = tables();
    std::map<std::string, std::string> services;
    {
        LockGuard guard(t.lock);
        services.swap(t.services);
    }
    std::string why;
    for (const auto &[service, port] : services)
        publish_globally(service, port, why);
}

} // namespace thrum
