// trace_otf2 DIRECTORY ARCHIVE.otf2: writes the trace of `mpiexec --trace ARCHIVE.otf2`, a
// directory that Vampir, Scalasca and otf2-print read, by the OTF2 library. Only this program is
// linked with it.
//
// The events of some ranks are written at a time, since the library has a buffer for each. The
// definitions follow the events, by which their numbers are known.
#include "observation/trace_walk.h"
#include "plan/message.h"
#include "remarks.h"
#include "trace_names.h"

#include <algorithm>
#include <exception>
#include <filesystem>
#include <map>
#include <memory>
#include <otf2/otf2.h>
#include <set>
#include <stdexcept>
#include <unistd.h>
#include <utility>

namespace trace {
namespace {

using observation::CallSpan;
using observation::MessageEnd;

constexpr uint64_t event_buffer_bytes = uint64_t{256} << 10; // the least that the library takes
constexpr uint64_t definition_buffer_bytes = uint64_t{4} << 20;
constexpr size_t ranks_at_a_time = 64;
constexpr OTF2_CommRef world = 0;
constexpr OTF2_CollectiveOp no_operation = 255;

void check(OTF2_ErrorCode code) {
    if (code != OTF2_SUCCESS)
        throw std::runtime_error(OTF2_Error_GetDescription(code));
}

// A communicator, as those of its members have seen it that came to a collective operation.
struct Members {
    uint32_t size = 0;
    std::map<int, uint64_t> by_rank; // its ranks: world ranks
    bool is_ambiguous = false;       // several communicators had the id, one after the other
};

using CommKey = std::pair<const EventSource *, uint32_t>;

CommKey key_of(const CallSpan &call) {
    return {call.spans ? nullptr : call.rank->source, call.context};
}

// Finds the members of communicators, before the events are written.
class FindMembers : public observation::TraceListener {
public:
    void call(const CallSpan &call) override {
        if (!call.members || call.comm_rank < 0)
            return;
        Members &members = found_[key_of(call)];
        const auto [member, is_new] =
            members.by_rank.try_emplace(call.comm_rank, static_cast<uint64_t>(call.rank->rank));
        members.is_ambiguous = members.is_ambiguous ||
                               (members.size && members.size != call.members) ||
                               member->second != static_cast<uint64_t>(call.rank->rank);
        members.size = call.members;
    }

    const std::map<CommKey, Members> &found() const { return found_; }

private:
    std::map<CommKey, Members> found_;
};

OTF2_CollectiveOp operation_of(const std::string &function) {
    static const std::map<std::string, OTF2_CollectiveOp> operations = {
        {"MPI_Barrier", OTF2_COLLECTIVE_OP_BARRIER},
        {"MPI_Bcast", OTF2_COLLECTIVE_OP_BCAST},
        {"MPI_Gather", OTF2_COLLECTIVE_OP_GATHER},
        {"MPI_Gatherv", OTF2_COLLECTIVE_OP_GATHERV},
        {"MPI_Scatter", OTF2_COLLECTIVE_OP_SCATTER},
        {"MPI_Scatterv", OTF2_COLLECTIVE_OP_SCATTERV},
        {"MPI_Allgather", OTF2_COLLECTIVE_OP_ALLGATHER},
        {"MPI_Allgatherv", OTF2_COLLECTIVE_OP_ALLGATHERV},
        {"MPI_Alltoall", OTF2_COLLECTIVE_OP_ALLTOALL},
        {"MPI_Alltoallv", OTF2_COLLECTIVE_OP_ALLTOALLV},
        {"MPI_Alltoallw", OTF2_COLLECTIVE_OP_ALLTOALLW},
        {"MPI_Allreduce", OTF2_COLLECTIVE_OP_ALLREDUCE},
        {"MPI_Reduce", OTF2_COLLECTIVE_OP_REDUCE},
        {"MPI_Reduce_scatter", OTF2_COLLECTIVE_OP_REDUCE_SCATTER},
        {"MPI_Reduce_scatter_block", OTF2_COLLECTIVE_OP_REDUCE_SCATTER_BLOCK},
        {"MPI_Scan", OTF2_COLLECTIVE_OP_SCAN},
        {"MPI_Exscan", OTF2_COLLECTIVE_OP_EXSCAN}};
    const auto found = operations.find(function);
    return found == operations.end() ? no_operation : found->second;
}

struct Location {
    const TracedRank *rank = nullptr;
    int thread = 1;
    uint64_t events = 0, last_ns = 0;
    OTF2_EvtWriter *writer = nullptr; // while its rank is written
    std::vector<OTF2_RegionRef> open; // regions and calls
};

class ArchiveWriter : public observation::TraceListener {
public:
    ArchiveWriter(const EventReader &events, const std::string &path);

