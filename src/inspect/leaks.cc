// Finds and prints leaks (leaks.h). Objects are found in the rank's table of them, requests in its
// pools, and messages in its mailbox. A place is identified by its offset in its file, as each rank
// has a copy of the program at other addresses; so ranks that leak at the same line share an entry.
#include "inspect/leaks.h"

#include "base/check.h"
#include "check/arrival_finding.h"
#include "check/finding.h"
#include "comm/group.h"
#include "comm/made_objects.h"
#include "inspect/leak_report.h"
#include "inspect/names.h"
#include "inspect/symbols.h"
#include "meeting/announcement.h"
#include "pt2pt/envelope_message.h"
#include "pt2pt/lost.h"
#include "pt2pt/packet_queue.h"
#include "pt2pt/request_pool.h"
#include "rank/job_end.h"
#include "wireup/wireup.h"

#include <atomic>
#include <map>
#include <mutex>
#include <tuple>

namespace thrum {
namespace {

// Objects of one kind, made at one place. Ordered by kind, so that the report is.
struct Origin {
    MadeKind kind = MadeKind::Request;
    unsigned function = 0;
    std::string path;
    uintptr_t offset = 0; // in the file; without a path an address
    std::string message;  // Leak::message

    bool operator<(const Origin &other) const {
        return std::tie(kind, function, path, offset, message) <
               std::tie(other.kind, other.function, other.path, other.offset, other.message);
    }
};

using Findings = std::map<Origin, std::map<int, int>>; // number of objects by world rank

// What the ranks of this process have left. Ranks finalize at different times.
struct Collected {
    std::mutex mutex; // guards the following; held for the time of a look-up
    Findings at_finalize;
    Findings at_end;     // of ranks that have ended
    size_t reported = 0; // places in reports so far
    // How many ranks have noted their leaks in MPI_Finalize; not guarded.
    std::atomic<int> finalized{0};
};

Collected &collected() {
    static auto *the_collected = new Collected; // never destroyed: used in exit()
    return *the_collected;
}

// Set for a rank that has noted its leaks in MPI_Finalize. The object says nothing more.
struct HasNoted {};

HasNoted has_noted;
const Extension<Process, HasNoted> noted_in_finalize;

// Returns whether leaks are reported. Ranks that have lost another process cannot free what they
// had in common with it.
bool wants_leaks() {
    return settings().finds_leaks() && lost_processes.load(std::memory_order_relaxed) == 0;
}

// Finds the leaks of one rank.
class Finder {
public:
    explicit Finder(Process &process) : process_(process) {}

    // What may be freed after MPI_Finalize (section 11.4.1) or, with `all`, everything.
    void find_objects(bool all);
    void find_requests();
    void find_messages();
    void give(Findings Collected::*to);

private:
    void add(MadeKind kind, const CallPlace &place, int count = 1);
    std::string describe(const UnexpectedMessage &message) const;
    const Communicator *communicator_of(const Envelope &envelope) const;

