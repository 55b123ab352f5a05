#include "inspect/queue_listing.h"

#include "comm/made_objects.h"
#include "comm/process.h"
#include "inspect/wait_target.h"
#include "pt2pt/request.h"
#include "rank/job.h"

#include <map>
#include <mutex>
#include <string_view>
#include <vector>

namespace thrum {
namespace {

constexpr size_t entries_max = 50; // listed of each queue; a lock is held meanwhile

// The communicators of a rank by the context ids of their messages.
using Communicators = std::map<uint32_t, const Communicator *>;

// Communicators that the rank has made are known while it stands still.
Communicators communicators_of(const Rank &rank) {
    Communicators all;
    const auto add = [&](const Communicator *comm) {
        if (comm && comm->context)
            all[comm->context->id] = comm;
    };
    add(rank.process->world);
    add(rank.process->self);
    if (rank.record->held_ticks.load(std::memory_order_relaxed) ||
        rank.record->wait_kind.load(std::memory_order_relaxed))
        for (const MadeObject &object : made_objects(*rank.process))
            if (object.kind == MadeKind::Communicator)
                add(static_cast<const Communicator *>(object.handle));
    return all;
}

// Returns its name as the end of a line.
std::string name_of(const Communicator &comm) {
    std::string name = comm.name[0] ? comm.name : "a communicator without a name";
    for (char &c : name)
        if (static_cast<unsigned char>(c) < ' ')
            c = ' ';
    return name;
}

// An entry of a queue, copied under the mailbox's lock.
struct Entry {
    Envelope envelope;
    size_t size_bytes;
};

struct Queues {
    std::vector<Entry> posted, queued;
    size_t more_posted = 0, more_queued = 0;
};

Queues copy_queues(Mailbox &mailbox) {
    Queues queues;
    queues.posted.reserve(entries_max);
    queues.queued.reserve(entries_max);
    LockGuard guard(mailbox.lock);
    for (PostedReceive *posted = mailbox.posted.first();
         posted && queues.posted.size() < entries_max; posted = mailbox.posted.next(*posted)) {
        const auto &receive = static_cast<const ReceiveRequest &>(*posted);
        queues.posted.push_back(
            {receive.envelope,
             receive.datatype ? data_bytes(receive.count, *receive.datatype) : 0});
    }
    for (UnexpectedMessage *message = mailbox.unexpected.first();
         message && queues.queued.size() < entries_max; message = mailbox.unexpected.next(*message))
        queues.queued.push_back({message->envelope, message->size_bytes});
    queues.more_posted = mailbox.posted.size() - queues.posted.size();
    queues.more_queued = mailbox.unexpected.size() - queues.queued.size();
    return queues;
}

void add_lines(std::string_view what, int rank, const std::vector<Entry> &entries,
               const Communicators &communicators, std::string &text) {
    for (const Entry &entry : entries) {
        const auto comm = communicators.find(entry.envelope.context);
        if (comm == communicators.end())
            continue;
        const int tag =
            entry.envelope.tag == MPI_ANY_TAG ? observe::WaitTarget::any : entry.envelope.tag;
        text += what;
        for (const long number :
             {long{rank}, long{world_rank_of_peer(comm->second, entry.envelope.source)}, long{tag},
              static_cast<long>(entry.size_bytes)})
            text += ' ' + std::to_string(number);
        text += ' ' + name_of(*comm->second) + '\n';
    }
}

} // namespace

std::string list_queues() {
    std::string text;
    std::unique_lock table(rank_table_mutex());
    for (int i = 0; i < rank_count(); ++i) {
        const Rank &rank = rank_at(i);
        if (!rank.record || !rank.process || rank.ended.load(std::memory_order_relaxed))
            continue;
        const Queues queues = copy_queues(rank.process->mailbox);
        if (queues.posted.empty() && queues.queued.empty())
            continue;
        const Communicators communicators = communicators_of(rank);
        add_lines("posted", rank.world_rank, queues.posted, communicators, text);
        add_lines("queued", rank.world_rank, queues.queued, communicators, text);
        if (queues.more_posted + queues.more_queued)
            text += "more " + std::to_string(rank.world_rank) + ' ' +
                    std::to_string(queues.more_posted) + ' ' + std::to_string(queues.more_queued) +
                    '\n';
    }
    return text;
}

} // namespace thrum
