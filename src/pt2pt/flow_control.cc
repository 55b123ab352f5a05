#include "pt2pt/flow_control.h"

#include "wireup/wireup.h"

#include <algorithm>
#include <vector>

namespace thrum {

std::atomic<int> full_mailboxes{0};

namespace {

// The latest Stop or Go for a rank elsewhere. Written by arrive functions, which run one at a time;
// senders read is_stopped.
struct Permission {
    std::atomic<bool> is_stopped{false};
    uint32_t number = 0; // of the latest Stop or Go
};

// Numbers a Stop or a Go. They are sent without a lock, so a Go may arrive before the Stop that it
// revokes: the larger number counts. The mailbox is locked, so the numbers of one mailbox have the
// order of its states.
uint32_t new_permission_number() {
    static std::atomic<uint32_t> last{0};
    return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

// Returns the permissions of all ranks, by world rank.
Permission *permissions() {
    static auto *all = new Permission[static_cast<size_t>(added_rank_end())]();
    return all;
}

// Returns the processes that this rank's mailbox has told to stop. Guarded by the mailbox's lock.
std::vector<NodeProcess> &stopped_by(const Mailbox &mailbox) {
    static auto *lists = new std::vector<NodeProcess>[static_cast<size_t>(added_rank_end())];
    return lists[process_of(const_cast<Mailbox &>(mailbox)).number];
}

} // namespace

bool is_stopped(const Process &receiver) {
    return permissions()[receiver.number].is_stopped.load(std::memory_order_relaxed);
}

void permission_arrived(const ControlHeader &header) {
    Permission &permission = permissions()[header.dest];
    if (header.serial <= permission.number)
        return;
    permission.number = header.serial;
    permission.is_stopped.store(header.what == Control::Stop, std::memory_order_relaxed);
}

uint32_t note_stopped(Mailbox &mailbox, NodeProcess source) {
    std::vector<NodeProcess> &stopped = stopped_by(mailbox);
    if (std::find(stopped.begin(), stopped.end(), source) != stopped.end())
        return 0;
    if (stopped.empty())
        full_mailboxes.fetch_add(1, std::memory_order_relaxed);
    stopped.push_back(source);
    return new_permission_number();
}

void admit_processes(Mailbox &mailbox) {
    std::vector<NodeProcess> stopped;
    mailbox.lock.lock();
    // Not before it is half empty: a mailbox at its limit would send Stop and Go for each message.
    if (mailbox.buffered_bytes <= mailbox.buffered_bytes_max / 2)
        stopped.swap(stopped_by(mailbox));
    const uint32_t go = new_permission_number();
    mailbox.lock.unlock();
    if (stopped.empty())
        return;
    full_mailboxes.fetch_sub(1, std::memory_order_relaxed);
    for (NodeProcess process : stopped)
        send_control(process, {Control::Go, go, 0, process_of(mailbox).number});
}

} // namespace thrum
