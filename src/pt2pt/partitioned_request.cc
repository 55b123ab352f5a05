// Sizes, checks and counters of partitioned requests.
#include "pt2pt/partitioned_request.h"

#include "comm/communicator_lifecycle.h"

#include <algorithm>

namespace thrum {

PartitionedRequest::PartitionedRequest(void *address, int partitions, Count elements,
                                       Datatype &type, int message_tag,
                                       Communicator &communicator) {
    partitions_ = partitions;
    buffer = address;
    count = elements;
    datatype = &type;
    tag = message_tag;
    comm = &communicator;
    persistent = true;
    active = false;
    retain(type);
    retain(communicator);
}

PartitionedRequest::~PartitionedRequest() {
    release(*const_cast<Datatype *>(datatype));
    release(*comm);
}

void *PartitionedRequest::address_of(int partition) const {
    return static_cast<char *>(buffer) + partition * count * datatype->extent;
}

Error PartitionedRequest::check_free() const {
    if (!active || completion.done())
        return success;
    return fail(MPI_ERR_REQUEST,
                "the request is a partitioned operation that is active and not complete: it cannot "
                "be freed");
}

Error PartitionedRequest::cancel() {
    if (!active || completion.done())
        return success;
    return fail(MPI_ERR_REQUEST,
                "the request is a partitioned operation that is active and not complete: it cannot "
                "be cancelled");
}

// Section 4.2.1: "Send-side and receive-side buffers must be identical in size."
Error PartitionedRequest::check_sizes(size_t sent_bytes, size_t room_bytes) {
    if (sent_bytes == room_bytes)
        return success;
    return fail(sent_bytes > room_bytes ? MPI_ERR_TRUNCATE : MPI_ERR_COUNT,
                "the partitioned send has %zu bytes, but the receive that it matches has %zu",
                sent_bytes, room_bytes);
}

TargetPartitions::TargetPartitions(void *address, int partitions, Count elements, Datatype &type,
                                   int message_tag, Communicator &communicator)
    : PartitionedRequest(address, partitions, elements, type, message_tag, communicator),
      arrived_bytes_(new std::atomic<size_t>[static_cast<size_t>(partitions)]) {}

// The range may cover several partitions of the receive, and parts of them.
void TargetPartitions::add_arrived(size_t offset, size_t size_bytes) {
    const size_t part_bytes = partition_bytes();
    missing_bytes_.fetch_sub(size_bytes, std::memory_order_relaxed); // published by what follows
    while (size_bytes > 0) {
        const size_t piece = std::min(size_bytes, part_bytes - offset % part_bytes);
        // release [partitioned-2]: the data is in the receive buffer.
        arrived_bytes_[offset / part_bytes].fetch_add(piece, std::memory_order_acq_rel);
        offset += piece;
        size_bytes -= piece;
    }
}

} // namespace thrum
