// Checks of arguments, and the immediate part of each operation. The rest happens at the end of the
// superstep (superstep.cc).
#include "bsp/operations.h"

#include "base/bytes.h"
#include "base/settings.h"
#include "bsp/delivery.h"
#include "bsp/mistake.h"
#include "bsp/serve.h"
#include "bsp/shared_address.h"
#include "image/image.h"

#include <climits>
#include <cstring>
#include <new>

namespace thrum::bsp {
namespace {

// Returns the node of process `pid`.
Node &check_pid(Node &node, int pid) {
    if (pid < 0 || pid >= node.machine->size) [[unlikely]]
        mistake(node.superstep, "process %d does not exist: there are %d, numbered from 0", pid,
                node.machine->size);
    return node.machine->nodes[static_cast<size_t>(pid)];
}

void check_size(const Node &node, const char *what, ptrdiff_t value) {
    if (value < 0) [[unlikely]]
        mistake(node.superstep, "%s is %td, but must not be negative", what, value);
}

void check_memory(const Node &node, const char *what, const void *address, ptrdiff_t size_bytes) {
    if (!address && size_bytes > 0) [[unlikely]]
        mistake(node.superstep, "%s is a null pointer", what);
}

// Returns the caller's area that begins at `address`. It only has to be registered here: the target
// checks its own part of the area.
const Area &registered(const Node &node, const void *address) {
    const Area *area = node.registrations.find(address);
    if (area) [[likely]]
        return *area;
    if (node.registrations.is_pending(address))
        mistake(node.superstep,
                "%p has been registered in this superstep: that takes effect with the next one",
                address);
    mistake(node.superstep, "%p is not registered", address);
}

// The other side of a put or get.
struct Remote {
    Node &target;
    const Area &area; // of the caller
}; // the caller's part, for its number

// Checks the arguments of a put or get.
Remote check_access(Node &node, int pid, const void *remote, ptrdiff_t offset, const void *local,
                    ptrdiff_t size_bytes) {
    Node &target = check_pid(node, pid);
    check_size(node, "nbytes", size_bytes);
    check_size(node, "offset", offset);
    check_memory(node, "the local address", local, size_bytes);
    return {target, registered(node, remote)};
}

// Makes a request in the arena, which lives until the superstep ends.
Request &new_request(Node &node, const Remote &remote, ptrdiff_t offset, ptrdiff_t size_bytes) {
    auto *request = new (node.arena.take(sizeof(Request))) Request;
    request->area = remote.area.number;
    request->offset = static_cast<size_t>(offset);
    request->size_bytes = static_cast<size_t>(size_bytes);
    request->place = current_place();
    return *request;
}

} // namespace

void put(int pid, const void *source, void *destination, ptrdiff_t offset, ptrdiff_t nbytes) {
    Node &node = current_node();
    const Remote remote = check_access(node, pid, destination, offset, source, nbytes);
    Message header;
    header.kind = MessageKind::Put;
    header.area = remote.area.number;
    header.offset = static_cast<size_t>(offset);
    header.origin = current_place();
    deliver(node, remote.target, header, {}, {source, static_cast<size_t>(nbytes)});
}

// The data are read into the arena and moved to their destination when the superstep ends: until
// then the program may use that memory.
void get(int pid, const void *source, ptrdiff_t offset, void *destination, ptrdiff_t nbytes) {
    Node &node = current_node();
    const Remote remote = check_access(node, pid, source, offset, destination, nbytes);
    Request &request = new_request(node, remote, offset, nbytes);
    request.local = static_cast<char *>(node.arena.take(request.size_bytes));
    request.destination = static_cast<char *>(destination);
    node.gets.push_back(&request);
    submit(node, remote.target, request);
}

namespace {

// Does an unbuffered access: at once if the other process has begun this superstep. Its areas are
// then those of this superstep, and stay so: it does not end the superstep before this operation
// has been counted. Otherwise the target does it.
void access_unbuffered(int pid, void *remote_address, ptrdiff_t offset, void *local,
                       ptrdiff_t nbytes, bool writes) MAY_SUSPEND {
    Node &node = current_node();
    const Remote remote = check_access(node, pid, remote_address, offset, local, nbytes);
    if (is_elsewhere(remote.target) || !may_access(node, remote.target)) {
        Request &request = new_request(node, remote, offset, nbytes);
        request.writes = writes;
        request.local = static_cast<char *>(local);
        submit(node, remote.target, request);
        return;
    }
    const auto size_bytes = static_cast<size_t>(nbytes);
    char *place = place_in_area(remote.target, remote.area.number, static_cast<size_t>(offset),
                                size_bytes, current_place());
    move_bytes(writes ? place : local, writes ? local : place, size_bytes);
    count_access(node, remote.target, writes ? size_bytes : 0);
}

} // namespace

void hpput(int pid, const void *source, void *destination, ptrdiff_t offset, ptrdiff_t nbytes) {
    // Small data to another node process are copied into a packet in any case.
    if (nbytes >= 0 && static_cast<size_t>(nbytes) <= settings().eager_bytes_max &&
        is_elsewhere(check_pid(current_node(), pid)))
        return put(pid, source, destination, offset, nbytes);
    access_unbuffered(pid, destination, offset, const_cast<void *>(source), nbytes, true);
}

void hpget(int pid, const void *source, ptrdiff_t offset, void *destination, ptrdiff_t nbytes) {
    access_unbuffered(pid, const_cast<void *>(source), offset, destination, nbytes, false);
}

namespace {

// Finds where `destination` of a cbsp_send() is at the target, and whether it is certainly a
// variable.
void find_destination(const Node &node, const Node &target, void *destination, Message &header) {
    const Machine &machine = *node.machine;
    header.kind = MessageKind::Write;
    header.address = destination;
    header.is_checked = machine.size == 1;
    if (machine.size == 1)
        return;
    const void *original = original_of(destination);
    if (is_elsewhere(target) || machine.barrier.expected == 1) {
        header.area = shared_address(original);
        header.is_checked = header.area != 0;
        return;
    }
    const Image *image = target.process->rank->image;
    header.address = translate(image, original);
    // One process has the originals, where translation changes nothing. So any other process's
    // clone tells whether the address is a variable.
    const Node &other =
        machine.nodes[target.pid == machine.first_pid ? machine.first_pid + 1 : machine.first_pid];
    header.is_checked = header.address != destination || original != destination ||
                        translate(other.process->rank->image, original) != original;
}

} // namespace

void send_with_handler(int pid, void *destination, const void *source, ptrdiff_t nbytes,
                       cbsp_handler *handler) {
    Node &node = current_node();
    Node &target = check_pid(node, pid);
    check_size(node, "nbytes", nbytes);
    check_memory(node, "the source", source, nbytes);
    if (nbytes > INT_MAX && handler)
        mistake(node.superstep, "nbytes is %td, but a handler takes at most INT_MAX bytes", nbytes);
    if (!destination && !handler)
        mistake(node.superstep, "the destination is a null pointer, and there is no handler");
    if (handler && is_elsewhere(target) &&
        !shared_address(original_of(reinterpret_cast<void *>(handler))))
        mistake(node.superstep,
                "the handler is not a function of the program or of one of its libraries, and rank "
                "%d is in another process",
                target.process->world_rank());
    Message header;
    header.handler = handler;
    header.origin = current_place();
    const auto size_bytes = static_cast<size_t>(nbytes);
    if (!destination) {
        header.kind = MessageKind::Present;
    } else if (const Area *area = node.registrations.find_containing(destination, size_bytes)) {
        header.kind = MessageKind::Put;
        header.area = area->number;
        header.offset = static_cast<size_t>(static_cast<char *>(destination) - area->address);
    } else {
        find_destination(node, target, destination, header);
    }
    deliver(node, target, header, {}, {source, size_bytes});
}

void push_registration(const void *area, ptrdiff_t nbytes) {
    Node &node = current_node();
    check_size(node, "nbytes", nbytes);
    check_memory(node, "the area", area, nbytes);
    node.registrations.push(area, static_cast<size_t>(nbytes));
}

void pop_registration(const void *area) {
    Node &node = current_node();
    if (!node.registrations.pop(area))
        mistake(node.superstep, "%p is not registered", area);
}

void set_tagsize(int *tag_nbytes) {
    Node &node = current_node();
    if (!tag_nbytes)
        mistake(node.superstep, "tag_nbytes is a null pointer");
    check_size(node, "*tag_nbytes", *tag_nbytes);
    node.next_tag_bytes = *tag_nbytes;
    node.registrations.add_to_digest(static_cast<unsigned>(*tag_nbytes) + (uint64_t{1} << 63));
    *tag_nbytes = node.tag_bytes;
}

void send(int pid, const void *tag, const void *payload, ptrdiff_t payload_nbytes) {
    Node &node = current_node();
    Node &target = check_pid(node, pid);
    check_size(node, "payload_nbytes", payload_nbytes);
    check_memory(node, "the payload", payload, payload_nbytes);
    check_memory(node, "the tag", tag, node.tag_bytes);
    if (payload_nbytes > INT_MAX)
        mistake(node.superstep,
                "payload_nbytes is %td, but the receiver takes at most INT_MAX bytes",
                payload_nbytes);
    Message header;
    header.kind = MessageKind::Tagged;
    header.origin = current_place();
    deliver(node, target, header, {tag, static_cast<size_t>(node.tag_bytes)},
            {payload, static_cast<size_t>(payload_nbytes)});
}

namespace {

// Returns the first message in the queue that has not been taken, or nullptr.
Message *first_tagged(Node &node) {
    return node.queue_first < node.queue.size() ? node.queue[node.queue_first] : nullptr;
}

// The interface has ints; larger values are cut off.
int as_int(size_t n) {
    return n > INT_MAX ? INT_MAX : static_cast<int>(n);
}

} // namespace

void queue_size(int *nmessages, int *accum_nbytes) {
    Node &node = current_node();
    size_t bytes = 0;
    for (size_t i = node.queue_first; i < node.queue.size(); ++i)
        bytes += node.queue[i]->payload_bytes;
    if (nmessages)
        *nmessages = as_int(node.queue.size() - node.queue_first);
    if (accum_nbytes)
        *accum_nbytes = as_int(bytes);
}

void first_tag(int *status, void *tag) {
    Node &node = current_node();
    Message *message = first_tagged(node);
    if (!status)
        mistake(node.superstep, "status is a null pointer");
    *status = message ? static_cast<int>(message->payload_bytes) : -1;
    if (!message || message->tag_bytes == 0)
        return;
    check_memory(node, "the tag", tag, message->tag_bytes);
    copy_bytes(tag, message->tag(), message->tag_bytes);
}

void move(void *payload, ptrdiff_t reception_nbytes) {
    Node &node = current_node();
    check_size(node, "reception_nbytes", reception_nbytes);
    Message *message = first_tagged(node);
    if (!message)
        mistake(node.superstep, "the queue has no message");
    if (message->payload_bytes > static_cast<size_t>(reception_nbytes))
        mistake(node.superstep,
                "reception_nbytes is %td, but the payload, of a message of rank %d, has %zu bytes",
                reception_nbytes, node.machine->nodes[message->source].process->world_rank(),
                message->payload_bytes);
    check_memory(node, "the payload", payload, static_cast<ptrdiff_t>(message->payload_bytes));
    if (message->payload_bytes)
        std::memcpy(payload, message->payload(), message->payload_bytes);
    ++node.queue_first;
}

int move_unbuffered(void **tag, void **payload) {
    Node &node = current_node();
    Message *message = first_tagged(node);
    if (!message)
        return -1;
    if (!tag || !payload)
        mistake(node.superstep, "%s is a null pointer", tag ? "payload" : "tag");
    *tag = message->tag();
    *payload = message->payload();
    ++node.queue_first;
    return static_cast<int>(message->payload_bytes);
}

} // namespace thrum::bsp
