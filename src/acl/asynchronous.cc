// Asynchronous sends to PEs here and elsewhere (asynchronous.h).
#include "acl/asynchronous.h"

#include "acl/flow_control.h"

namespace thrum {

void asynchronous_send(ProcessingElement &self, int dest, int tag, const void *data,
                       size_t size_bytes) {
    if (self.partition.is_here(dest)) [[likely]]
        return self.partition.element(dest).async.send(self.address, tag, data, size_bytes);
    const int number = self.partition.world_rank(dest);
    wait_while_stopped(number);
    send_to_element({ElementPacket::Async, number, self.address, tag, size_bytes, {}}, data);
}

void async_arrived(ProcessingElement &self, const ElementHeader &header, const Arrival &arrival) {
    if (int change = self.async.deposit(arrival.source, header.source, header.tag, arrival.payload,
                                        header.size_bytes))
        tell_to_stop(arrival.source, header.dest, change);
}

} // namespace thrum
