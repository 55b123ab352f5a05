// The lists of tasks that wait for departures. A question is a number: its answer may come when the
// rank that asked has stopped waiting, and is then ignored.
#include "pt2pt/departure.h"

#include "comm/group.h"
#include "comm/span.h"
#include "pt2pt/blocked.h"
#include "pt2pt/cancel.h"
#include "pt2pt/control_message.h"
#include "pt2pt/lost.h"
#include "pt2pt/wait.h"
#include "wireup/wireup.h"

#include <algorithm>
#include <vector>

namespace thrum {
namespace {

// A rank here that waits for a departure.
struct Waiter {
    uint64_t question; // number of this wait
    const Process *sender;
    SendingModel model;
    Request *departure; // completed at the departure; on the rank's stack
};

// A process that waits for the departure of a rank here.
struct Asker {
    NodeProcess process;
    const Process *sender;
    SendingModel model;
    uint64_t question;
};

// All waits in this process, for ranks of this process and others.
struct Departures {
    SpinLock lock; // guards what follows, and Process::has_departed
    uint64_t last_question = 0;
    std::vector<Waiter> waiters;
    std::vector<Asker> askers;
};

Departures &departures() {
    static auto *all = new Departures; // never destroyed: questions come until the process ends
    return *all;
}

// Asks the process of `sender`; the answer goes to departure_is_told().
void ask_for_departure(const Process &sender, SendingModel model, uint64_t question) MAY_SUSPEND {
    send_control(process_number(sender),
                 {Control::AskDeparture, static_cast<uint32_t>(model), question, sender.number});
}

void tell_departure(NodeProcess process, uint64_t question) MAY_SUSPEND {
    send_control(process, {Control::Departed, 0, question, 0});
}

// Removes from the list, and returns, the entries for which `is_wanted` holds.
template <class T, class Predicate>
std::vector<T> take(std::vector<T> &list, Predicate is_wanted) {
    auto end = std::stable_partition(list.begin(), list.end(),
                                     [&](const T &entry) { return !is_wanted(entry); });
    std::vector<T> taken(end, list.end());
    list.erase(end, list.end());
    return taken;
}

// Wakes the waiters without the lock, as that may make tasks runnable.
void complete(const std::vector<Waiter> &waiters) {
    for (const Waiter &waiter : waiters)
        waiter.departure->completion.complete();
}

// A lost process can send nothing more: its ranks count as departed.
void process_is_lost(NodeProcess process) {
    Departures &d = departures();
    std::vector<Waiter> waiters;
    {
        LockGuard guard(d.lock);
        waiters = take(d.waiters, [=](const Waiter &waiter) {
            return is_remote(*waiter.sender) && node_process_of(waiter.sender->number) == process;
        });
    }
    complete(waiters);
}

// Returns whether the rank is known to have departed. Otherwise `departure` will be completed;
// `question` is the number of this wait.
bool has_departed(const Process &sender, SendingModel model, Request &departure,
                  uint64_t &question) MAY_SUSPEND {
    Departures &d = departures();
    const bool remote = is_remote(sender);
    {
        LockGuard guard(d.lock);
        if (!remote && (model == SendingModel::Disconnected ||
                        sender.has_departed[static_cast<size_t>(model)]))
            return true;
        question = ++d.last_question;
        d.waiters.push_back({question, &sender, model, &departure});
    }
    if (!remote)
        return false;
    when_process_is_lost(process_is_lost);
    const NodeProcess process = node_process_of(sender.number);
    if (is_lost_process(process)) // a later loss finds the waiter in the list
        process_is_lost(process);
    else
        ask_for_departure(sender, model, question);
    return false;
}

// Ends a wait. If the waiter is not in the list, another thread is about to complete `departure`,
// which is on our stack, so its completion must be awaited.
void forget(uint64_t question, Request &departure) MAY_SUSPEND {
    Departures &d = departures();
    bool is_waiting;
    {
        LockGuard guard(d.lock);
        is_waiting = std::erase_if(d.waiters, [=](const Waiter &waiter) {
                         return waiter.question == question;
                     }) > 0;
    }
    if (!is_waiting) // its completer must have left it before it is destroyed
        departure.completion.wait();
}

// Waits until the receive is complete or the rank has departed.
void await_departure(const Process &sender, SendingModel model,
                     ReceiveRequest &receive) MAY_SUSPEND {
    Request departure;
    departure.kind = RequestKind::Flush;
    uint64_t question = 0;
    if (has_departed(sender, model, departure, question))
        return;
    MPI_Request either[] = {&receive, &departure};
    wait_for_one(2, either);
    forget(question, departure);
}

} // namespace

void depart(Process &process, SendingModel model) {
    Departures &d = departures();
    std::vector<Waiter> waiters;
    std::vector<Asker> askers;
    {
        LockGuard guard(d.lock);
        process.has_departed[static_cast<size_t>(model)] = true;
        const auto waits_for_it = [&](const auto &entry) {
            return entry.sender == &process && entry.model == model;
        };
        waiters = take(d.waiters, waits_for_it);
        askers = take(d.askers, waits_for_it);
    }
    // Without the lock, because sending may suspend.
    complete(waiters);
    for (const Asker &asker : askers)
        tell_departure(asker.process, asker.question);
}

void return_to_sessions(Process &process) {
    LockGuard guard(departures().lock);
    process.has_departed[static_cast<size_t>(SendingModel::Sessions)] = false;
}

bool await_freed_receive(ReceiveRequest &receive, SendingModel model) {
    const Communicator &comm = *receive.comm;
    const int source = receive.envelope.source;
    const int first = source == MPI_ANY_SOURCE ? 0 : source;
    const int end = source == MPI_ANY_SOURCE ? comm.remote_size : source + 1;
    for (int rank = first; rank < end && !receive.completion.done(); ++rank)
        if (const Process &sender = comm.peer(rank); &sender != comm.process)
            await_departure(sender, model, receive);
    if (!receive.completion.done())
        (void)cancel(receive);      // cancelling a receive has no errors
    if (!receive.completion.done()) // a message has matched: its data are on their way
        wait_blocked(receive.completion, {.kind = Blockage::Kind::Requests, .request_count = 1});
    return receive.cancelled;
}

void departure_is_asked_for(NodeProcess source, int world_rank, SendingModel model,
                            uint64_t question) {
    Departures &d = departures();
    const Process &sender = known_process(world_rank);
    {
        LockGuard guard(d.lock);
        if (model != SendingModel::Disconnected &&
            !sender.has_departed[static_cast<size_t>(model)]) {
            d.askers.push_back({source, &sender, model, question});
            return;
        }
    }
    tell_departure(source, question);
}

void departure_is_told(uint64_t question) {
    Departures &d = departures();
    std::vector<Waiter> waiters;
    {
        LockGuard guard(d.lock);
        waiters =
            take(d.waiters, [=](const Waiter &waiter) { return waiter.question == question; });
    }
    complete(waiters);
}

} // namespace thrum