    Process &process_;
    std::map<Origin, int> found_;
};

void Finder::add(MadeKind kind, const CallPlace &place, int count) {
    Origin origin{.kind = kind, .function = place.function, .path = {}, .message = {}};
    const void *address = static_cast<const char *>(place.call_site) - 1; // inside the call
    const Location location = find_location(address);
    origin.path = location.path ? location.path : "";
    origin.offset = location.path ? location.offset : reinterpret_cast<uintptr_t>(address);
    found_[origin] += count;
}

// Returns whether objects of this kind may be freed after MPI_Finalize (section 11.4.1).
bool outlives_mpi(MadeKind kind) {
    return kind == MadeKind::Info || kind == MadeKind::Errhandler || kind == MadeKind::Keyval;
}

MadeKind kind_of(const Request &request) {
    if (!request.persistent)
        return MadeKind::Request;
    return request.active ? MadeKind::StartedRequest : MadeKind::PersistentRequest;
}

void Finder::find_objects(bool all) {
    for (const MadeObject &object : made_objects(process_)) {
        if (all == outlives_mpi(object.kind))
            continue;
        const bool is_request = object.kind == MadeKind::Request;
        add(is_request ? kind_of(*static_cast<const Request *>(object.handle)) : object.kind,
            object.place);
    }
}

void Finder::find_requests() {
    std::map<std::pair<uint16_t, MadeKind>, int> by_place;
    for_each_request(process_, [&](const Request &request) {
        if (request.place != 0)
            ++by_place[{request.place, kind_of(request)}];
    });
    for (const auto &[key, count] : by_place)
        add(key.second, request_place(process_, key.first), count);
    for_each_incomplete(
        process_, [&](const CallPlace &place, int count) { add(MadeKind::Request, place, count); });
}

// Returns the communicator of a message, as far as the rank still has it.
const Communicator *Finder::communicator_of(const Envelope &envelope) const {
    for (const Communicator *comm : {process_.world, process_.self, process_.parent})
        if (comm && comm->context->id == envelope.context)
            return comm;
    for (const MadeObject &object : made_objects(process_))
        if (object.kind == MadeKind::Communicator)
            if (const auto *comm = static_cast<const Communicator *>(object.handle);
                comm->context->id == envelope.context)
                return comm;
    return nullptr;
}

std::string Finder::describe(const UnexpectedMessage &message) const {
    const Envelope &envelope = message.envelope;
    const Communicator *comm = communicator_of(envelope);
    const std::string text = "from rank " + std::to_string(envelope.source) + " with tag " +
                             std::to_string(envelope.tag) + " (" +
                             std::to_string(message.size_bytes) +
                             (message.size_bytes == 1 ? " byte) on " : " bytes) on ");
    if (!comm)
        return text + "a freed communicator";
    return text + (*comm->name
                       ? comm->name
                       : "a communicator of " + std::to_string(comm->remote_size) + " ranks");
}

// An odd context id is that of the library's own messages.
void Finder::find_messages() {
    std::map<const void *, int> by_sender;
    std::map<std::string, int> others;
    {
        Mailbox &mailbox = process_.mailbox;
        LockGuard guard(mailbox.lock);
        for (UnexpectedMessage *message = mailbox.unexpected.first(); message;
             message = mailbox.unexpected.next(*message)) {
            if (message->envelope.context & 1)
                continue;
            if (const void *sender = message->call_site)
                ++by_sender[sender];
            else
                ++others[describe(*message)];
        }
    }
    for (const auto &[call_site, count] : by_sender)
        add(MadeKind::SentMessage, {0, call_site}, count);
    for (const auto &[text, count] : others)
        found_[{.kind = MadeKind::SentMessage, .path = {}, .message = text}] += count;
}

// Adds the findings to those of the other ranks. Ranks of right programs have none.
void Finder::give(Findings Collected::*to) {
    if (found_.empty())
        return;
    Collected &all = collected();
    const std::lock_guard guard(all.mutex);
    for (const auto &[origin, count] : found_)
        (all.*to)[origin][process_.world_rank()] += count;
}

// Asks for the names of all places at once.
std::vector<Leak> name_places(const Findings &findings) {
    std::vector<Symbol> symbols;
    for (const auto &[origin, by_rank] : findings) {
        if (!origin.message.empty())
            continue;
        Symbol &symbol = symbols.emplace_back();
        symbol.address = reinterpret_cast<const void *>(origin.offset);
        if (!origin.path.empty())
            symbol.location = {.path = origin.path.c_str(), .offset = origin.offset};
    }
    symbolize_located(symbols.data(), symbols.size());
    std::vector<Leak> leaks;
    auto symbol = symbols.cbegin();
    for (const auto &[origin, by_rank] : findings) {
        Leak &leak = leaks.emplace_back();
        leak.kind = origin.kind;
        leak.function = origin.function ? name_of_function(origin.function) : "";
        leak.message = origin.message;
        leak.by_rank = by_rank;
        char place[512];
        if (origin.message.empty())
            leak.place = place_text(*symbol++, place, sizeof place);
    }
    return leaks;
}

// Names collective operations whose data another process has sent and no rank of this one has
// received. Between processes nothing else tells that two ranks take themselves for the root, or
// that only one of them has called MPI_Bcast.
void report_unreceived_packets() {
    struct Packet {
        int process;
        uint64_t said;
        int others = 0; // packets of the same operation
    };

    std::map<Collective, Packet> first_ones;
    {
        Mailbox &mailbox = packet_mailbox();
        LockGuard guard(mailbox.lock);
        for (UnexpectedMessage *message = mailbox.unexpected.first(); message;
             message = mailbox.unexpected.next(*message)) {
            const uint64_t said =
                Announcement::restore(static_cast<const RemoteArrival *>(message->data)->serial);
            const auto [place, is_first] = first_ones.try_emplace(
                Announcement::collective(said), Packet{message->envelope.source, said});
            place->second.others += !is_first;
        }
    }
    for (const auto &[collective, packet] : first_ones) {
        const int root = Announcement::root(packet.said);
        const int sender = ranks_of(NodeProcess(packet.process)).front();
        const int receiver = ranks_of(this_node_process()).front();
        report_finding(
            std::string(collective_name(collective, BlockingForm)) + ": what rank " +
            std::to_string(sender) + " sent" +
            (root < 0 ? "" : " with root " + std::to_string(root)) +
            (packet.others > 0 ? " (and " + std::to_string(packet.others) + " more)" : "") +
            " was never received by rank " + std::to_string(receiver) +
            ": do all ranks call the operation, and with the same root?");
    }
}

// Prints findings, outside the lock: names come from another process.
void print(const Findings &findings) {
    if (findings.empty() || end_is_claimed())
        return;
    size_t places;
    for (const std::string &line : leak_lines(name_places(findings), places))
        report("%s", line.c_str());
    const std::lock_guard guard(collected().mutex);
    collected().reported += places;
}

} // namespace

// While a session lives, or may be opened again, all objects may still be freed.
void note_leaks_at_finalize(Process &process) {
    if (!wants_leaks() || process.had_sessions.load(std::memory_order_relaxed))
        return;
    Finder finder(process);
    finder.find_objects(true);
    finder.find_requests();
    finder.find_messages();
    finder.give(&Collected::at_finalize);
    noted_in_finalize.of(process).set(&has_noted);
    // release [finalized-1]: the findings.
    collected().finalized.fetch_add(1, std::memory_order_release);
}

void report_leaks_at_finalize() {
    // acquire [finalized-1]: the findings of all ranks.
    if (collected().finalized.load(std::memory_order_acquire) < rank_count())
        return;
    Findings findings;
    {
        const std::lock_guard guard(collected().mutex);
        findings.swap(collected().at_finalize);
    }
    report_arrival_findings();
    report_unreceived_packets();
    print(findings);
}

void note_leaks_at_end(Process &process) {
    if (!wants_leaks())
        return;
    Finder finder(process);
    finder.find_objects(false);
    if (!noted_in_finalize.of(process).get()) {
        finder.find_objects(true);
        finder.find_requests();
        finder.find_messages();
    }
    finder.give(&Collected::at_end);
}

int report_remaining_leaks(int code) {
    if (code != 0 || !wants_leaks())
        return code;
    Findings findings;
    {
        const std::lock_guard guard(collected().mutex);
        findings.swap(collected().at_finalize); // if not all ranks have been in MPI_Finalize
        for (const auto &[origin, by_rank] : collected().at_end)
            for (const auto &[rank, count] : by_rank)
                findings[origin][rank] += count;
        collected().at_end.clear();
    }
    print(findings);
    const size_t places = collected().reported, warnings = findings_reported();
    if (places + warnings == 0 || settings().check != Settings::check_fails)
        return code;
    if (places > 0)
        report("leaks at %zu %s: exit code 1 (--check=error)", places,
               places == 1 ? "place" : "places");
    if (warnings > 0)
        report("%zu %s: exit code 1 (--check=error)", warnings,
               warnings == 1 ? "warning of --check" : "warnings of --check");
    return 1;
}

} // namespace thrum
