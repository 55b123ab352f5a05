// A simulation of the fabric for tests: many node processes inside one process of the operating
// system, on one thread, driven by a seed. The same seed gives the same run.
//
// One event happens at a time, drawn at random. A packet arrives (any that is first in its way:
// packets of different ways overtake each other, those of one way never do). A buffer is full; a
// sender is notified of room. A receiver stalls or continues. A read of memory is done at once,
// later, or cannot be done by the network. A process dies, with its packets partly delivered, and
// the others are notified one after the other.
#pragma once
#include "base/bytes.h"
#include "fabric/endpoint/endpoint.h"

#include <deque>
#include <functional>
#include <random>

namespace thrum::testing {

class SimulatedNetwork {
public:
    struct Options {
        size_t packets_in_a_way_max = 8; // drawn for each way from 1 to this
        size_t piece_bytes_max = 512;
        double stall = 0.02; // probability, per step
        double read_later = 0.4;
        double read_impossible = 0.3;
    };

    SimulatedNetwork(int process_count, unsigned seed, const Options &options) {
        random_.seed(seed);
        options_ = options;
        count_ = process_count;
        for (int process = 0; process < count_; ++process)
            processes_.push_back(std::make_unique<Process>(*this, process));
        for (int from = 0; from < count_; ++from)
            for (int to = 0; to < count_; ++to)
                processes_[size_t(from)]->endpoint.set_transport(NodeProcess(to),
                                                                 *processes_[size_t(from)]);
        ways_.resize(size_t(count_) * size_t(count_) * channel_count);
        for (Way &way : ways_)
            way.room = 1 + draw(options.packets_in_a_way_max);
    }

    Endpoint &endpoint(int process) { return processes_[size_t(process)]->endpoint; }

    bool is_dead(int process) const { return processes_[size_t(process)]->dead; }

    // Called when `process` is notified that `lost` is gone.
    std::function<void(int process, int lost)> on_lost;

    // From now on nothing leaves `process` or enters it; packets in transit from it may arrive.
    void kill(int process) {
        Process &dead = *processes_[size_t(process)];
        dead.dead = true;
        for (int other = 0; other < count_; ++other)
            if (other != process)
                events_.push_back({Event::Lost, other, process, {}});
        for (int other = 0; other < count_; ++other)
            for (int channel = 0; channel < channel_count; ++channel) {
                way(other, process, channel).packets.clear();
                auto &sent = way(process, other, channel).packets; // a part of it is lost
                sent.resize(draw(sent.size() + 1));
            }
    }

    // Lets one event happen. Returns false if nothing is left to happen.
    bool step() {
        if (chance(options_.stall))
            processes_[draw(size_t(count_))]->stalled ^= true;
        std::vector<Way *> ready = ways_with_packets();
        size_t choices = ready.size() + events_.size();
        if (choices == 0)
            return end_stalls();
        size_t choice = draw(choices);
        if (choice < ready.size())
            deliver(*ready[choice]);
        else
            happen(choice - ready.size());
        return true;
    }

    size_t draw(size_t below) {
        return std::uniform_int_distribution<size_t>(0, below - 1)(random_);
    }

    bool chance(double probability) {
        return std::uniform_real_distribution<>(0, 1)(random_) < probability;
    }

    uint64_t steps_with_full_buffers = 0; // refusals

private:
    struct StoredPacket {
        PacketHead head;
        std::vector<uint64_t> header; // aligned as promised
        std::vector<char> payload;
    };

    struct Way {
        std::deque<StoredPacket> packets;
        size_t room = 1;
        bool sender_waits = false;
    };

    struct ReadInFlight {
        const void *from;
        void *into;
        size_t bytes;
        ReadDoneFunction done;
        void *argument;
    };

    struct Event {
        enum { HasRoom, Lost, Read } what;

        int process; // where it happens
        int other;
        ReadInFlight read;
    };

    struct Process final : Transport {
        SimulatedNetwork &network;
        int number;
        Endpoint endpoint;
        bool dead = false;
        bool stalled = false;
        // Actions for take_in().
        std::function<void(PacketSink &)> due;

        Process(SimulatedNetwork &n, int the_number)
            : network(n), number(the_number), endpoint(n.count_, NodeProcess(the_number)) {
            endpoint.set_lost_function([](NodeProcess lost) {
                if (current_->on_lost)
                    current_->on_lost(current_process_, lost.number());
            });
        }

        size_t piece_bytes_max() const override { return network.options_.piece_bytes_max; }

        SendResult try_send(NodeProcess process, Channel channel, const Packet &packet) override {
            return network.send(number, process.number(), channel, packet);
        }

