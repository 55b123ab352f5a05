#include "comm/ports.h"

#include "base/spinlock.h"
#include "comm/process.h"
#include "fiber/completion.h"

#include <deque>
#include <map>
#include <unistd.h>

namespace thrum {
namespace {

// Lives on the waiting rank's stack.
struct Visitor {
    void *argument;
    Completion met;
    bool is_closed = false; // the port has been closed meanwhile
};

struct Port {
    std::deque<Visitor *> waiting[2]; // by PortSide; one of them is empty
};

struct Tables {
    SpinLock lock; // guards all here
    std::map<std::string, Port> ports;
    std::map<std::string, std::string> services; // ports by published name
    unsigned last_port = 0;
};

Tables &tables() {
    static auto *the_tables = new Tables; // never destroyed: ranks may outlive static objects
    return *the_tables;
}

Error no_such_port(const char *name) {
    return fail(MPI_ERR_PORT,
                "port_name is \"%s\", which is no open port of this job (ports reach no further)",
                name);
}

Error wait_at_port(const char *name, Visitor &self) {
    Blockage blockage;
    blockage.kind = Blockage::Kind::Collective;
    Waiting waiting(blockage);
    self.met.wait();
    return self.is_closed ? no_such_port(name) : success;
}

} // namespace

std::string open_port() {
    Tables &t = tables();
    LockGuard guard(t.lock);
    std::string name = "thrum:" + std::to_string(::getpid()) + ":" + std::to_string(++t.last_port);
    t.ports[name];
    return name;
}

Error close_port(const char *name) {
    Tables &t = tables();
    std::deque<Visitor *> waiting;
    {
        LockGuard guard(t.lock);
        auto found = t.ports.find(name);
        if (found == t.ports.end())
            return no_such_port(name);
        for (auto &side : found->second.waiting)
            waiting.insert(waiting.end(), side.begin(), side.end());
        t.ports.erase(found);
    }
    for (Visitor *visitor : waiting) {
        visitor->is_closed = true;
        visitor->met.complete();
    }
    return success;
}

Error meet_at_port(const char *name, PortSide side, void *argument,
                   void (*join)(void *acceptor, void *connector)) {
    Visitor self{argument, {}};
    Visitor *other = nullptr;
    Tables &t = tables();
    {
        LockGuard guard(t.lock);
        auto found = t.ports.find(name);
        if (found == t.ports.end())
            return no_such_port(name);
        auto &others = found->second.waiting[side == PortSide::Accept];
        if (others.empty()) {
            found->second.waiting[side == PortSide::Connect].push_back(&self);
        } else {
            other = others.front();
            others.pop_front();
        }
    }
    if (!other)
        return wait_at_port(name, self);
    if (side == PortSide::Accept)
        join(argument, other->argument);
    else
        join(other->argument, argument);
    other->met.complete();
    return success;
}

Error publish_name(const char *service, const char *port) {
    Tables &t = tables();
    LockGuard guard(t.lock);
    if (!t.ports.contains(port))
        return no_such_port(port);
    auto [place, is_new] = t.services.try_emplace(service, port);
    return is_new ? success
                  : fail(MPI_ERR_SERVICE, "service_name is \"%s\", which is published for port %s",
                         service, place->second.c_str());
}

Error unpublish_name(const char *service, const char *port) {
    Tables &t = tables();
    LockGuard guard(t.lock);
    auto found = t.services.find(service);
    if (found == t.services.end())
        return fail(MPI_ERR_SERVICE, "service_name is \"%s\", which is not published", service);
    if (found->second != port)
        return fail(MPI_ERR_SERVICE, "service_name is \"%s\", published for port %s, not for %s",
                    service, found->second.c_str(), port);
    t.services.erase(found);
    return success;
}

Error look_up_name(const char *service, std::string &port) {
    Tables &t = tables();
    LockGuard guard(t.lock);
    auto found = t.services.find(service);
    if (found == t.services.end())
        return fail(MPI_ERR_NAME, "service_name is \"%s\", which is not published", service);
    port = found->second;
    return success;
}

} // namespace thrum
