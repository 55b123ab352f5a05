// Which PEs elsewhere have told this process to stop, and the ranks that wait for them. All waiting
// ranks are woken by each Go: Stops are rare, so a list for each PE is not worth it.
#include "acl/flow_control.h"

#include "acl/element_packet.h"
#include "base/spinlock.h"
#include "rank/rank.h"

#include <cstdio>
#include <utility>

namespace thrum {
namespace {

// The PEs elsewhere that have told this process to stop.
struct Stops {
    struct Said {
        bool stop = false;
        int change = 0; // number of the last Stop or Go
    };

    SpinLock lock;        // guards everything here
    std::vector<Said> of; // by number in the job of the PE that has too much
    TaskList waiting;     // ranks of this process, whichever PE they wait for
};

Stops &stops() {
    static auto *stops = new Stops; // never destroyed: messages come until the process ends
    return *stops;
}

int describe_stop(const Blockage &blockage, char *text, size_t size_bytes) {
    std::snprintf(text, size_bytes, " to rank %d, which has too many unreceived messages",
                  blockage.peer);
    return blockage.peer;
}

} // namespace

void tell_to_stop(NodeProcess process, int number, int change) {
    send_element_packet(process, {ElementPacket::Stop, number, 0, change, 0, {}});
}

void let_processes_go(int number, int change, const std::vector<NodeProcess> &processes) {
    for (NodeProcess process : processes)
        send_element_packet(process, {ElementPacket::Go, number, 0, change, 0, {}});
}

// The larger number counts: the last Stop or Go that was decided, not the last that arrived.
void set_stopped(int number, bool stopped, int change) {
    Stops &all = stops();
    TaskList freed;
    all.lock.lock();
    const auto place = static_cast<size_t>(number);
    if (all.of.size() <= place)
        all.of.resize(place + 1);
    if (change > all.of[place].change)
        all.of[place] = {stopped, change};
    if (!stopped)
        freed = std::exchange(all.waiting, {});
    all.lock.unlock();
    make_all_runnable(freed);
}

void wait_while_stopped(int number) {
    Stops &all = stops();
    const auto place = static_cast<size_t>(number);
    all.lock.lock();
    while (place < all.of.size() && all.of[place].stop) {
        Task &task = current_task();
        prepare_to_suspend(task);
        all.waiting.push(task);
        all.lock.unlock();
        Blockage blockage;
        blockage.kind = Blockage::Kind::Described;
        blockage.describe = describe_stop;
        blockage.peer = number;
        Waiting waiting(blockage);
        suspend();
        all.lock.lock();
    }
    all.lock.unlock();
}

} // namespace thrum
