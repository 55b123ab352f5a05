// Operations as packets. The sender knows how much of the receiver's buffer it has used in this
// superstep; what does not fit is announced instead of sent.
#include "bsp/remote_delivery.h"

#include "bsp/announced_data.h"
#include "bsp/shared_address.h"
#include "bsp/stop_and_go.h"
#include "image/image.h"

#include <algorithm>

namespace thrum::bsp {
namespace {

// Returns a header with the fields that all operations have.
PacketHeader header_of(const Node &from, const Node &to, PacketKind what, const Place &place) {
    PacketHeader header;
    header.what = what;
    header.from = from.pid;
    header.to = to.pid;
    header.superstep = from.superstep;
    set_place(header, place);
    return header;
}

} // namespace

void deliver_elsewhere(Node &from, Node &to, const Message &message, Part tag, Part payload) {
    wait_while_stopped(from, to);
    PacketHeader header = header_of(from, to, PacketKind::Message, message.origin);
    header.kind = message.kind;
    header.is_checked = message.is_checked;
    header.size_bytes = payload.size_bytes;
    header.tag_bytes = tag.size_bytes;
    header.area_or_variable = message.area;
    header.offset_or_address = message.kind == MessageKind::Write
                                   ? reinterpret_cast<uint64_t>(message.address)
                                   : message.offset;
    if (message.handler)
        header.handler =
            shared_address(original_of(reinterpret_cast<const void *>(message.handler)));
    Flow::Sent &sent = count_sent(from, to);
    const size_t size_bytes = message.size_bytes(), room = from.machine->buffer_bytes;
    iovec parts[2] = {part_of(tag.data, tag.size_bytes), part_of(payload.data, payload.size_bytes)};
    if (size_bytes > room - sent.buffered_bytes) {
        ++(size_bytes > room ? from.counters.large : from.counters.overflows);
        if (payload.size_bytes > 0)
            return announce(to, header, parts[0], payload); // nothing to read later: fits as it is
    }
    sent.buffered_bytes = std::min(room, sent.buffered_bytes + size_bytes);
    send_packet(to.node_process, header, parts, 2);
}

void submit_elsewhere(Node &from, Node &to, Request &request) {
    wait_while_stopped(from, to);
    count_sent(from, to);
    PacketHeader header =
        header_of(from, to, request.writes ? PacketKind::Write : PacketKind::Get, request.place);
    header.size_bytes = request.size_bytes;
    header.area_or_variable = request.area;
    header.offset_or_address = request.offset;
    header.origin = reinterpret_cast<uint64_t>(&request);
    // The target's process reads the data from here when it serves the request.
    if (request.writes) {
        request.memory = fabric_expose(request.local, request.size_bytes);
        header.memory_address = request.memory.address;
        header.memory_key = request.memory.key;
    }
    send_packet(to.node_process, header);
}

} // namespace thrum::bsp
