// The pairs of sends and receives, and their messages. All pairs have one lock, which is held for
// lookups only; data are sent and copied without it.
#include "pt2pt/remote_partitions.h"

#include "base/check.h"
#include "base/settings.h"
#include "comm/process.h"
#include "fabric/fabric.h"
#include "pt2pt/lost.h"
#include "pt2pt/message_data.h"
#include "pt2pt/partitioned_request.h"
#include "wireup/wireup.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace thrum {

// Context id; world ranks of sender and receiver; tag; number.
using PairKey = std::tuple<uint32_t, int, int, int, uint32_t>;

// A partition in the sender's memory, which the receiver reads.
struct ExposedPartition {
    PartitionsOut *out;
    RemoteMemory memory;
    void *packed;  // a copy of data with gaps, or nullptr
    ListHook hook; // in PartitionedPair::exposed, until the receiver has read it or is lost
};

// A send and the facts known of its receive. Guarded by the lock of all pairs.
struct PartitionedPair {
    PairKey key;
    uint32_t receive_round = 0; // times that the receive was started
    uint32_t send_round = 0;
    uint64_t receiver = 0; // PartitionsIn in the receiver's process
    size_t room_bytes = 0;
    std::vector<int> waiting; // partitions that are ready before the receive is started
    List<ExposedPartition, &ExposedPartition::hook> exposed;
    PartitionsOut *out = nullptr; // nullptr until the send is initialised
};

namespace {

struct Pairs {
    SpinLock lock; // guards the map and all in it, and the list
    std::map<PairKey, PartitionedPair> by_key;
    List<PartitionsIn, &PartitionsIn::hook> receives; // all that are initialised
};

Pairs &pairs() {
    static auto *all = new Pairs; // never destroyed: messages come until the process ends
    return *all;
}

// Returns the pair of a key, which the first side to ask for it makes. The caller holds the lock.
PartitionedPair &find_pair(const PairKey &key) {
    PartitionedPair &pair = pairs().by_key[key];
    pair.key = key;
    return pair;
}

// Enters a send into its pair.
PartitionedPair &join_pair(const PairKey &key, PartitionsOut &out) {
    LockGuard guard(pairs().lock);
    PartitionedPair &pair = find_pair(key);
    pair.out = &out;
    return pair;
}

enum class PartitionMessageKind : uint32_t { Start, Partition, Taken, End };

struct PartitionMessage {
    PartitionMessageKind kind;
    uint32_t context; // Start: these five are the key
    int32_t sender;
    int32_t receiver;
    int32_t tag;
    uint32_t number;
    uint64_t to;         // Partition, End, Start: PartitionsIn; Taken: ExposedPartition
    uint64_t exposed;    // Partition: ExposedPartition, for Taken; 0: the data came along
    uint64_t offset;     // Partition: offset of the data in the packed message
    uint64_t size_bytes; // Start: of the receive; Partition; End: of the send
    RemoteMemory memory;
};

static_assert(sizeof(PartitionMessage) <= header_bytes_max);

// Sends a message. Returns false if the process is lost.
bool send_message(NodeProcess process, const PartitionMessage &message, const void *data = nullptr,
                  size_t data_bytes = 0) MAY_SUSPEND {
    iovec part{const_cast<void *>(data), data_bytes};
    return fabric_send(process, Channel::PointToPoint, MessageKind::Partition, &message,
                       sizeof message, &part, data_bytes > 0);
}

void *allocate(size_t size_bytes) {
    void *memory = std::malloc(size_bytes);
    CHECK(memory, "out of memory for %zu bytes of a partition", size_bytes);
    return memory;
}

} // namespace

// The arrive functions, and the function for losses: they access the private parts of both sides.
struct PartitionMessages {
    // A partition that the receiver reads from the sender's memory.
    struct Read {
        PartitionsIn *in;
        NodeProcess source;
        PartitionMessage message;
        void *packed; // for a receive buffer with gaps, or nullptr
    };

