// Sending of packets between PEs (element_packet.h).
#include "acl/element_packet.h"

#include "wireup/wireup.h"

namespace thrum {

void send_element_packet(NodeProcess process, const ElementHeader &header, const void *data) {
    iovec part{const_cast<void *>(data), header.size_bytes};
    (void)fabric_send(process, Channel::PointToPoint, MessageKind::Acl, &header, sizeof header,
                      &part, data && header.size_bytes > 0);
}

void send_to_element(const ElementHeader &header, const void *data) {
    send_element_packet(node_process_of(header.dest), header, data);
}

} // namespace thrum
