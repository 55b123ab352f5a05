#include "pt2pt/remote_partitions.h"

#include "base/check.h"
#include "base/settings.h"
#include "comm/process.h"
#include "fabric/fabric.h"
#include "pt2pt/partitioned.h"
#include "pt2pt/transfer.h"
#include "wireup/wireup.h"

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

// Guarded by the lock of all pairs.
struct PartitionedPair {
    PairKey key;
    uint32_t receive_round = 0; // times that each was started
    uint32_t send_round = 0;
    uint64_t receiver = 0; // PartitionsIn, in its process
    size_t room_bytes = 0;
    std::vector<int> waiting;     // partitions that are ready before the receive is started
    PartitionsOut *out = nullptr; // until it is initialised
};

namespace {

struct Pairs {
    SpinLock lock; // guards the map and all in it
    std::map<PairKey, PartitionedPair> by_key;
};

Pairs &pairs() {
    static auto *all = new Pairs; // never destroyed: messages come until the process ends
    return *all;
}

// Made by the side that asks first. The caller holds the lock.
PartitionedPair &find_pair(const PairKey &key) {
    PartitionedPair &pair = pairs().by_key[key];
    pair.key = key;
    return pair;
}

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
    uint64_t to;      // Partition, End: PartitionsIn; Taken: Exposed; Start: whom to answer
    uint64_t exposed; // Partition: whom to tell that the memory has been read; 0: data came along
    uint64_t offset;  // Partition: of the data in the packed message
    uint64_t size_bytes; // Start: of the receive; Partition; End: of the send
    RemoteMemory memory;
};

static_assert(sizeof(PartitionMessage) <= header_bytes_max);

void send_message(int process, const PartitionMessage &message, const void *data = nullptr,
                  size_t data_bytes = 0) MAY_SUSPEND {
    iovec part{const_cast<void *>(data), data_bytes};
    (void)fabric_send(process, Channel::PointToPoint, MessageKind::Partition, &message,
                      sizeof message, &part, data_bytes > 0);
}

void *allocate(size_t size_bytes) {
    void *memory = std::malloc(size_bytes);
    CHECK(memory, "out of memory for %zu bytes of a partition", size_bytes);
    return memory;
}

} // namespace

// The arrive functions' access to both sides.
struct PartitionMessages {
    // A partition that is read from the sender's memory.
    struct Exposed {
        PartitionsOut *out;
        RemoteMemory memory;
        void *packed; // a copy of data with gaps, or nullptr
    };

    // The same in the receiver's process.
    struct Read {
        PartitionsIn *in;
        int source;
        PartitionMessage message;
        void *packed; // for a receive buffer with gaps, or nullptr
    };

    static void started(const PartitionMessage &message) {
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
            out = pair.out; // active as long as there are partitions
        }
        for (int partition : ready)
            out->send(partition);
    }

    static void expose(PartitionsOut &out, PartitionMessage message, const void *data,
                       void *packed) MAY_SUSPEND {
        auto *exposed = new Exposed{&out, fabric_expose(data, message.size_bytes), packed};
        message.exposed = reinterpret_cast<uint64_t>(exposed);
        message.memory = exposed->memory;
        send_message(out.process_, message);
    }

    static void taken(uint64_t of) {
        auto *exposed = reinterpret_cast<Exposed *>(of);
        PartitionsOut &out = *exposed->out;
        fabric_withdraw(exposed->memory);
        std::free(exposed->packed);
        delete exposed;
        out.finish_one();
    }

    static void arrived(const PartitionMessage &message, const Arrival &arrival) {
        auto &in = *reinterpret_cast<PartitionsIn *>(message.to);
        PartitionedReceive &receive = in.receive_;
        if (!message.exposed) {
            unpack_bytes(arrival.payload, message.offset, message.size_bytes, receive.buffer,
                         receive.elements(), *receive.datatype);
            return in.note_arrived(message.offset, message.size_bytes);
        }
        auto *read = new Read{&in, arrival.source, message, nullptr};
        void *into = static_cast<char *>(receive.buffer) + message.offset;
        if (!receive.datatype->contiguous)
            into = read->packed = allocate(message.size_bytes);
        fabric_read(arrival.source, message.memory, 0, into, message.size_bytes, was_read, read);
    }

    static void was_read(void *argument, bool ok) {
        auto *read = static_cast<Read *>(argument);
        const PartitionMessage &message = read->message;
        if (!ok)
            job_abort(1, "a partition of a message from node process " +
                             std::to_string(read->source) + " cannot be read");
        PartitionedReceive &receive = read->in->receive_;
        if (read->packed)
            unpack_bytes(read->packed, message.offset, message.size_bytes, receive.buffer,
                         receive.elements(), *receive.datatype);
        PartitionMessage answer{};
        answer.kind = PartitionMessageKind::Taken;
        answer.to = message.exposed;
        send_message(read->source, answer);
        std::free(read->packed);
        read->in->note_arrived(message.offset, message.size_bytes);
        delete read;
    }

    static void message_arrived(void *, const Arrival &arrival) {
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
}