    static void started(const PartitionMessage &message) MAY_SUSPEND {
        std::vector<int> ready;
        PartitionsOut *out;
        {
            LockGuard guard(pairs().lock);
            PartitionedPair &pair = find_pair(
                {message.context, message.sender, message.receiver, message.tag, message.number});
            pair.receiver = message.to;
            pair.room_bytes = message.size_bytes;
            ++pair.receive_round;
            ready.swap(pair.waiting);
            out = pair.out; // exists as long as it has waiting partitions
        }
        for (int partition : ready)
            out->send(partition);
    }

    // Exposes a large partition and tells the receiver where it is. `packed`: a copy of it to free
    // afterwards, or nullptr.
    static void expose(PartitionsOut &out, PartitionMessage message, const void *data,
                       void *packed) MAY_SUSPEND {
        auto *exposed =
            new ExposedPartition{&out, fabric_expose(data, message.size_bytes), packed, {}};
        const NodeProcess process = out.process_;
        bool lost;
        {
            LockGuard guard(pairs().lock);
            lost = is_lost_process(process); // a later loss finds it in the list
            if (!lost)
                out.pair_.exposed.push_back(*exposed);
        }
        if (lost)
            return withdraw(exposed).finish_in_vain();
        message.exposed = reinterpret_cast<uint64_t>(exposed);
        message.memory = exposed->memory;
        (void)send_message(process, message);
    }

    // Ends the exposure of a partition. Returns its sender's side.
    static PartitionsOut &withdraw(ExposedPartition *exposed) {
        PartitionsOut &out = *exposed->out;
        fabric_withdraw(exposed->memory);
        std::free(exposed->packed);
        delete exposed;
        return out;
    }

    // The receiver has read the partition.
    static void taken(uint64_t of) MAY_SUSPEND {
        auto *exposed = reinterpret_cast<ExposedPartition *>(of);
        {
            LockGuard guard(pairs().lock);
            exposed->hook.unlink();
        }
        withdraw(exposed).finish_one();
    }

    // Stores a partition, or starts to read it.
    static void arrived(const PartitionMessage &message, const Arrival &arrival) {
        auto &in = *reinterpret_cast<PartitionsIn *>(message.to);
        TargetPartitions &receive = in.receive_;
        if (!message.exposed) {
            unpack_bytes(arrival.payload, message.offset, message.size_bytes, receive.buffer,
                         receive.elements(), *receive.datatype);
            return in.note_arrived(message.offset, message.size_bytes);
        }
        ++in.reads_;
        auto *read = new Read{&in, arrival.source, message, nullptr};
        void *into = static_cast<char *>(receive.buffer) + message.offset;
        if (!receive.datatype->contiguous)
            into = read->packed = allocate(message.size_bytes);
        fabric_read(arrival.source, message.memory, 0, into, message.size_bytes, was_read, read);
    }

    // Runs when a read has ended. `ok` is false if the sender is lost, or will be reported to be.
    static void was_read(void *argument, bool ok) MAY_SUSPEND {
        auto *read = static_cast<Read *>(argument);
        const PartitionMessage &message = read->message;
        PartitionsIn &in = *read->in;
        TargetPartitions &receive = in.receive_;
        if (ok && read->packed)
            unpack_bytes(read->packed, message.offset, message.size_bytes, receive.buffer,
                         receive.elements(), *receive.datatype);
        if (ok) {
            PartitionMessage answer{};
            answer.kind = PartitionMessageKind::Taken;
            answer.to = message.exposed;
            (void)send_message(read->source, answer);
        }
        std::free(read->packed);
        in.end_read(ok, message.offset, message.size_bytes);
        delete read;
    }

