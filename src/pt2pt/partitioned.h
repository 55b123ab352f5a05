// Partitioned communication (MPI 5.0 chapter 4). A send and a receive that match share a channel.
// For ranks in different node processes: remote_partitions.h.
//
//   ready() -> the receive is started:      copies the partition directly into the receive buffer
//              it is not started:           records it; the receive's start() copies it
//
// Invariants
// 1. Sends and receives match in the order of their initialisation, by sender, receiver,
//    communicator and tag; later starts need no matching.
// 2. A partition of the send is copied once in a round (start to completion), by the thread that
//    finds under the channel's lock that it is ready and the receive started. The copy itself needs
//    no lock.
// 3. Round n of the send matches round n of the receive: neither starts its next round before
//    everything of this one has been copied.
#pragma once
#include "pt2pt/partitioned_request.h"
#include "pt2pt/remote_partitions.h"

#include <memory>

namespace thrum {

class PartitionedChannel;

// A partitioned send. Freed like any request, when it is inactive.
class PartitionedSend final : public SourcePartitions {
public:
    // Does MPI_Psend_init. `dest` may be MPI_PROC_NULL.
    PartitionedSend(const void *address, int partitions, Count elements, Datatype &type, int dest,
                    int message_tag, Communicator &communicator);
    ~PartitionedSend() override;

    // Does MPI_Pready for `partition`. Any thread of the rank may call it for its own partitions.
    // After the last one of a round, this object is not accessed. Returns MPI_ERR_ARG if the
    // partition is not valid, or is ready already.
    Error ready(int partition) MAY_SUSPEND;

    Error start() override;
    Error result(MPI_Status *status) override;
    Blockage blockage() const override;

    const void *type() const override { return &class_name; }

    static constexpr char class_name = 's'; // type() of all objects of this class

private:
    int dest_;
    // For each partition, the round in which it was last ready; guarded by lock_.
    std::unique_ptr<uint32_t[]> ready_round_;
    uint32_t round_ = 0; // number of starts
    SpinLock lock_;
    PartitionedChannel *channel_ = nullptr; // set if the receiver is in this process
    std::unique_ptr<PartitionsOut> out_;    // set if the receiver is in another process
};

// A partitioned receive.
class PartitionedReceive final : public TargetPartitions {
public:
    // Does MPI_Precv_init. `from` may be MPI_PROC_NULL, but not a wildcard.
    PartitionedReceive(void *address, int partitions, Count elements, Datatype &type, int from,
                       int message_tag, Communicator &communicator);
    ~PartitionedReceive() override;

    // Does MPI_Parrived for an active request. If its sender is lost, a partition that has not
    // arrived when the request is complete never will. Once all partitions are seen to have
    // arrived, the request is complete.
    bool arrived(int partition) const MAY_SUSPEND;

    Error start() override MAY_SUSPEND;
    Error result(MPI_Status *status) override;
    Blockage blockage() const override;

    const void *type() const override { return &class_name; }

    static constexpr char class_name = 'r';

private:
    int from_;
    PartitionedChannel *channel_ = nullptr; // set if the sender is in this process
    std::unique_ptr<PartitionsIn> in_;      // set if the sender is in another process
};

} // namespace thrum
