// Partitioned communication (MPI 5.0 chapter 4). A send and a receive that match share a channel;
// of ranks in different node processes: remote_partitions.h.
//
//   ready() -> the receive has been started:  copies the partition straight into the receive
//   buffer
//              it has not:                    notes the partition; the receive's start() copies it
//
// Invariants
// 1. Sends and receives match in the order of their initialisation, by sender, receiver,
//    communicator and tag; later starts need no matching.
// 2. A partition of the send is copied once in a round (start to completion), by the thread that
//    finds under the channel's lock that it is ready and the receive started. The copy itself needs
//    no lock.
// 3. Round n of the send goes to round n of the receive: neither starts its next round before
//    everything of this one has been copied.
#pragma once
#include "pt2pt/remote_partitions.h"
#include "pt2pt/request.h"

#include <memory>

namespace thrum {

class PartitionedChannel;

// A buffer of `partitions` equal parts, each `count` elements of `datatype`, and its request.
class PartitionedRequest : public OperationRequest {
public:
    ~PartitionedRequest() override;

    Error check_free() const override; // section 4.2.1: not while it is active
    Error cancel() override;

    int partitions() const { return partitions_; }

protected:
    PartitionedRequest(void *address, int partitions, Count elements, Datatype &type,
                       int message_tag, Communicator &communicator);

    friend class PartitionedChannel;
    friend class PartitionsOut;

    size_t partition_bytes() const { return data_bytes(count, *datatype); }

    size_t total_bytes() const { return partition_bytes() * static_cast<size_t>(partitions_); }

    void *address_of(int partition) const;

    Count elements() const { return count * partitions_; }

    // Of a complete operation.
    static Error check_sizes(size_t sent_bytes, size_t room_bytes);
    Error check_sizes() const;

    int partitions_ = 0;
    PartitionedChannel *channel_ = nullptr; // nullptr: no peer in this process
};

class PartitionedSend final : public PartitionedRequest {
public:
    // MPI_Psend_init. `dest` may be MPI_PROC_NULL.
    PartitionedSend(const void *address, int partitions, Count elements, Datatype &type, int dest,
                    int message_tag, Communicator &communicator);

    // MPI_Pready for `partition`. Any thread of the rank may call it for its own partitions. After
    // the last one of a round, nothing of this object is touched.
    Error ready(int partition) MAY_SUSPEND;

    Error start() override;
    Error result(MPI_Status *status) override;
    Blockage blockage() const override;

    const void *type() const override { return &class_name; }

    static constexpr char class_name = 's'; // type() of all objects of this class

private:
    friend class PartitionedChannel;
    friend class PartitionsOut;
    int dest_;
    // Of each partition the round in which it was ready last; guarded by lock_.
    std::unique_ptr<uint32_t[]> ready_round_;
    uint32_t round_ = 0;
    SpinLock lock_;
    std::atomic<int> missing_{0};        // partitions that have not been copied in this round
    std::unique_ptr<PartitionsOut> out_; // the receiver is in another process
};

class PartitionedReceive final : public PartitionedRequest {
public:
    // MPI_Precv_init. `from` may be MPI_PROC_NULL; no wildcards.
    PartitionedReceive(void *address, int partitions, Count elements, Datatype &type, int from,
                       int message_tag, Communicator &communicator);

    // MPI_Parrived of an active request. If its sender is lost, one that has not arrived when the
    // request is complete never will.
    // When all have, it is complete before anybody learns of the last one.
    bool arrived(int partition) const MAY_SUSPEND;

    Error start() override MAY_SUSPEND;
    Error result(MPI_Status *status) override;
    Blockage blockage() const override;

    const void *type() const override { return &class_name; }

    static constexpr char class_name = 'r';

private:
    friend class PartitionedChannel;
    friend class PartitionsIn;
    friend struct PartitionMessages;
    // Bytes of the packed message are in the receive buffer.
    void add_arrived(size_t offset, size_t size_bytes);

    int from_;
    // Bytes that have come into each partition in this round. Written by the copying threads.
    std::unique_ptr<std::atomic<size_t>[]> arrived_bytes_;
    std::atomic<size_t> missing_bytes_{0}; // of all partitions; counted down before those
    std::unique_ptr<PartitionsIn> in_;     // the sender is in another process
};

} // namespace thrum
