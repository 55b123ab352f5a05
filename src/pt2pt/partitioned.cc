#include "pt2pt/partitioned.h"

#include "comm/communicator_lifecycle.h"
#include "comm/group.h"
#include "comm/process.h"
#include "comm/type_mismatch.h"
#include "datatype/copy_range.h"
#include "datatype/status.h"

#include <algorithm>
#include <deque>
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace thrum {

// What a send and a receive that match share. Each of the two holds a reference.
class PartitionedChannel {
public:
    void attach(SourcePartitions &send) {
        LockGuard guard(lock_);
        send_ = &send;
    }

    void attach(TargetPartitions &receive) {
        LockGuard guard(lock_);
        receive_ = &receive;
    }

    void start_send() {
        LockGuard guard(lock_);
        ++send_round_;
    }

    // Copies what became ready before this start. The list is taken under the lock, so each
    // partition is copied by exactly one thread.
    void start_receive() {
        std::vector<int> ready;
        {
            LockGuard guard(lock_);
            ++receive_round_;
            ready.swap(waiting_);
        }
        for (int partition : ready)
            copy(partition);
    }

    // Copies the partition, or leaves it to start_receive() if the receive is not in the same round
    // yet.
    void ready(int partition) {
        {
            LockGuard guard(lock_);
            if (!receive_ || receive_round_ != send_round_) {
                waiting_.push_back(partition);
                return;
            }
        }
        copy(partition);
    }

    // The sizes of the round that has just completed. If they differ, nothing was copied.
    size_t sent_bytes() const { return sent_bytes_; }

    size_t room_bytes() const { return room_bytes_; }

    // Returns what differs in the types of the round that has just completed; "": nothing.
    const std::string &type_difference() const { return type_difference_; }

    void retain() { references_.fetch_add(1, std::memory_order_relaxed); }

    void release() {
        // acq_rel [partitioned-1]: the last reference frees after all others' use.
        if (references_.fetch_sub(1, std::memory_order_acq_rel) == 1)
            delete this;
    }

private:
    void copy(int partition);
    void compare_types();

    SpinLock lock_;                       // guards what follows, up to waiting_
    SourcePartitions *send_ = nullptr;    // until it is initialised; not to be used once freed
    TargetPartitions *receive_ = nullptr; // likewise
    uint32_t send_round_ = 0;             // times that each was started
    uint32_t receive_round_ = 0;
    std::vector<int> waiting_; // partitions that are ready before the receive is started

    // Written before the completions of a round, read after them.
    size_t sent_bytes_ = 0;
    size_t room_bytes_ = 0;
    std::string type_difference_;
    std::atomic<int> references_{1}; // of the two requests, or a request and the list
};

// Both operations are active, or not yet complete, so their objects exist. The last copy completes
// both: nothing of them is accessed by other threads after their count.
void PartitionedChannel::copy(int partition) {
    SourcePartitions &send = *send_;
    TargetPartitions &receive = *receive_;
    const size_t size_bytes = send.partition_bytes();
    const size_t offset = static_cast<size_t>(partition) * size_bytes;
    if (send.total_bytes() == receive.total_bytes() && size_bytes > 0) {
        if (size_bytes == receive.partition_bytes())
            copy_typed(send.address_of(partition), send.count, *send.datatype,
                       receive.address_of(partition), receive.count, *receive.datatype);
        else
            copy_typed_range({send.buffer, send.elements(), *send.datatype},
                             {receive.buffer, receive.elements(), *receive.datatype}, offset,
                             size_bytes);
        receive.add_arrived(offset, size_bytes);
    }
    if (!send.count_copied())
        return;
    sent_bytes_ = send.total_bytes();
    room_bytes_ = receive.total_bytes();
    if (!types_surely_match(*send.datatype, *receive.datatype)) [[unlikely]]
        compare_types();
    receive.completion.complete();
    send.completion.complete(); // its reference keeps the channel until here
}

// Section 4.2.1: the data of all partitions together are compared. The receiver reports.
void PartitionedChannel::compare_types() {
    const TypedBytes sent{send_->datatype, send_->total_bytes()};
    const TypedBytes room{receive_->datatype, receive_->total_bytes()};
    if (sent.bytes == room.bytes && !types_are_accepted(sent, room))
        type_difference_ =
            mismatch_text("the message from rank " + std::to_string(send_->comm->rank) +
                              " with tag " + std::to_string(send_->tag),
                          sent, "the receive", room);
}

// The channels of a communicator that one side has not initialised yet. Operations with peers in
// other processes match by numbers, which are counted here.
struct UnmatchedChannels {
    using Key = std::tuple<const Process *, const Process *, int>; // sender, receiver, tag

    struct Waiting {
        bool for_send = false; // whether the channels of this key lack the send
        std::deque<PartitionedChannel *> channels;
    };

    SpinLock lock; // guards the following
    std::map<Key, Waiting> by_key;
    std::map<Key, uint32_t> initialized;
};

namespace {

// Frees the channels that were never matched, with the communicator's context.
void free_unmatched(UnmatchedChannels *unmatched) {
    for (auto &[key, waiting] : unmatched->by_key)
        for (PartitionedChannel *channel : waiting.channels)
            channel->release();
    delete unmatched;
}

const Extension<Context, UnmatchedChannels, free_unmatched> unmatched_channels;

// Returns the channel of a send or receive that is being initialised: the oldest unmatched one of
// the other kind, or a new one.
template <class Side>
PartitionedChannel *join_channel(Side &side, const Process &sender, const Process &receiver,
                                 int tag, Context &context, bool is_send) {
    UnmatchedChannels &unmatched = unmatched_channels.of(context).get_or_make();
    LockGuard guard(unmatched.lock);
    auto &by_key = unmatched.by_key;
    auto place = by_key.try_emplace({&sender, &receiver, tag}).first;
    UnmatchedChannels::Waiting &waiting = place->second;
    PartitionedChannel *channel;
    if (!waiting.channels.empty() && waiting.for_send == is_send) {
        channel = waiting.channels.front(); // its reference becomes ours
        waiting.channels.pop_front();
    } else {
        channel = new PartitionedChannel;
        channel->retain();
        waiting.for_send = !is_send;
        waiting.channels.push_back(channel);
    }
    if (waiting.channels.empty())
        by_key.erase(place);
    channel->attach(side);
    return channel;
}

// Returns the number of an operation that is being initialised, whose peer is in another process.
uint32_t next_number(const Process &sender, const Process &receiver, int tag, Context &context) {
    UnmatchedChannels &unmatched = unmatched_channels.of(context).get_or_make();
    LockGuard guard(unmatched.lock);
    return unmatched.initialized[{&sender, &receiver, tag}]++;
}

} // namespace

PartitionedSend::PartitionedSend(const void *address, int partitions, Count elements,
                                 Datatype &type, int dest, int message_tag,
                                 Communicator &communicator)
    : SourcePartitions(const_cast<void *>(address), partitions, elements, type, message_tag,
                       communicator),
      dest_(dest), ready_round_(new uint32_t[static_cast<size_t>(partitions)]()) {
    if (dest == MPI_PROC_NULL)
        return;
    const Process &self = *communicator.process, &receiver = communicator.peer(dest);
    Context &context = *communicator.context;
    if (is_remote(receiver))
        out_ = std::make_unique<PartitionsOut>(*this, receiver, message_tag,
                                               next_number(self, receiver, message_tag, context));
    else
        channel_ = join_channel(*this, self, receiver, message_tag, context, true);
}

PartitionedSend::~PartitionedSend() {
    if (channel_)
        channel_->release();
}

Error PartitionedSend::start() {
    completion.reset();
    missing_.store(partitions_, std::memory_order_relaxed);
    ++round_;
    if (channel_)
        channel_->start_send();
    else if (out_)
        out_->start();
    return success;
}

Error PartitionedSend::ready(int partition) {
    if (partition < 0 || partition >= partitions_)
        return fail(MPI_ERR_ARG, "partition is %d, but the request has %d partition%s", partition,
                    partitions_, partitions_ == 1 ? "" : "s");
    bool again;
    {
        LockGuard guard(lock_);
        uint32_t &round = ready_round_[static_cast<size_t>(partition)];
        again = round == round_;
        round = round_;
    }
    if (again)
        return fail(MPI_ERR_ARG, "partition is %d, which is already marked as ready", partition);
    if (channel_)
        channel_->ready(partition);
    else if (out_)
        out_->ready(partition);
    else if (count_copied())
        completion.complete();
    return success;
}

Error PartitionedSend::result(MPI_Status *status) {
    set_status(status, MPI_ANY_SOURCE, MPI_ANY_TAG, 0);
    if (channel_)
        return check_sizes(channel_->sent_bytes(), channel_->room_bytes());
    if (!out_)
        return success;
    if (Error error = out_->result())
        return error;
    return check_sizes(total_bytes(), out_->room_bytes());
}

Blockage PartitionedSend::blockage() const {
    return {.kind = Blockage::Kind::Send,
            .peer = dest_,
            .tag = tag,
            .communicator = comm,
            .size_bytes = static_cast<int64_t>(total_bytes())};
}

PartitionedReceive::PartitionedReceive(void *address, int partitions, Count elements,
                                       Datatype &type, int from, int message_tag,
                                       Communicator &communicator)
    : TargetPartitions(address, partitions, elements, type, message_tag, communicator),
      from_(from) {
    if (from == MPI_PROC_NULL)
        return;
    const Process &self = *communicator.process, &sender = communicator.peer(from);
    Context &context = *communicator.context;
    if (is_remote(sender))
        in_ = std::make_unique<PartitionsIn>(*this, sender, message_tag,
                                             next_number(sender, self, message_tag, context));
    else
        channel_ = join_channel(*this, sender, self, message_tag, context, false);
}

PartitionedReceive::~PartitionedReceive() {
    if (channel_)
        channel_->release();
}

Error PartitionedReceive::start() {
    completion.reset();
    missing_bytes_.store(total_bytes(), std::memory_order_relaxed);
    for (int i = 0; i < partitions_; ++i)
        arrived_bytes_[static_cast<size_t>(i)].store(0, std::memory_order_relaxed);
    if (channel_)
        channel_->start_receive(); // its lock publishes the zeroes
    else if (in_)
        in_->start();
    else
        completion.set_done();
    return success;
}

bool PartitionedReceive::arrived(int partition) const {
    if (completion.done() && !(in_ && in_->failed()))
        return true;
    // acquire [partitioned-2]
    if (partition_bytes() == 0 || arrived_bytes_[static_cast<size_t>(partition)].load(
                                      std::memory_order_acquire) != partition_bytes())
        return false;
    // The thread that has copied the last bytes is about to complete the request. A caller that has
    // seen all partitions arrive may rely on MPI_Test.
    if (missing_bytes_.load(std::memory_order_relaxed) == 0)
        for (int spins = 0; !completion.done(); ++spins)
            spins < 1000 ? cpu_pause() : yield();
    return true;
}

Error PartitionedReceive::result(MPI_Status *status) {
    if (!channel_ && !in_) {
        set_status(status, MPI_PROC_NULL, MPI_ANY_TAG, 0);
        return success;
    }
    set_status(status, from_, tag, static_cast<Count>(total_bytes()));
    if (channel_ && !channel_->type_difference().empty()) [[unlikely]]
        if (Error error = judge_mismatch({channel_->type_difference(), {}, {}}))
            return error;
    if (channel_)
        return check_sizes(channel_->sent_bytes(), channel_->room_bytes());
    if (Error error = in_->result())
        return error;
    return check_sizes(in_->sent_bytes(), total_bytes());
}

Blockage PartitionedReceive::blockage() const {
    return {.kind = Blockage::Kind::Receive, .peer = from_, .tag = tag, .communicator = comm};
}

} // namespace thrum
