// Packets, reads and completions over libfabric (libfabric.h). A packet is copied into a registered
// buffer and numbered; what completes out of order waits until its turn.
#include "fabric/network/libfabric.h"

#include "base/bytes.h"
#include "base/check.h"
#include "base/clock.h"
#include "base/detached_thread.h"
#include "fabric/network/providers.h"

#include <rdma/fi_cm.h>
#include <rdma/fi_errno.h>
#include <rdma/fi_rma.h>

#include <cstdlib>
#include <cstring>
#include <utility>

namespace thrum {
namespace {

constinit thread_local bool a_helper_looks = false;

// The delay before a refused packet is tried again.
constexpr int64_t soon_ns = 1'000'000;
// The delay before a process is asked again: much longer than making a connection takes.
constexpr int64_t ask_again_ns = 50'000'000;

// noinline: see task.h, current_task().
[[gnu::noinline]] void set_a_helper_looks(bool value) {
    a_helper_looks = value;
}

} // namespace

std::string Libfabric::failed(const char *what, int error) const {
    return std::string("libfabric: ") + what + ": " +
           library_->strerror(error < 0 ? -error : error) + " (provider " +
           info_->fabric_attr->prov_name + "); choose another one with THRUM_FABRIC: there are " +
           names_of_providers(*library_);
}

// Opens the provider, its domain, the completion queue and an endpoint for each channel.
bool Libfabric::create(const char *name, std::string &why) {
    library_ = load_libfabric(why);
    if (!library_)
        return false;
    int error = 0;
    info_ = find_providers(*library_, name, error);
    if (!info_) {
        std::string others = names_of_providers(*library_);
        const char *allowed = std::getenv("FI_PROVIDER");
        const std::string none = allowed ? std::string("is none (FI_PROVIDER=") + allowed +
                                               " tells libfabric which it may use)"
                                         : "is none";
        why = "THRUM_FABRIC: libfabric has no provider " +
              (*name ? std::string(name) + " that can reach other nodes" : "for other nodes") +
              " on this machine (" + library_->strerror(-error) + "); there " +
              (others.empty() ? none : "are " + others);
        return false;
    }
    if ((error = library_->fabric(info_->fabric_attr, &fabric_, nullptr)) ||
        (error = fi_domain(fabric_, info_, &domain_, nullptr))) {
        why = failed("opening the domain", error);
        return false;
    }
    if (is_over_tcp(*info_)) {
        packet_bytes_ = packet_bytes_of_tcp;
        reads_in_pieces_ = true;
    }
    if (!open_completions(why))
        return false;
    for (int channel = 0; channel < channel_count; ++channel)
        if (!open_end(ends_[channel], static_cast<Channel>(channel), why))
            return false;
    wait_fd_ = wait_descriptor_of(*info_, *completions_);
    if (wait_fd_ >= 0)
        helper_.watch(wait_fd_, &on_completions, this, 0, false);
    return true;
}

// Asks for a descriptor to wait on, and does without if the provider has none: then the queue is
// checked from time to time.
bool Libfabric::open_completions(std::string &why) {
    fi_cq_attr attributes{};
    attributes.format = FI_CQ_FORMAT_MSG;
    attributes.size = 4 * channel_count * packets_per_end;
    attributes.wait_obj = FI_WAIT_FD;
    int error = fi_cq_open(domain_, &attributes, &completions_, nullptr);
    if (error == -FI_ENOSYS || error == -FI_EINVAL || error == -FI_EOPNOTSUPP) {
        attributes.wait_obj = FI_WAIT_NONE;
        error = fi_cq_open(domain_, &attributes, &completions_, nullptr);
    }
    if (error)
        why = failed("opening a completion queue", error);
    return !error;
}

// Opens the endpoint of one channel. The provider ofi_rxm reads its packet limit from the
// environment at that moment.
int Libfabric::open_endpoint(End &end) {
    auto open = [&] {
        return fi_endpoint(domain_, info_, &end.endpoint, nullptr);
    };
    if (packet_bytes_ == packet_bytes_usual)
        return open();
    const TemporaryVariable limit("FI_OFI_RXM_EAGER_LIMIT", std::to_string(packet_bytes_).c_str());
    return open();
}

// Opens the endpoint and posts all receives. Buffers are registered once, if the provider requires
// that.
bool Libfabric::open_end(End &end, Channel channel, std::string &why) {
    fi_av_attr addresses{};
    addresses.type = FI_AV_TABLE;
    addresses.count = 64; // it grows as needed
    int error;
    if ((error = fi_av_open(domain_, &addresses, &end.addresses, nullptr)) ||
        (error = open_endpoint(end)) ||
        (error = fi_ep_bind(end.endpoint, &end.addresses->fid, 0)) ||
        (error = fi_ep_bind(end.endpoint, &completions_->fid, FI_TRANSMIT | FI_RECV)) ||
        (error = fi_enable(end.endpoint))) {
        why = failed("opening an endpoint", error);
        return false;
    }
    const size_t bytes = 2 * packets_per_end * packet_bytes_;
    end.memory.reset(new char[bytes]);
    if (info_->domain_attr->mr_mode & FI_MR_LOCAL &&
        !register_memory(end.memory.get(), bytes, FI_SEND | FI_RECV, &end.region)) {
        why = failed("registering memory", FI_ENOMEM);
        return false;
    }
    end.operations.reset(new Operation[2 * packets_per_end]);
    for (int i = 0; i < 2 * packets_per_end; ++i) {
        Operation &operation = end.operations[static_cast<size_t>(i)];
        operation.buffer = end.memory.get() + static_cast<size_t>(i) * packet_bytes_;
        operation.channel = channel;
        operation.what = i % 2 ? Operation::What::Send : Operation::What::Receive;
        if (operation.what == Operation::What::Send)
            end.idle_sends.push_back(&operation);
        else if ((error = post_receive(end, operation))) {
            why = failed("posting a receive", error);
            return false;
        }
    }
    return true;
}

// Registers memory with the provider. Returns false if that fails.
bool Libfabric::register_memory(void *memory, size_t bytes, uint64_t access, fid_mr **region) {
    bool endpoint_wants_it = info_->domain_attr->mr_mode & FI_MR_ENDPOINT;
    if (fi_mr_reg(domain_, memory, bytes, access, 0, ++last_key_, 0, region, nullptr))
        return false;
    if (!endpoint_wants_it)
        return true;
    End &end = ends_[static_cast<int>(Channel::PointToPoint)];
    return !fi_mr_bind(*region, &end.endpoint->fid, 0) && !fi_mr_enable(*region);
}

int Libfabric::post_receive(End &end, Operation &operation) {
    return static_cast<int>(fi_recv(end.endpoint, operation.buffer, packet_bytes_,
                                    end.region ? fi_mr_desc(end.region) : nullptr, FI_ADDR_UNSPEC,
                                    &operation.context));
}

// Returns the names of both endpoints, which have the same length, one after the other.
std::string Libfabric::address() {
    std::string names;
    for (End &end : ends_) {
        char name[512];
        size_t bytes = sizeof name;
        if (fi_getname(&end.endpoint->fid, name, &bytes) == 0)
            names.append(name, bytes);
    }
    return names;
}

// Returns whether the address of a process is known; makes room for it in the tables.
bool Libfabric::knows_address(End &end, NodeProcess process) {
    auto number = process.index();
    if (number >= end.of_process.size()) {
        end.of_process.resize(number + 1, FI_ADDR_UNSPEC);
        end.sent_to.resize(number + 1, 0);
        end.contacts.resize(number + 1);
    }
    return end.of_process[number] != FI_ADDR_UNSPEC;
}

// The address consists of one part for each channel, all of the same length.
bool Libfabric::set_address(NodeProcess process, const std::string &address, std::string &why) {
    SleepingLock::Guard guard(lock_);
    size_t bytes = address.size() / channel_count;
    for (int channel = 0; channel < channel_count; ++channel) {
        End &end = ends_[channel];
        const char *name = address.data() + static_cast<size_t>(channel) * bytes;
        knows_address(end, process);
        if (bytes == 0 || fi_av_insert(end.addresses, name, 1, &end.of_process[process.index()], 0,
                                       nullptr) != 1) {
            why =
                failed(("resolving the address of node process " + std::to_string(process.number()))
                           .c_str(),
                       FI_EADDRNOTAVAIL);
            return false;
        }
    }
    return true;
}

bool Libfabric::has_sent_all() {
    SleepingLock::Guard guard(lock_);
    for (const End &end : ends_)
        if (end.idle_sends.size() < packets_per_end)
            return false;
    return true;
}

// Closes in the reverse order of opening: libfabric refuses to close an object that is in use.
void Libfabric::close() {
    SleepingLock::Guard guard(lock_);
    closed_ = true;
    for (auto &[key, region] : exposed_)
        fi_close(&region->fid);
    exposed_.clear();
    for (End &end : ends_) {
        fi_close(&end.endpoint->fid);
        if (end.region)
            fi_close(&end.region->fid);
        fi_close(&end.addresses->fid);
    }
    fi_close(&completions_->fid);
    fi_close(&domain_->fid);
    fi_close(&fabric_->fid);
}

std::string Libfabric::description() const {
    return describe_network(*info_) + (info_->caps & FI_RMA
                                           ? "; large messages: memory is read by the network"
                                           : "; large messages: memory is sent on demand");
}

// Copies the packet into a buffer of the endpoint, because the provider may send it after the
// return.
SendResult Libfabric::try_send(NodeProcess process, Channel channel, const Packet &packet) {
    End &end = ends_[static_cast<int>(channel)];
    SleepingLock::Guard guard(lock_);
    if (closed_)
        return SendResult::Lost;
    if (!knows_address(end, process)) [[unlikely]]
        return find_address(process);
    if (!has_contact(end, process)) [[unlikely]]
        return refuse();
    if (end.idle_sends.empty()) {
        refused_.store(true, std::memory_order_relaxed);
        return SendResult::NoRoom;
    }
    Operation &operation = *end.idle_sends.back();
    WireHead head{this_process_, end.sent_to[process.index()], packet.head};
    char *header = operation.buffer + sizeof head;
    std::memcpy(operation.buffer, &head, sizeof head);
    copy_bytes(header, packet.header, packet.head.header_bytes);
    char *payload = header + align_up(packet.head.header_bytes, 8);
    packet.payload.copy_to(payload);
    auto bytes = static_cast<size_t>(payload - operation.buffer) + packet.head.payload_bytes;
    operation.process = process;
    operation.bytes = bytes;
    operation.failures = 0;
    const ssize_t error = post_send(operation);
    if (error == 0) {
        end.idle_sends.pop_back();
        ++end.sent_to[process.index()];
        return SendResult::Sent;
    }
    if (error != -FI_EAGAIN) {
        unreachable_.push_back(process);
        return SendResult::Lost;
    }
    return refuse();
}

// Refuses a packet for now. Nothing may report room, so a thread that sleeps must check.
SendResult Libfabric::refuse() {
    refused_.store(true, std::memory_order_relaxed);
    if (helper_does_.load(std::memory_order_relaxed) == Helper::Rests)
        helper_.nudge();
    return SendResult::NoRoom;
}

// Returns whether the process, whose address is known, has answered; asks it otherwise. The caller
// holds lock_.
bool Libfabric::has_contact(End &end, NodeProcess process) {
    Contact &contact = end.contacts[process.index()];
    if (contact.made)
        return true;
    const int64_t now = now_ns();
    if ((contact.asked_ns == 0 || now - contact.asked_ns > ask_again_ns) &&
        send_contact(end, process, ContactStep::Question))
        contact.asked_ns = now;
    return false;
}

// Returns false if there is no room for the packet, which need not arrive. The caller holds lock_.
bool Libfabric::send_contact(End &end, NodeProcess process, ContactStep step) {
    if (end.idle_sends.empty())
        return false;
    Operation &operation = *end.idle_sends.back();
    const WireHead head{
        this_process_, static_cast<uint32_t>(step), {MessageKind::Contact, true, true, 0, 0}};
    std::memcpy(operation.buffer, &head, sizeof head);
    operation.process = process;
    operation.bytes = sizeof head;
    operation.failures = 0;
    const ssize_t error = post_send(operation);
    if (error == 0)
        end.idle_sends.pop_back();
    else if (error != -FI_EAGAIN)
        unreachable_.push_back(process);
    return error == 0;
}

// Handles a Contact packet. An answer that cannot be sent is left out: the process asks again.
void Libfabric::take_contact(End &end, NodeProcess process, ContactStep step) {
    SleepingLock::Guard guard(lock_);
    if (closed_)
        return;
    if (!knows_address(end, process)) {
        (void)find_address(process);
    } else if (step == ContactStep::Question) {
        (void)send_contact(end, process, ContactStep::Answer);
    } else {
        end.contacts[process.index()].made = true;
        contact_is_made_ = true;
    }
}

// Posts an operation. The caller holds lock_.
ssize_t Libfabric::post_send(Operation &operation) {
    End &end = ends_[static_cast<int>(operation.channel)];
    return fi_send(end.endpoint, operation.buffer, operation.bytes,
                   end.region ? fi_mr_desc(end.region) : nullptr,
                   end.of_process[operation.process.index()], &operation.context);
}

// Repeats a failed packet, of which nothing has arrived. Returns false if it cannot be sent.
bool Libfabric::send_again(Operation &operation) {
    constexpr int failures_max = 8;
    SleepingLock::Guard guard(lock_);
    if (closed_ || operation.failures > failures_max)
        return false;
    const ssize_t error = post_send(operation);
    if (error == -FI_EAGAIN) {
        unsent_.push_back(&operation);
        refused_.store(true, std::memory_order_relaxed);
    }
    return error == 0 || error == -FI_EAGAIN;
}

// The search for one process's address, on a thread of its own.
struct AddressSearch {
    Libfabric &network;
    NodeProcess process;
};

// Looks for an address, while packets wait. The caller holds lock_.
SendResult Libfabric::find_address(NodeProcess process) {
    auto [search, is_new] = searches_.try_emplace(process, Search::UnderWay);
    if (search->second == Search::Failed || !find_address_)
        return SendResult::Lost;
    if (!is_new)
        return SendResult::NoRoom;
    auto *found = new AddressSearch{*this, process};
    if (start_detached_thread(look_for_address, found) != 0) {
        search->second = Search::Failed;
        delete found;
    }
    return search->second == Search::Failed ? SendResult::Lost : SendResult::NoRoom;
}

// Runs on a thread of its own, since finding an address waits for another process.
void *Libfabric::look_for_address(void *argument) {
    const std::unique_ptr<AddressSearch> search(static_cast<AddressSearch *>(argument));
    Libfabric &self = search->network;
    const std::string address = self.find_address_(search->process);
    std::string why;
    const bool found = self.set_address(search->process, address, why);
    {
        SleepingLock::Guard guard(self.lock_);
        if (!found)
            self.searches_[search->process] = Search::Failed;
    }
    self.refused_.store(true, std::memory_order_relaxed); // another try is worthwhile
    self.helper_.nudge();
    return nullptr;
}

// Collects under the lock and passes on without it: arrive functions may send, which takes the lock
// again.
bool Libfabric::take_in(PacketSink &sink) {
    if (!a_helper_looks)
        looks_.store(looks_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    passing_on_.clear();
    bool was_refused;
    std::vector<Operation *> unsent;
    std::vector<Reading *> waiting;
    std::vector<NodeProcess> unreachable;
    {
        SleepingLock::Guard guard(lock_);
        if (closed_)
            return false;
        collect();
        passing_on_.swap(completed_);
        was_refused = refused_.exchange(false, std::memory_order_relaxed);
        unsent.swap(unsent_);
        waiting.swap(waiting_);
        unreachable.swap(unreachable_);
    }
    for (const Completed &one : passing_on_)
        pass_on(one, sink);
    for (Operation *operation : unsent)
        repeat_send(*operation, sink);
    for (Reading *reading : waiting)
        go_on_with(*reading, 0, sink.is_lost(reading->process));
    for (NodeProcess process : unreachable)
        sink.lost(process);
    if (was_refused || std::exchange(contact_is_made_, false))
        sink.room();
    return !passing_on_.empty() || !unreachable.empty();
}

// Collects completions. The caller holds lock_.
void Libfabric::collect() {
    constexpr int entries_max = 16;
    fi_cq_msg_entry entries[entries_max];
    ssize_t n = fi_cq_read(completions_, entries, entries_max);
    for (ssize_t i = 0; i < n; ++i)
        completed_.push_back(
            {static_cast<Operation *>(entries[i].op_context), entries[i].len, false});
    if (n != -FI_EAVAIL)
        return;
    fi_cq_err_entry error{};
    if (fi_cq_readerr(completions_, &error, 0) == 1 && error.op_context)
        completed_.push_back({static_cast<Operation *>(error.op_context), 0, true});
}

// Handles one completed operation. A failed receive is posted again; a failed send is repeated; a
// failed read ends its reading.
void Libfabric::pass_on(const Completed &one, PacketSink &sink) {
    Operation &operation = *one.operation;
    End &end = ends_[static_cast<int>(operation.channel)];
    NodeProcess process = operation.process;
    switch (operation.what) {
    case Operation::What::Receive:
        if (!one.failed)
            pass_on_in_order(end, operation, sink);
        else
            receive_again(end, operation);
        return;
    case Operation::What::Send:
        if (one.failed) {
            ++operation.failures;
            repeat_send(operation, sink);
        } else {
            give_back(operation);
        }
        return;
    case Operation::What::Read:
        go_on_with(*operation.reading, 1, one.failed);
        delete &operation;
        break;
    }
    if (one.failed)
        sink.lost(process);
}

// Makes the buffer of a packet available again.
void Libfabric::give_back(Operation &operation) {
    SleepingLock::Guard guard(lock_);
    ends_[static_cast<int>(operation.channel)].idle_sends.push_back(&operation);
}

// Sends a packet again; if that is impossible, the process is lost.
void Libfabric::repeat_send(Operation &operation, PacketSink &sink) {
    const NodeProcess process = operation.process;
    if (!sink.is_lost(process) && send_again(operation))
        return;
    give_back(operation);
    sink.lost(process);
}

// Passes packets on in order. Providers match messages in order, but may complete a large one after
// a small later one.
void Libfabric::pass_on_in_order(End &end, Operation &arrived, PacketSink &sink) {
    WireHead head;
    std::memcpy(&head, arrived.buffer, sizeof head);
    CHECK(head.source.index() < static_cast<size_t>(process_max_), "source %d",
          head.source.number());
    if (head.head.kind == MessageKind::Contact) {
        take_contact(end, head.source, static_cast<ContactStep>(head.number));
        return receive_again(end, arrived);
    }
    const size_t source = head.source.index();
    if (source >= end.taken_from.size())
        end.taken_from.resize(source + 1, 0);
    auto early = [&](uint32_t number) {
        return uint64_t{source} << 32 | number;
    };
    const auto ahead = static_cast<int32_t>(head.number - end.taken_from[source]);
    if (ahead < 0) { // it had arrived, although its send reported a failure
        receive_again(end, arrived);
        return;
    }
    if (ahead > 0) {
        end.early[early(head.number)] = &arrived;
        return;
    }
    for (Operation *operation = &arrived; operation;) {
        std::memcpy(&head, operation->buffer, sizeof head);
        const char *header = operation->buffer + sizeof head;
        sink.arrive(head.source, operation->channel, head.head, header,
                    header + align_up(head.head.header_bytes, 8));
        receive_again(end, *operation);
        auto next = end.early.find(early(++end.taken_from[source]));
        operation = nullptr;
        if (next != end.early.end()) {
            operation = next->second;
            end.early.erase(next);
        }
    }
}

void Libfabric::receive_again(End &end, Operation &operation) {
    SleepingLock::Guard guard(lock_);
    if (!closed_)
        post_receive(end, operation);
}

// Reads directly only where the provider can and there is room; otherwise the endpoint asks the
// owner for the data.
ReadResult Libfabric::read(NodeProcess process, const RemoteMemory &from, size_t offset, void *into,
                           size_t bytes, ReadDoneFunction done, void *argument) {
    if (reader_)
        return reader_->read(process, from, offset, into, bytes, done, argument);
    SleepingLock::Guard guard(lock_);
    // An address that is not known yet is found by the message that asks for the memory.
    End &end = ends_[static_cast<int>(Channel::PointToPoint)];
    if (closed_ || !(info_->caps & FI_RMA) || !from.key || !knows_address(end, process) ||
        !has_contact(end, process))
        return ReadResult::Impossible;
    auto reading =
        std::make_unique<Reading>(Reading{process, from, offset, bytes, static_cast<char *>(into),
                                          done, argument, read_piece_bytes(bytes)});
    if (info_->domain_attr->mr_mode & FI_MR_LOCAL &&
        !register_memory(into, bytes, FI_READ, &reading->into_region))
        return ReadResult::Impossible;
    if (read_on(*reading)) {
        reading.release();
        reads_.fetch_add(1, std::memory_order_relaxed);
        return ReadResult::Started;
    }
    if (reading->into_region)
        fi_close(&reading->into_region->fid);
    return ReadResult::Impossible; // no room: use messages
}

// Returns the limit for a piece of a reading of `bytes` bytes.
size_t Libfabric::read_piece_bytes(size_t bytes) const {
    const size_t most = info_->ep_attr->max_msg_size;
    if (!reads_in_pieces_)
        return most;
    const bool at_once = bytes <= read_pieces_max * read_piece_bytes_of_tcp_at_once;
    return std::min(most, at_once ? read_piece_bytes_of_tcp_at_once : read_piece_bytes_of_tcp);
}

// Continues a reading. Returns false if no piece is in progress. The caller holds lock_.
bool Libfabric::read_on(Reading &r) {
    End &end = ends_[static_cast<int>(Channel::PointToPoint)];
    const uint64_t base = info_->domain_attr->mr_mode & FI_MR_VIRT_ADDR ? r.from.address : 0;
    while (r.bytes > 0 && r.pieces_under_way < read_pieces_max) {
        const size_t piece = std::min(r.bytes, r.piece_bytes);
        auto operation = std::make_unique<Operation>();
        operation->what = Operation::What::Read;
        operation->channel = Channel::PointToPoint;
        operation->process = r.process;
        operation->reading = &r;
        if (fi_read(end.endpoint, r.into, piece,
                    r.into_region ? fi_mr_desc(r.into_region) : nullptr,
                    end.of_process[r.process.index()], base + r.offset, r.from.key - 1,
                    &operation->context) != 0)
            break;
        operation.release();
        ++r.pieces_under_way;
        r.into += piece;
        r.offset += piece;
        r.bytes -= piece;
    }
    return r.pieces_under_way > 0;
}

// Continues after some pieces have been read, or when it waited for room.
void Libfabric::go_on_with(Reading &reading, int pieces_read, bool failed) {
    {
        SleepingLock::Guard guard(lock_);
        reading.pieces_under_way -= pieces_read;
        reading.failed |= failed || closed_;
        if (reading.failed)
            reading.bytes = 0;
        if (read_on(reading))
            return;
        if (reading.bytes > 0) {
            waiting_.push_back(&reading);
            refused_.store(true, std::memory_order_relaxed);
            return;
        }
    }
    const std::unique_ptr<Reading> done(&reading);
    if (done->into_region)
        fi_close(&done->into_region->fid);
    done->done(done->argument, !done->failed);
    reads_.fetch_sub(1, std::memory_order_relaxed);
}

// The published key is the provider's plus one, so that 0 can mean none.
void Libfabric::expose(RemoteMemory &memory) {
    SleepingLock::Guard guard(lock_);
    fid_mr *region = nullptr;
    if (reader_ || closed_ || !(info_->caps & FI_RMA) || memory.bytes == 0 ||
        !register_memory(reinterpret_cast<void *>(memory.address), memory.bytes, FI_REMOTE_READ,
                         &region))
        return;
    memory.key = fi_mr_key(region) + 1;
    exposed_[memory.key] = region;
}

void Libfabric::withdraw(const RemoteMemory &memory) {
    SleepingLock::Guard guard(lock_);
    auto at = exposed_.find(memory.key);
    if (at == exposed_.end())
        return;
    fi_close(&at->second->fid);
    exposed_.erase(at);
}

void Libfabric::on_completions(void *self, int) {
    auto &that = *static_cast<Libfabric *>(self);
    {
        // Only the provider's work needs the lock. The receivers then run outside it, in parallel.
        SleepingLock::Guard guard(that.lock_);
        if (!that.closed_)
            that.collect();
    }
    set_a_helper_looks(true);
    that.sink_.ask_to_take_in();
    set_a_helper_looks(false);
}

bool Libfabric::let_listener_watch(Doorbell &doorbell) {
    if (wait_fd_ < 0)
        return false;
    doorbell.watch(wait_fd_);
    listener_watches_ = true;
    return true;
}

// Returns whether a completion is waiting; a later one makes wait_fd_ readable. The caller holds
// lock_.
bool Libfabric::something_waits() {
    collect(); // not all providers make progress by themselves
    fid *queue = &completions_->fid;
    return !completed_.empty() || (wait_fd_ >= 0 && fi_trywait(fabric_, &queue, 1) != 0);
}

// Announces the listener before the last check for completions, so that the helper thread cannot
// rest while a completion is waiting.
bool Libfabric::before_listener_sleeps(int64_t &timeout_ns) {
    // seq_cst [helper-watches-1]: either we see that the helper does not watch, or it sees that
    // a thread listens.
    somebody_listens_.store(true, std::memory_order_seq_cst);
    if (!listener_watches_) {
        if (helper_does_.load(std::memory_order_seq_cst) != Helper::Watches) // [helper-watches-1]
            helper_.nudge();
        return true;
    }
    if (refused_.load(std::memory_order_relaxed) && (timeout_ns < 0 || timeout_ns > soon_ns))
        timeout_ns = soon_ns;
    SleepingLock::Guard guard(lock_);
    return closed_ || !something_waits();
}

void Libfabric::listener_is_back() {
    // seq_cst [helper-rests-1]: either we see that the helper rests, or it sees that no thread
    // listens.
    somebody_listens_.store(false, std::memory_order_seq_cst);
    if (listener_watches_ &&
        helper_does_.load(std::memory_order_seq_cst) == Helper::Rests) // [helper-rests-1]
        helper_.nudge();
}

// Returns whether the helper may leave checking to others from now on.
bool Libfabric::helper_may_look_away() {
    const uint32_t looks = looks_.load(std::memory_order_relaxed);
    const bool others_look = looks != looks_seen_;
    looks_seen_ = looks;
    if (listener_watches_) {
        if (!others_look && somebody_listens_.load(std::memory_order_relaxed) &&
            !refused_.load(std::memory_order_relaxed)) {
            helper_does_.store(Helper::Rests, std::memory_order_seq_cst); // [helper-rests-1]
            if (somebody_listens_.load(std::memory_order_seq_cst))        // [helper-rests-1]
                return true;
        }
        helper_does_.store(others_look ? Helper::LooksUp : Helper::Watches,
                           std::memory_order_relaxed);
        return others_look;
    }
    helper_does_.store(others_look ? Helper::LooksUp : Helper::Watches,
                       std::memory_order_seq_cst);                          // [helper-watches-1]
    if (others_look && somebody_listens_.load(std::memory_order_seq_cst)) { // [helper-watches-1]
        helper_does_.store(Helper::Watches, std::memory_order_relaxed);
        return false;
    }
    return others_look;
}

// Decides whether the helper thread watches the descriptors itself, checks from time to time, or
// leaves that to others.
int Libfabric::before_helper_sleeps() {
    constexpr int soon_ms = soon_ns / 1'000'000, later_ms = 5;
    const bool others_look = helper_may_look_away();
    if (descriptors_watched_ == others_look) {
        helper_.set_watched(wait_fd_, !others_look);
        descriptors_watched_ = !others_look;
    }
    if (others_look)
        return helper_does_.load(std::memory_order_relaxed) == Helper::Rests ? -1 : later_ms;
    bool idle;
    // Checks now and then, because nothing reports it.
    const bool must_look = wait_fd_ < 0 || refused_.load(std::memory_order_relaxed);
    {
        SleepingLock::Guard guard(lock_);
        if (closed_)
            return -1;
        idle = !something_waits();
    }
    if (!idle || must_look)
        on_completions(this, 0);
    if (!idle)
        return 0;
    return must_look ? soon_ms : -1;
}

} // namespace thrum
