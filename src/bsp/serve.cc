// Serving requests (serve.h). Requests of this node process belong to their origins; those from
// elsewhere are freed here.
#include "bsp/serve.h"

#include "base/bytes.h"
#include "bsp/mistake.h"
#include "bsp/superstep_packet.h"

namespace thrum::bsp {
namespace {

// A large unbuffered put, while its data are read from the origin.
struct Writing {
    Node &node;
    Request &request;
};

// Runs when they have been read.
void request_is_written(void *argument, bool ok) MAY_SUSPEND {
    auto *writing = static_cast<Writing *>(argument);
    Request &request = writing->request;
    Node &node = writing->node;
    if (!ok) // the process is lost, and the job will end
        return;
    send_done(request.node_process, PacketKind::Written, request.origin_request);
    delete &request;
    delete writing;
    change_outstanding(node.inbox(), -1);
}

// Serves a request of an origin elsewhere, and frees it. A put is outstanding until its data have
// been read.
void answer(Node &node, Request &request, char *place) MAY_SUSPEND {
    if (request.writes) {
        change_outstanding(node.inbox(), 1);
        fabric_read(request.node_process, request.memory, 0, place, request.size_bytes,
                    request_is_written, new Writing{node, request});
        return;
    }
    PacketHeader header;
    header.what = PacketKind::Answer;
    header.origin = request.origin_request;
    iovec part = part_of(place, request.size_bytes);
    node.bytes_sent += request.size_bytes;
    send_packet(request.node_process, header, &part, 1);
    delete &request;
}

} // namespace

char *place_in_area(const Node &owner, uint64_t area_number, size_t offset, size_t size_bytes,
                    const Place &origin) {
    const Area *area = owner.registrations.numbered(area_number);
    const int rank = owner.process->world_rank();
    if (!area)
        mistake_at(origin, owner.superstep,
                   "rank %d has no area registered for this address: it has never registered one, "
                   "or has popped it",
                   rank);
    if (offset > area->size_bytes || size_bytes > area->size_bytes - offset)
        mistake_at(origin, owner.superstep,
                   "bytes %zu to %zu are not within the area of rank %d, which has registered %zu "
                   "bytes",
                   offset, offset + size_bytes, rank, area->size_bytes);
    return area->address + offset;
}

void serve(Node &node, Request *first) {
    while (Request *request = first) {
        first = request->next;
        char *place = place_in_area(node, request->area, request->offset, request->size_bytes,
                                    request->place);
        if (request->node_process != no_process) [[unlikely]] {
            answer(node, *request, place);
            continue;
        }
        if (request->writes) {
            copy_bytes(place, request->local, request->size_bytes);
        } else {
            copy_bytes(request->local, place, request->size_bytes);
            node.bytes_sent += request->size_bytes;
        }
        finish(*request);
    }
}

} // namespace thrum::bsp