    // Ends the rounds with `process`. Whether it is lost or has left, no message arrives from it
    // afterwards; and no arrive function runs at the same time.
    static void process_is_lost(NodeProcess process) MAY_SUSPEND {
        struct Ended {
            PartitionsOut *out;
            std::vector<int> waiting;
            std::vector<ExposedPartition *> exposed;
        };

        std::vector<Ended> sends;
        std::vector<PartitionsIn *> receives;
        {
            LockGuard guard(pairs().lock);
            for (auto &[key, pair] : pairs().by_key) {
                if (!pair.out || pair.out->process_ != process)
                    continue;
                sends.push_back({pair.out, {}, {}});
                sends.back().waiting.swap(pair.waiting);
                while (ExposedPartition *exposed = pair.exposed.pop_front())
                    sends.back().exposed.push_back(exposed);
            }
            for (PartitionsIn *in = pairs().receives.front(); in; in = pairs().receives.next(*in))
                if (in->active_ && node_process_of(in->sender_.number) == process)
                    receives.push_back(in);
        }
        for (const Ended &ended : sends) { // those without anything to end may be freed
            for (ExposedPartition *exposed : ended.exposed)
                withdraw(exposed).finish_in_vain();
            for (size_t i = 0; i < ended.waiting.size(); ++i)
                ended.out->finish_in_vain();
        }
        for (PartitionsIn *in : receives)
            in->lose_sender();
    }

    static void message_arrived(void *, const Arrival &arrival) MAY_SUSPEND {
        PartitionMessage message;
        CHECK(arrival.header_bytes == sizeof message);
        std::memcpy(&message, arrival.header, sizeof message);
        switch (message.kind) {
        case PartitionMessageKind::Start:
            return started(message);
        case PartitionMessageKind::Partition:
            return arrived(message, arrival);
        case PartitionMessageKind::Taken:
            return taken(message.to);
        case PartitionMessageKind::End:
            return reinterpret_cast<PartitionsIn *>(message.to)->end(message.size_bytes);
        }
    }
};

void begin_partition_messages() {
    set_arrive_function(MessageKind::Partition, PartitionMessages::message_arrived);
    when_process_is_lost(PartitionMessages::process_is_lost);
}

namespace {

PairKey key_of(const Communicator &comm, const Process &sender, const Process &receiver, int tag,
               uint32_t number) {
    return {comm.context->id, sender.number, receiver.number, tag, number};
}

} // namespace

PartitionsOut::PartitionsOut(SourcePartitions &send, const Process &receiver, int tag,
                             uint32_t number)
    : send_(send), process_(node_process_of(receiver.number)),
      pair_(join_pair(key_of(*send.comm, *send.comm->process, receiver, tag, number), *this)) {}

PartitionsOut::~PartitionsOut() {
    LockGuard guard(pairs().lock);
    const PairKey key = pair_.key;
    pairs().by_key.erase(key);
}

void PartitionsOut::start() {
    failed_.store(false, std::memory_order_relaxed);
    LockGuard guard(pairs().lock);
    ++pair_.send_round;
}

void PartitionsOut::ready(int partition) {
    bool lost;
    {
        LockGuard guard(pairs().lock);
        lost = is_lost_process(process_); // a later loss finds it among those that wait
        if (!lost && pair_.receive_round != pair_.send_round) {
            pair_.waiting.push_back(partition);
            return;
        }
    }
    if (lost)
        finish_in_vain();
    else
        send(partition);
}

Error PartitionsOut::result() const {
    return failed_.load(std::memory_order_relaxed) ? lost_process_error(process_) : success;
}

size_t PartitionsOut::room_bytes() const {
    LockGuard guard(pairs().lock);
    return pair_.room_bytes;
}

