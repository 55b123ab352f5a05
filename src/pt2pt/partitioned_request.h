// What the two kinds of partitioned requests have in common, whatever their peer is: a buffer of
// equal parts, and the count of finished ones.
#pragma once
#include "pt2pt/request.h"

#include <atomic>
#include <memory>

namespace thrum {

// A buffer of `partitions` equal parts, each `count` elements of `datatype`, and its request. Holds
// references to communicator and datatype.
class PartitionedRequest : public OperationRequest {
public:
    ~PartitionedRequest() override;

    Error check_free() const override; // section 4.2.1: not while it is active
    Error cancel() override;

    int partitions() const { return partitions_; }

    size_t partition_bytes() const { return data_bytes(count, *datatype); }

    size_t total_bytes() const { return partition_bytes() * static_cast<size_t>(partitions_); }

    // Returns where a partition begins.
    void *address_of(int partition) const;

    Count elements() const { return count * partitions_; }

protected:
    PartitionedRequest(void *address, int partitions, Count elements, Datatype &type,
                       int message_tag, Communicator &communicator);

    // Returns an error if the two sides of a complete operation differ in size (section 4.2.1).
    static Error check_sizes(size_t sent_bytes, size_t room_bytes);

    int partitions_ = 0;
};

// The sending side: counts the partitions that have been copied.
class SourcePartitions : public PartitionedRequest {
public:
    // Counts a partition that has been copied. Returns true for the last one of this round: the
    // caller sees what all others have copied. Otherwise it accesses nothing of this object
    // afterwards.
    bool count_copied() {
        // acq_rel [partitioned-3]
        return missing_.fetch_sub(1, std::memory_order_acq_rel) == 1;
    }

protected:
    using PartitionedRequest::PartitionedRequest;

    std::atomic<int> missing_{0}; // partitions that have not been copied in this round
};

// The receiving side: counts the bytes of each partition, which need not be the sender's
// partitions.
class TargetPartitions : public PartitionedRequest {
public:
    // Counts bytes [offset, offset + size_bytes) of the packed message, which are in the receive
    // buffer.
    void add_arrived(size_t offset, size_t size_bytes);

protected:
    TargetPartitions(void *address, int partitions, Count elements, Datatype &type, int message_tag,
                     Communicator &communicator);

    // Bytes that have arrived in each partition in this round. Written by the copying threads.
    std::unique_ptr<std::atomic<size_t>[]> arrived_bytes_;
    std::atomic<size_t> missing_bytes_{0}; // of all partitions; counted down before arrived_bytes_
};

} // namespace thrum