    void write(); // all
    void call(const CallSpan &call) override;
    void open_call(const CallSpan &call) override;
    void received(const TracedRank &rank, const MessageEnd &end) override;
    void region_begin(const TracedRank &rank, int thread, int64_t ns, int name) override;
    void region_end(const TracedRank &rank, int thread, int64_t ns) override;
    void end(int64_t last_ns) override;

private:
    Location &location(const TracedRank &rank, int thread);
    uint64_t time(Location &location, int64_t ns);
    void enter(Location &location, int64_t ns, OTF2_RegionRef region);
    void leave(Location &location, int64_t ns);
    void messages(Location &location, const CallSpan &call);
    void find_communicators();
    void number_regions();
    void write_definitions();
    void write_regions(OTF2_GlobalDefWriter *writer);
    void write_places(OTF2_GlobalDefWriter *writer);
    void write_communicators(OTF2_GlobalDefWriter *writer);
    OTF2_StringRef string(OTF2_GlobalDefWriter *writer, const std::string &text);

    const EventReader &events_;
    std::unique_ptr<OTF2_Archive, decltype(&OTF2_Archive_Close)> archive_;
    FindMembers members_;
    std::map<CommKey, OTF2_CommRef> communicators_; // but MPI_COMM_WORLD
    std::vector<const Members *> defined_;          // of the communicators 1, 2, ...
    std::vector<OTF2_RegionRef> region_of_site_;
    std::vector<std::string> functions_;        // regions from 0 on; those of the user follow
    std::vector<OTF2_CollectiveOp> operations_; // of sites
    std::map<uint64_t, Location> locations_;
    std::map<std::string, OTF2_StringRef> strings_;
    uint64_t last_ns_ = 0;
};

OTF2_FlushType flush(void *, OTF2_FileType, OTF2_LocationRef, void *, bool) {
    return OTF2_FLUSH;
}

OTF2_TimeStamp no_time(void *, OTF2_FileType, OTF2_LocationRef) {
    return 0;
}

OTF2_FlushCallbacks flushing = {flush, no_time};

ArchiveWriter::ArchiveWriter(const EventReader &events, const std::string &path)
    : events_(events), archive_(OTF2_Archive_Open(path.c_str(), "traces", OTF2_FILEMODE_WRITE,
                                                  event_buffer_bytes, definition_buffer_bytes,
                                                  OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE),
                                OTF2_Archive_Close) {
    if (!archive_)
        throw std::runtime_error(path + ": the OTF2 library cannot make this archive");
    check(OTF2_Archive_SetSerialCollectiveCallbacks(archive_.get()));
    check(OTF2_Archive_SetFlushCallbacks(archive_.get(), &flushing, nullptr));
    check(OTF2_Archive_SetCreator(archive_.get(), "Thrum"));
    number_regions();
    find_communicators();
}

// A region is a function, whatever place calls it.
void ArchiveWriter::number_regions() {
    for (const Site &site : events_.sites()) {
        const std::string &name = site.function.empty() ? "MPI" : site.function;
        const auto found = std::ranges::find(functions_, name);
        region_of_site_.push_back(static_cast<OTF2_RegionRef>(found - functions_.begin()));
        if (found == functions_.end())
            functions_.push_back(name);
        operations_.push_back(operation_of(name));
    }
    functions_.emplace_back("MPI"); // of an unknown place
}

void ArchiveWriter::find_communicators() {
    walk(events_, members_);
    for (const auto &[key, members] : members_.found()) {
        bool is_world = members.size == events_.ranks().size();
        for (const auto &[rank, world_rank] : members.by_rank)
            is_world = is_world && static_cast<uint64_t>(rank) == world_rank;
        if (is_world)
            communicators_[key] = world;
        else if (!members.is_ambiguous && members.by_rank.size() == members.size) {
            defined_.push_back(&members);
            communicators_[key] = static_cast<OTF2_CommRef>(defined_.size());
        }
    }
}

Location &ArchiveWriter::location(const TracedRank &rank, int thread) {
    const auto id = static_cast<uint64_t>(thread - 1) << 32 | static_cast<uint32_t>(rank.rank);
    Location &location = locations_[id];
    location.rank = &rank;
    location.thread = thread;
    if (!location.writer) {
        location.writer = OTF2_Archive_GetEvtWriter(archive_.get(), id);
        if (!location.writer)
            throw std::runtime_error("the OTF2 library cannot write events");
    }
    return location;
}

// Times of a location never decrease.
uint64_t ArchiveWriter::time(Location &location, int64_t ns) {
    ++location.events;
    location.last_ns = std::max(location.last_ns, static_cast<uint64_t>(std::max<int64_t>(ns, 0)));
    return location.last_ns;
}

void ArchiveWriter::enter(Location &location, int64_t ns, OTF2_RegionRef region) {
    check(OTF2_EvtWriter_Enter(location.writer, nullptr, time(location, ns), region));
    location.open.push_back(region);
}

void ArchiveWriter::leave(Location &location, int64_t ns) {
    check(OTF2_EvtWriter_Leave(location.writer, nullptr, time(location, ns), location.open.back()));
    location.open.pop_back();
}

void ArchiveWriter::messages(Location &location, const CallSpan &call) {
    size_t received = 0;
    const auto receive_until = [&](int64_t ns) {
        for (; received < call.received.size() && call.received[received].ns <= ns; ++received) {
            const MessageEnd &end = call.received[received];
            check(OTF2_EvtWriter_MpiRecv(location.writer, nullptr, time(location, end.ns),
                                         static_cast<uint32_t>(end.peer), world,
                                         static_cast<uint32_t>(end.tag), end.size_bytes));
        }
    };
    for (const MessageEnd &end : call.sent) {
        receive_until(end.ns);
        check(OTF2_EvtWriter_MpiSend(location.writer, nullptr, time(location, end.ns),
                                     static_cast<uint32_t>(end.peer), world,
                                     static_cast<uint32_t>(end.tag), end.size_bytes));
    }
    receive_until(INT64_MAX);
}

void ArchiveWriter::call(const CallSpan &call) {
    Location &at = location(*call.rank, call.thread);
    const size_t site = static_cast<size_t>(call.site);
    enter(at, call.begin_ns,
          call.site < 0 ? static_cast<OTF2_RegionRef>(functions_.size() - 1)
                        : region_of_site_[site]);
    const auto communicator = communicators_.find(key_of(call));
    const bool is_collective = call.group && call.site >= 0 &&
                               communicator != communicators_.end() &&
                               operations_[site] != no_operation;
    if (is_collective)
        check(OTF2_EvtWriter_MpiCollectiveBegin(at.writer, nullptr, time(at, call.begin_ns)));
    messages(at, call);
    if (is_collective) // how much each member sends and receives is not noted
        check(OTF2_EvtWriter_MpiCollectiveEnd(
            at.writer, nullptr, time(at, call.end_ns), operations_[site], communicator->second,
            call.root < 0 ? static_cast<uint32_t>(OTF2_COLLECTIVE_ROOT_NONE)
                          : static_cast<uint32_t>(call.root),
            0, 0));
    leave(at, call.end_ns);
}

void ArchiveWriter::open_call(const CallSpan &call) {
    Location &at = location(*call.rank, call.thread);
    enter(at, call.begin_ns,
          call.site < 0 ? static_cast<OTF2_RegionRef>(functions_.size() - 1)
                        : region_of_site_[static_cast<size_t>(call.site)]);
    messages(at, call);
}

void ArchiveWriter::received(const TracedRank &rank, const MessageEnd &end) {
    Location &at = location(rank, 1);
    check(OTF2_EvtWriter_MpiRecv(at.writer, nullptr, time(at, end.ns),
                                 static_cast<uint32_t>(end.peer), world,
                                 static_cast<uint32_t>(end.tag), end.size_bytes));
}

void ArchiveWriter::region_begin(const TracedRank &rank, int thread, int64_t ns, int name) {
    const size_t number = name < 0 ? events_.names().size() : static_cast<size_t>(name);
    enter(location(rank, thread), ns, static_cast<OTF2_RegionRef>(functions_.size() + number));
}

void ArchiveWriter::region_end(const TracedRank &rank, int thread, int64_t ns) {
    leave(location(rank, thread), ns);
}

void ArchiveWriter::end(int64_t last_ns) {
    last_ns_ = std::max(last_ns_, static_cast<uint64_t>(last_ns));
    for (auto &[id, location] : locations_) {
        if (!location.writer)
            continue;
        while (!location.open.empty())
            leave(location, last_ns);
        check(OTF2_Archive_CloseEvtWriter(archive_.get(), std::exchange(location.writer, nullptr)));
    }
}

void ArchiveWriter::write() {
    check(OTF2_Archive_OpenEvtFiles(archive_.get()));
    const size_t count = events_.ranks().size();
    for (size_t first = 0; first < count; first += ranks_at_a_time) {
        const size_t last = std::min(first + ranks_at_a_time, count);
        for (size_t i = first; i < last; ++i)
            location(events_.ranks()[i], 1); // also if it has no events
        walk_some(events_, *this, first, last);
    }
    check(OTF2_Archive_CloseEvtFiles(archive_.get()));
    check(OTF2_Archive_OpenDefFiles(archive_.get()));
    for (const auto &[id, location] : locations_)
        check(OTF2_Archive_CloseDefWriter(archive_.get(),
                                          OTF2_Archive_GetDefWriter(archive_.get(), id)));
    check(OTF2_Archive_CloseDefFiles(archive_.get()));
    write_definitions();
    check(OTF2_Archive_Close(archive_.release()));
}

// Defines the text when it is first used.
OTF2_StringRef ArchiveWriter::string(OTF2_GlobalDefWriter *writer, const std::string &text) {
    const auto [found, is_new] =
        strings_.try_emplace(text, static_cast<OTF2_StringRef>(strings_.size()));
    if (is_new)
        check(OTF2_GlobalDefWriter_WriteString(writer, found->second, text.c_str()));
    return found->second;
}

void ArchiveWriter::write_regions(OTF2_GlobalDefWriter *writer) {
    const OTF2_StringRef empty = string(writer, "");
    const auto define = [&](OTF2_RegionRef number, const std::string &name,
                            OTF2_Paradigm paradigm) {
        const OTF2_StringRef text = string(writer, name);
        const bool is_collective = operation_of(name) != no_operation;
        const OTF2_RegionRole role = paradigm == OTF2_PARADIGM_USER ? OTF2_REGION_ROLE_CODE
                                     : name == "MPI_Barrier"        ? OTF2_REGION_ROLE_BARRIER
                                     : is_collective                ? OTF2_REGION_ROLE_COLL_ALL2ALL
                                                                    : OTF2_REGION_ROLE_FUNCTION;
        check(OTF2_GlobalDefWriter_WriteRegion(writer, number, text, text, empty, role, paradigm,
                                               OTF2_REGION_FLAG_NONE, empty, 0, 0));
    };
    OTF2_RegionRef number = 0;
    for (const std::string &function : functions_)
        define(number++, function, OTF2_PARADIGM_MPI);
    for (const std::string &name : events_.names())
        define(number++, name, OTF2_PARADIGM_USER);
    define(number, "region", OTF2_PARADIGM_USER);
}

// The machines, their ranks as processes of MPI, and the ranks' threads.
void ArchiveWriter::write_places(OTF2_GlobalDefWriter *writer) {
    for (size_t i = 0; i < events_.hosts().size(); ++i)
        check(OTF2_GlobalDefWriter_WriteSystemTreeNode(
            writer, static_cast<OTF2_SystemTreeNodeRef>(i), string(writer, events_.hosts()[i]),
            string(writer, "node"), OTF2_UNDEFINED_SYSTEM_TREE_NODE));
    for (const TracedRank &rank : events_.ranks())
        check(OTF2_GlobalDefWriter_WriteLocationGroup(
            writer, static_cast<OTF2_LocationGroupRef>(rank.rank),
            string(writer, name_of_track(rank, 1)), OTF2_LOCATION_GROUP_TYPE_PROCESS,
            static_cast<OTF2_SystemTreeNodeRef>(rank.source->machine),
            OTF2_UNDEFINED_LOCATION_GROUP));
    for (const auto &[id, location] : locations_)
        check(OTF2_GlobalDefWriter_WriteLocation(
            writer, id, string(writer, name_of_track(*location.rank, location.thread)),
            OTF2_LOCATION_TYPE_CPU_THREAD, location.events,
            static_cast<OTF2_LocationGroupRef>(location.rank->rank)));
}

void ArchiveWriter::write_communicators(OTF2_GlobalDefWriter *writer) {
    std::vector<uint64_t> all;
    for (size_t rank = 0; rank < events_.ranks().size(); ++rank)
        all.push_back(rank);
    const OTF2_StringRef empty = string(writer, "");
    const auto group = [&](OTF2_GroupRef number, OTF2_GroupType type,
                           const std::vector<uint64_t> &members) {
        check(OTF2_GlobalDefWriter_WriteGroup(
            writer, number, empty, type, OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE,
            static_cast<uint32_t>(members.size()), members.data()));
    };
    group(0, OTF2_GROUP_TYPE_COMM_LOCATIONS, all);
    group(1, OTF2_GROUP_TYPE_COMM_GROUP, all);
    check(OTF2_GlobalDefWriter_WriteComm(writer, world, string(writer, "MPI_COMM_WORLD"), 1,
                                         OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE));
    for (size_t i = 0; i < defined_.size(); ++i) {
        std::vector<uint64_t> ranks;
        for (const auto &[rank, world_rank] : defined_[i]->by_rank)
            ranks.push_back(world_rank);
        const auto number = static_cast<uint32_t>(i);
        group(number + 2, OTF2_GROUP_TYPE_COMM_GROUP, ranks);
        check(OTF2_GlobalDefWriter_WriteComm(writer, number + 1, empty, number + 2, world,
                                             OTF2_COMM_FLAG_NONE));
    }
}

void ArchiveWriter::write_definitions() {
    OTF2_GlobalDefWriter *writer = OTF2_Archive_GetGlobalDefWriter(archive_.get());
    if (!writer)
        throw std::runtime_error("the OTF2 library cannot write definitions");
    check(OTF2_GlobalDefWriter_WriteClockProperties(
        writer, 1'000'000'000, 0, last_ns_ + 1,
        static_cast<uint64_t>(events_.first_realtime_ns())));
    check(OTF2_GlobalDefWriter_WriteParadigm(writer, OTF2_PARADIGM_MPI, string(writer, "MPI"),
                                             OTF2_PARADIGM_CLASS_PROCESS));
    write_regions(writer);
    write_places(writer);
    write_communicators(writer);
    check(OTF2_Archive_CloseGlobalDefWriter(archive_.get(), writer));
}

// A location of an archive is a rank of MPI_COMM_WORLD, of which there is one.
void check_ranks(const EventReader &events) {
    const auto same = std::ranges::adjacent_find(events.ranks(), {}, &TracedRank::rank);
    if (same != events.ranks().end())
        throw std::runtime_error(
            fmt::format("rank {} has run several programs, one after the other, which an archive "
                        "cannot show; .json and .pftrace can",
                        same->rank));
}

} // namespace
} // namespace trace

int main(int argc, char **argv) {
    mpiexec::speaker = "mpiexec: --trace";
    if (argc != 3) {
        mpiexec::say("the program trace_otf2 needs a directory and an archive");
        return 2;
    }
    const std::filesystem::path archive = argv[2];
    std::error_code ignored;
    if (std::filesystem::exists(archive, ignored)) {
        mpiexec::say("{}: it exists already", argv[2]);
        return 1;
    }
    try {
        const observation::EventReader events(argv[1], trace::symbolizer());
        trace::check_ranks(events);
        trace::ArchiveWriter(events, argv[2]).write();
        trace::say_remarks(events);
    } catch (const std::exception &error) {
        std::filesystem::remove_all(archive, ignored); // half of one
        mpiexec::say("{}: {}", argv[2], error.what());
        return 1;
    }
}