// Sends one partition. The receive is started, and does not end before the last partition has been
// sent.
void PartitionsOut::send(int partition) {
    PartitionMessage message{};
    message.kind = PartitionMessageKind::Partition;
    size_t room_bytes;
    {
        LockGuard guard(pairs().lock);
        message.to = pair_.receiver;
        room_bytes = pair_.room_bytes;
    }
    message.size_bytes = send_.partition_bytes();
    message.offset = static_cast<size_t>(partition) * message.size_bytes;
    if (room_bytes != send_.total_bytes() || message.size_bytes == 0)
        return finish_one(); // nothing is to be copied
    const SourceData data{send_.address_of(partition), send_.count, send_.datatype,
                          message.size_bytes};
    void *packed = nullptr;
    if (!data.dense()) {
        packed = allocate(message.size_bytes);
        pack_all(data, packed);
    }
    const void *bytes = packed ? packed : data.buffer;
    if (message.size_bytes > settings().eager_bytes_max)
        return PartitionMessages::expose(*this, message, bytes, packed);
    const bool sent = send_message(process_, message, bytes, message.size_bytes);
    std::free(packed);
    if (sent)
        finish_one();
    else
        finish_in_vain();
}

void PartitionsOut::finish_one() {
    // acq_rel [partitioned-3]: only the last one accesses anything afterwards.
    if (!send_.count_copied())
        return;
    PartitionMessage message{};
    message.kind = PartitionMessageKind::End;
    message.size_bytes = send_.total_bytes();
    size_t room_bytes;
    {
        LockGuard guard(pairs().lock);
        message.to = pair_.receiver;
        room_bytes = pair_.room_bytes;
    }
    // Otherwise the receive completes with its data, and may be freed.
    const bool needs_end = message.size_bytes == 0 || message.size_bytes != room_bytes;
    if (needs_end && !send_message(process_, message))
        failed_.store(true, std::memory_order_relaxed);
    send_.completion.complete();
}

void PartitionsOut::finish_in_vain() {
    failed_.store(true, std::memory_order_relaxed); // published by the count, as the data are
    finish_one();
}

PartitionsIn::PartitionsIn(TargetPartitions &receive, const Process &sender, int tag,
                           uint32_t number)
    : receive_(receive), sender_(sender), tag_(tag), number_(number) {
    LockGuard guard(pairs().lock);
    pairs().receives.push_back(*this);
}

PartitionsIn::~PartitionsIn() {
    LockGuard guard(pairs().lock);
    hook.unlink();
}

void PartitionsIn::start() {
    const NodeProcess process = node_process_of(sender_.number);
    bool lost;
    {
        LockGuard guard(pairs().lock); // publishes what is set here to the arrive functions
        missing_ = std::max<size_t>(receive_.total_bytes(), 1);
        sent_bytes_ = receive_.total_bytes(); // unless End says something else
        lost = is_lost_process(process);      // a later loss finds the receive
        failed_ = lost;
        active_ = !lost;
    }
    if (lost)
        return receive_.completion.complete();
    PartitionMessage message{};
    message.kind = PartitionMessageKind::Start;
    std::tie(message.context, message.sender, message.receiver, message.tag, message.number) =
        key_of(*receive_.comm, sender_, *receive_.comm->process, tag_, number_);
    message.to = reinterpret_cast<uint64_t>(this);
    message.size_bytes = receive_.total_bytes();
    (void)send_message(process, message);
}

Error PartitionsIn::result() const {
    return failed_ ? lost_process_error(node_process_of(sender_.number)) : success;
}

void PartitionsIn::note_arrived(size_t offset, size_t size_bytes) {
    receive_.add_arrived(offset, size_bytes);
    count_down(size_bytes);
}

void PartitionsIn::end(size_t sent_bytes) {
    sent_bytes_ = sent_bytes;
    count_down(missing_);
}

void PartitionsIn::end_read(bool ok, size_t offset, size_t size_bytes) {
    --reads_;
    if (ok)
        return note_arrived(offset, size_bytes);
    count_down(0);
}

void PartitionsIn::lose_sender() {
    failed_ = true;
    count_down(0);
}

// Counts arrived units. A failed receive ends only when no read may write into its buffer.
void PartitionsIn::count_down(size_t units) {
    missing_ -= units;
    if (missing_ > 0 && (!failed_ || reads_ > 0))
        return;
    failed_ = missing_ > 0;
    {
        LockGuard guard(pairs().lock);
        active_ = false;
    }
    receive_.completion.complete();
}

} // namespace thrum
