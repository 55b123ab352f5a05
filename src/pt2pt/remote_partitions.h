// Partitioned communication (partitioned.h) with a rank of another node process.
//
//   sender's process                          receiver's process
//   ready(): notes the partition
//       <------------------------- Start ---  start()
//   sends what is noted
//   ready(): --- Partition (data) --------->  into the receive buffer, its bytes are counted
//            --- Partition (memory) ------->  reads it (fabric_read)
//       <----------------------- Taken ----   and says so
//                                             complete, when all the data are there
//   the last, if there are no data or the sizes differ:
//            --- End --------------------->   complete
//
// Both sides number their initialisations by communicator, sender, receiver and tag: equal numbers
// match, so there is nothing to be agreed on. No partition is sent before the receive is started,
// so none is ever kept elsewhere than in the sender's buffer.
//
// A process that is lost (lost.h) ends the rounds under way. Of a send: the partitions that wait
// for it, and those that are marked later, count as done, so that the send completes with the last
// one. Of a receive: it completes, but not before reads into its buffer have ended.
#pragma once
#include "base/error.h"
#include "base/list.h"
#include "base/node_process.h"
#include "comm/communicator.h"
#include "fiber/task.h"

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace thrum {

class SourcePartitions;
class TargetPartitions;
struct PartitionedPair; // of a send and what is known of its receive
struct Process;

// The receiver of a PartitionedSend.
class PartitionsOut {
public:
    // `number` among the initialisations with the same communicator, receiver and tag.
    PartitionsOut(SourcePartitions &send, const Process &receiver, int tag, uint32_t number);
    ~PartitionsOut();
    PartitionsOut(const PartitionsOut &) = delete;
    PartitionsOut &operator=(const PartitionsOut &) = delete;

    void start();
    void ready(int partition) MAY_SUSPEND;

    // Of a complete operation: success, or that the receiver was lost before it had all.
    Error result() const;
    size_t room_bytes() const; // of the receive, once it has been started

private:
    friend struct PartitionMessages;
    void send(int partition) MAY_SUSPEND;
    void finish_one() MAY_SUSPEND;     // the send may be gone afterwards
    void finish_in_vain() MAY_SUSPEND; // the same for a partition that the receiver cannot take

    SourcePartitions &send_;
    NodeProcess process_; // of the receiver
    PartitionedPair &pair_;
    std::atomic<bool> failed_{false}; // this round
};

// The sender of a PartitionedReceive.
class PartitionsIn {
public:
    PartitionsIn(TargetPartitions &receive, const Process &sender, int tag, uint32_t number);
    ~PartitionsIn();
    PartitionsIn(const PartitionsIn &) = delete;
    PartitionsIn &operator=(const PartitionsIn &) = delete;

    void start() MAY_SUSPEND;

    // Of a complete operation.
    bool failed() const { return failed_; }

    Error result() const; // success, or that the sender was lost before it had sent all

    size_t sent_bytes() const { return sent_bytes_; }

    ListHook hook; // in the list of all

private:
    friend struct PartitionMessages;
    // Those below are called by arrive functions and at a loss: never two at once. The receive may
    // be gone after each.
    void note_arrived(size_t offset, size_t size_bytes);
    void end(size_t sent_bytes);
    void end_read(bool ok, size_t offset, size_t size_bytes);
    void lose_sender();
    void count_down(size_t units); // completes the receive, if that was all

    TargetPartitions &receive_;
    const Process &sender_;
    int tag_;
    uint32_t number_;
    bool active_ = false; // the sender may send; guarded by the lock of all pairs
    // Written before the completion, or by start(), and read after it.
    bool failed_ = false;
    size_t sent_bytes_ = 0;
    size_t missing_ = 0; // bytes that are to come; without any, 1 for End
    int reads_ = 0;      // under way
};

// Makes this process take such messages in; before any other may send them.
void begin_partition_messages();

} // namespace thrum