namespace {

PairKey key_of(const Communicator &comm, const Process &sender, const Process &receiver, int tag,
               uint32_t number) {
    return {comm.context->id, sender.number, receiver.number, tag, number};
}

} // namespace

PartitionsOut::PartitionsOut(PartitionedSend &send, const Process &receiver, int tag,
                             uint32_t number)
    : send_(send), process_(node_process_of(receiver.number)),
      pair_(join_pair(key_of(*send.comm, *send.comm->process, receiver, tag, number), *this)) {}

PartitionsOut::~PartitionsOut() {
    LockGuard guard(pairs().lock);
    const PairKey key = pair_.key;
    pairs().by_key.erase(key);
}

void PartitionsOut::start() {
    LockGuard guard(pairs().lock);
    ++pair_.send_round;
}

void PartitionsOut::ready(int partition) {
    {
        LockGuard guard(pairs().lock);
        if (pair_.receive_round != pair_.send_round) {
            pair_.waiting.push_back(partition);
            return;
        }
    }
    send(partition);
}

size_t PartitionsOut::room_bytes() const {
    LockGuard guard(pairs().lock);
    return pair_.room_bytes;
}

// The receive is started, and does not end before the last partition has been sent.
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
    send_message(process_, message, bytes, message.size_bytes);
    std::free(packed);
    finish_one();
}

void PartitionsOut::finish_one() {
    // acq_rel [partitioned-4]: whoever is not the last touches nothing any more.
    if (send_.missing_.fetch_sub(1, std::memory_order_acq_rel) != 1)
        return;
    PartitionMessage message{};
    message.kind = PartitionMessageKind::End;
    message.size_bytes = send_.total_bytes();
    {
        LockGuard guard(pairs().lock);
        message.to = pair_.receiver;
    }
    send_message(process_, message);
    send_.completion.complete();
}

PartitionsIn::PartitionsIn(PartitionedReceive &receive, const Process &sender, int tag,
                           uint32_t number)
    : receive_(receive), sender_(sender), tag_(tag), number_(number) {}

void PartitionsIn::start() {
    missing_.store(receive_.total_bytes() + 1, std::memory_order_relaxed);
    PartitionMessage message{};
    message.kind = PartitionMessageKind::Start;
    std::tie(message.context, message.sender, message.receiver, message.tag, message.number) =
        key_of(*receive_.comm, sender_, *receive_.comm->process, tag_, number_);
    message.to = reinterpret_cast<uint64_t>(this);
    message.size_bytes = receive_.total_bytes();
    send_message(node_process_of(sender_.number), message);
}

void PartitionsIn::note_arrived(size_t offset, size_t size_bytes) {
    receive_.add_arrived(offset, size_bytes);
    count_down(size_bytes);
}

void PartitionsIn::end(size_t sent_bytes) {
    sent_bytes_ = sent_bytes;
    const size_t total_bytes = receive_.total_bytes();
    count_down(sent_bytes == total_bytes ? 1 : total_bytes + 1);
}

void PartitionsIn::count_down(size_t units) {
    // acq_rel: the last one acquires what all others have copied, and `sent_bytes_`.
    if (missing_.fetch_sub(units, std::memory_order_acq_rel) == units)
        receive_.completion.complete();
}

} // namespace thrum
