// Partitioned communication (partitioned.h) with a rank of another node process.
//
//   sender's process                          receiver's process
//   ready(): notes the partition
//       <------------------------- Start ---  start()
//   sends what is noted
//   ready(): --- Partition (data) --------->  into the receive buffer, its bytes are counted
//            --- Partition (memory) ------->  reads it (fabric_read)
//       <----------------------- Taken ----   and says so
//   the last: --- End --------------------->  complete, when all the data are there
//
// Both sides number their initialisations by communicator, sender, receiver and tag: equal numbers
// match, so there is nothing to be agreed on. No partition is sent before the receive is started,
// so none is ever kept elsewhere than in the sender's buffer.
#pragma once
#include "comm/communicator.h"
#include "fiber/task.h"

#include <atomic>
#include <cstdint>

namespace thrum {

class PartitionedSend;
class PartitionedReceive;
struct PartitionedPair; // of a send and what is known of its receive
struct Process;

// The other side of a PartitionedSend.
class PartitionsOut {
public:
    // `number` among the initialisations with the same communicator, receiver and tag.
    PartitionsOut(PartitionedSend &send, const Process &receiver, int tag, uint32_t number);
    ~PartitionsOut();
    PartitionsOut(const PartitionsOut &) = delete;
    PartitionsOut &operator=(const PartitionsOut &) = delete;

    void start();
    void ready(int partition) MAY_SUSPEND;

    size_t room_bytes() const; // of the receive, once it has been started

private:
    friend struct PartitionMessages;
    void send(int partition) MAY_SUSPEND;
    void finish_one() MAY_SUSPEND; // the send may be gone afterwards

    PartitionedSend &send_;
    int process_; // node process of the receiver
    PartitionedPair &pair_;
};

// The other side of a PartitionedReceive.
class PartitionsIn {
public:
    PartitionsIn(PartitionedReceive &receive, const Process &sender, int tag, uint32_t number);
    PartitionsIn(const PartitionsIn &) = delete;
    PartitionsIn &operator=(const PartitionsIn &) = delete;

    void start() MAY_SUSPEND;

    size_t sent_bytes() const { return sent_bytes_; } // of a complete operation

private:
    friend struct PartitionMessages;
    void note_arrived(size_t offset, size_t size_bytes);
    void end(size_t sent_bytes);
    void count_down(size_t units); // the receive may be gone afterwards

    PartitionedReceive &receive_;
    const Process &sender_;
    int tag_;
    uint32_t number_;
    std::atomic<size_t> missing_{0}; // bytes that are to come, and one for End
    size_t sent_bytes_ = 0;          // written before the completion, read after it
};

// Makes this process take such messages in; before any other may send them.
void begin_partition_messages();

} // namespace thrum
