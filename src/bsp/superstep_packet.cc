// Sending of packets. The result of a send is not needed: if a process is lost, the job ends.
#include "bsp/superstep_packet.h"

namespace thrum::bsp {
namespace {

std::atomic<uint64_t> sent{0}; // written and read by all threads

} // namespace

void send_packet(NodeProcess process, const PacketHeader &header, const iovec *parts, int count) {
    sent.fetch_add(1, std::memory_order_relaxed);
    (void)fabric_send(process, Channel::PointToPoint, thrum::MessageKind::Supersteps, &header,
                      sizeof header, parts, count);
}

void send_done(NodeProcess process, PacketKind what, uint64_t origin) {
    PacketHeader header;
    header.what = what;
    header.origin = origin;
    send_packet(process, header);
}

uint64_t packets_sent() {
    return sent.load(std::memory_order_relaxed);
}

iovec part_of(const void *data, size_t size_bytes) {
    return {const_cast<void *>(data), size_bytes};
}

void set_place(PacketHeader &header, const Place &place) {
    header.function = place.function;
    header.call_site = reinterpret_cast<uint64_t>(place.call_site);
}

} // namespace thrum::bsp
