// Partitioned communication (partitioned.h) with a rank of another node process.
//
//   sender's process                          receiver's process
//   ready(): records the partition
//       <------------------------- Start ---  start()
//   sends the recorded partitions
//   ready(): --- Partition (data) --------->  into the receive buffer; its bytes are counted
//            --- Partition (memory) ------->  reads it (fabric_read)
//       <----------------------- Taken ----   and answers
//                                             complete, when all the data have arrived
//   the last, if there are no data or the sizes differ:
//            --- End --------------------->   complete
//
// Both sides number their initialisations by communicator, sender, receiver and tag. Equal numbers
// match, so the sides need not negotiate. No partition is sent before the receive is started, so
// partitions wait in the sender's buffer only.
//
// A process that is lost (lost.h) ends the active rounds. For a send, the partitions that wait for
// it, and those that are marked later, count as done, so that the send completes with the last one.
// A receive completes, but not before reads into its buffer have ended.
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
struct PartitionedPair; // of a send and the facts known of its receive
struct Process;

// The sender's view of the receiver of a PartitionedSend. Owned by the send.
class PartitionsOut {
public:
    // `number`: among the initialisations with the same communicator, receiver and tag.
    PartitionsOut(SourcePartitions &send, const Process &receiver, int tag, uint32_t number);
    ~PartitionsOut();
    PartitionsOut(const PartitionsOut &) = delete;
    PartitionsOut &operator=(const PartitionsOut &) = delete;

    // Begins a round.
    void start();
    // Sends the partition, or records it if the receive is not started.
    void ready(int partition) MAY_SUSPEND;

    // Returns the result of a complete operation: success, or that the receiver was lost before it
    // had all partitions.
    Error result() const;
    // Returns the size of the receive, which must have been started.
    size_t room_bytes() const;

private:
    friend struct PartitionMessages;
    void send(int partition) MAY_SUSPEND;
    // Counts a partition as done. The send may be freed afterwards.
    void finish_one() MAY_SUSPEND;
    // Does the same for a partition that the receiver cannot take.
    void finish_in_vain() MAY_SUSPEND;

    SourcePartitions &send_;
    NodeProcess process_; // of the receiver
    PartitionedPair &pair_;
    std::atomic<bool> failed_{false}; // in this round
};

// The receiver's view of the sender of a PartitionedReceive. Owned by the receive.
class PartitionsIn {
public:
    PartitionsIn(TargetPartitions &receive, const Process &sender, int tag, uint32_t number);
    ~PartitionsIn();
    PartitionsIn(const PartitionsIn &) = delete;
    PartitionsIn &operator=(const PartitionsIn &) = delete;

    // Begins a round, and announces it to the sender.
    void start() MAY_SUSPEND;

    // Returns whether the complete operation has failed.
    bool failed() const { return failed_; }

    Error result() const; // success, or that the sender was lost before the last partition

    size_t sent_bytes() const { return sent_bytes_; }

    ListHook hook; // in Pairs::receives

private:
    friend struct PartitionMessages;
    // The following are called by arrive functions and at a loss, never two at once. After each of
    // them the receive may be freed.
    void note_arrived(size_t offset, size_t size_bytes);
    // Ends the round: there are no data, or the sizes differ.
    void end(size_t sent_bytes);
    void end_read(bool ok, size_t offset, size_t size_bytes);
    void lose_sender();
    void count_down(size_t units); // completes the receive when nothing is missing

    TargetPartitions &receive_;
    const Process &sender_;
    int tag_;
    uint32_t number_;
    bool active_ = false; // the sender may send; guarded by the lock of all pairs
    // Written before the completion, or by start(), and read after it.
    bool failed_ = false;
    size_t sent_bytes_ = 0;
    size_t missing_ = 0; // bytes still to come; if the receive has none, 1 for End
    int reads_ = 0;      // that have not ended
};

// Registers the arrive function of partitions. Must be called before any other process may send
// one.
void begin_partition_messages();

} // namespace thrum