        bool take_in(PacketSink &sink) override {
            if (!due)
                return false;
            auto now = std::move(due);
            due = nullptr;
            now(sink);
            return true;
        }

        ReadResult read(NodeProcess process, const RemoteMemory &from, size_t offset, void *into,
                        size_t bytes, ReadDoneFunction done, void *argument) override {
            const auto *memory = reinterpret_cast<const char *>(from.address + offset);
            if (network.is_dead(process.number()))
                return ReadResult::Lost;
            if (network.chance(network.options_.read_impossible))
                return ReadResult::Impossible;
            if (network.chance(network.options_.read_later)) {
                network.events_.push_back(
                    {Event::Read, number, process.number(), {memory, into, bytes, done, argument}});
                return ReadResult::Started;
            }
            std::memcpy(into, memory, bytes);
            return ReadResult::Done;
        }
    };

    Way &way(int from, int to, int channel) {
        return ways_[(size_t(from) * size_t(count_) + size_t(to)) * channel_count +
                     size_t(channel)];
    }

    int destination(const Way &way) const {
        return static_cast<int>(size_t(&way - ways_.data()) / channel_count % size_t(count_));
    }

    int source(const Way &way) const {
        return static_cast<int>(size_t(&way - ways_.data()) / channel_count / size_t(count_));
    }

    SendResult send(int from, int to, Channel channel, const Packet &packet) {
        if (is_dead(from))
            return SendResult::Sent; // it does not matter any more
        if (is_dead(to))
            return chance(0.5) ? SendResult::Lost : SendResult::Sent; // not known everywhere yet
        Way &w = way(from, to, static_cast<int>(channel));
        if (w.packets.size() >= w.room) {
            w.sender_waits = true;
            ++steps_with_full_buffers;
            return SendResult::NoRoom;
        }
        StoredPacket stored{packet.head, std::vector<uint64_t>(header_bytes_max / 8),
                            std::vector<char>(packet.head.payload_bytes)};
        copy_bytes(stored.header.data(), packet.header, packet.head.header_bytes);
        packet.payload.copy_to(stored.payload.data());
        w.packets.push_back(std::move(stored));
        return SendResult::Sent;
    }

    std::vector<Way *> ways_with_packets() {
        std::vector<Way *> ready;
        for (Way &w : ways_)
            if (const Process &to = *processes_[size_t(destination(w))];
                !w.packets.empty() && !to.stalled && !to.dead)
                ready.push_back(&w);
        return ready;
    }

    bool end_stalls() {
        bool some = false;
        for (auto &process : processes_) {
            some |= process->stalled;
            process->stalled = false;
        }
        return some && !ways_with_packets().empty();
    }

    void deliver(Way &w) {
        StoredPacket packet = std::move(w.packets.front());
        w.packets.pop_front();
        int from = source(w);
        if (w.sender_waits) {
            w.sender_waits = false;
            events_.push_back({Event::HasRoom, from, 0, {}});
        }
        auto channel = static_cast<Channel>(size_t(&w - ways_.data()) % channel_count);
        run(destination(w), [&](PacketSink &sink) {
            sink.arrive(NodeProcess(from), channel, packet.head, packet.header.data(),
                        packet.payload.data());
        });
    }

    void happen(size_t number) {
        Event event = events_[number];
        events_.erase(events_.begin() + static_cast<ptrdiff_t>(number));
        if (is_dead(event.process))
            return;
        switch (event.what) {
        case Event::HasRoom:
            run(event.process, [](PacketSink &sink) { sink.room(); });
            break;
        case Event::Lost:
            run(event.process, [&](PacketSink &sink) { sink.lost(NodeProcess(event.other)); });
            break;
        case Event::Read: {
            const ReadInFlight &read = event.read;
            bool ok = !is_dead(event.other);
            if (ok)
                std::memcpy(read.into, read.from, read.bytes);
            run(event.process, [&](PacketSink &) { read.done(read.argument, ok); });
            break;
        }
        }
    }

    void run(int process, std::function<void(PacketSink &)> what) {
        current_ = this;
        current_process_ = process;
        processes_[size_t(process)]->due = std::move(what);
        processes_[size_t(process)]->endpoint.progress();
    }

    static inline SimulatedNetwork *current_ = nullptr;
    static inline int current_process_ = 0;
    std::mt19937 random_;
    Options options_;
    int count_ = 0;
    std::vector<std::unique_ptr<Process>> processes_;
    std::vector<Way> ways_;
    std::vector<Event> events_;
};

} // namespace thrum::testing
