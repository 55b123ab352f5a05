// The collective calls on a file that are not accesses: open, close, view, size, atomicity, infos,
// the shared pointer.
//
// All of them decide by decide_together() (file_decision.h): each rank brings its arguments and its
// own error; one decision for all compares the arguments ([SAME] in the standard), and everybody
// gets the first error. The struct derived from FileParticipant in front of each function is what a
// rank brings. Work that blocks (opening, synchronizing) is done between two such meetings.
#include "io/file.h"

#include "comm/blame.h"
#include "comm/communicator_lifecycle.h"
#include "comm/duplicates.h"
#include "comm/process.h"
#include "comm/span.h"
#include "fiber/usable_cores.h"
#include "io/collective_access.h"
#include "io/file_decision.h"
#include "io/file_defaults.h"
#include "io/file_message.h"
#include "io/keeper.h"
#include "io/opening.h"
#include "io/stream.h"
#include "wireup/wireup.h"

#include <algorithm>
#include <cstring>
#include <unistd.h>

namespace thrum {
namespace {

constinit ObjectPool<File> pool;

// Returns what the calling thread has just recorded, in a form that other ranks can raise.
SharedError shared(Error error) {
    SharedError result;
    if (error)
        result.take(error);
    return result;
}

// Does work that may block: first all ranks meet, then those with `works` call work(), then all
// meet again and everybody gets the first error. It is not done inside a meeting, since the others
// would wait in it for a thread that sleeps in the kernel.
template <class Work>
Error work_between(Communicator &comm, Collective collective, SharedError wrong, bool works,
                   Work work) MAY_SUSPEND {
    if (Error error = agree_on_error(comm, collective, std::move(wrong)))
        return error;
    return agree_on_error(comm, collective, works ? shared(work()) : SharedError());
}

// Returns whether this rank does the work that its process does once.
bool is_first_here(const Communicator &comm) {
    return comm.meeting_member == 0;
}

// An info that a rank passed, or a copy of one from another process. Owns only the copy.
class InfoArgument {
public:
    InfoArgument() = default;
    InfoArgument(const InfoArgument &) = delete;
    InfoArgument &operator=(const InfoArgument &) = delete;

    ~InfoArgument() {
        if (is_copy_)
            delete_info(info_);
    }

    void set(Info *info) { info_ = info; }

    Info *get() const { return info_; }

    // Entries, preceded by their number; -1: MPI_INFO_NULL.
    void write(ByteWriter &to) const {
        to.number(info_ ? static_cast<int>(info_->entries.size()) : -1);
        for (size_t i = 0; info_ && i < info_->entries.size(); ++i) {
            to.text(info_->entries[i].first);
            to.text(info_->entries[i].second);
        }
    }

    void read(ByteReader &from) {
        const int entries = from.number<int>();
        if (entries < 0)
            return;
        info_ = new_info();
        is_copy_ = true;
        for (int i = 0; i < entries; ++i) {
            const std::string key = from.text();
            info_->set(key.c_str(), from.text().c_str());
        }
    }

private:
    Info *info_ = nullptr;
    bool is_copy_ = false;
};

// What a rank brings to MPI_File_open, in all three of its meetings.
struct Opening final : FileParticipant {
    int amode = 0;
    InfoArgument info;
    OpenFile *file = nullptr; // with a reference for this rank
    // The result of the first meeting.
    Hints hints;
    // Set by rank 0, which opens the file; the second meeting gives them to all ranks.
    FileIdentity identity;
    FileSharing sharing;
    Offset position = 0; // MPI_MODE_APPEND: the end of the file

    void write(ByteWriter &to) const override {
        to.number(amode);
        info.write(to);
        to.text(identity.name);
        to.number(identity.device);
        to.number(identity.inode);
        to.number(identity.process);
        to.number(sharing);
        to.number(position);
    }

    void read(ByteReader &from) override {
        amode = from.number<int>();
        info.read(from);
        identity.name = from.text();
        identity.device = from.number<dev_t>();
        identity.inode = from.number<ino_t>();
        identity.process = from.number<NodeProcess>();
        sharing = from.number<FileSharing>();
        position = from.number<Offset>();
    }
};

// Checks that all ranks gave the same amode and the same hints of those that must be equal.
Error check_openings(const std::vector<Opening *> &all) {
    std::vector<const Info *> infos;
    for (size_t rank = 0; rank < all.size(); ++rank) {
        infos.push_back(all[rank]->info.get());
        if (all[rank]->amode != all[0]->amode)
            return fail(MPI_ERR_NOT_SAME,
                        "ranks disagree on amode: rank 0 passes %d, rank %zu passes %d",
                        all[0]->amode, rank, all[rank]->amode);
    }
    return check_same_hints(infos);
}

// Returns `before`, updated by the ranks' infos. Where they differ the lowest rank's value holds,
// so it is applied last.
Hints agreed_hints(const Hints &before, const std::vector<const Info *> &infos) {
    Hints hints = before;
    for (auto info = infos.rbegin(); info != infos.rend(); ++info)
        hints.update(*info);
    return hints;
}

// Returns the context of the file's own communicator. Ranks of one process take the next duplicate
// of `comm`, without a further meeting. In several processes the context's number must be the same
// everywhere: it is the id that rank 0 has allocated.
Context &context_of_file(Communicator &comm, const OpenFile &open) {
    return open.sharing.id ? spanning_context(open.sharing.id, *comm.group) : next_duplicate(comm);
}

// Returns a rank's handle: byte view, the error handler of MPI_FILE_NULL, and a communicator of its
// own, so that meetings on the file never mix with those on `comm`. Takes over the reference to
// `open`.
File *new_file(Communicator &comm, OpenFile &open, Offset position) {
    File *file = pool.make();
    file->comm =
        new_communicator(*comm.process, context_of_file(comm, open), *comm.group, comm.rank);
    file->open = &open;
    file->view = new_byte_view();
    file->errhandler = defaults_of(*comm.process).errhandler;
    retain(*file->errhandler);
    file->position = position;
    return file;
}

} // namespace

Culprit culprit_of(File &file) {
    return {file.errhandler, &file, nullptr};
}

void retain(File &file) {
    file.references.fetch_add(1, std::memory_order_relaxed);
}

void release(File &file) {
    // acq_rel [file-2]: the last one sees every other's use done.
    if (file.references.fetch_sub(1, std::memory_order_acq_rel) > 1)
        return;
    release(*file.view);
    release(*file.errhandler);
    release(*file.comm);
    release(*file.open);
    pool.destroy(&file);
}

View &current_view(File &file) {
    LockGuard guard(file.lock);
    retain(*file.view);
    return *file.view;
}

Error need_positions(const File &file) {
    if (!file.open->sequential())
        return success;
    return fail(MPI_ERR_UNSUPPORTED_OPERATION,
                "file \"%s\" was opened with MPI_MODE_SEQUENTIAL, so it has no positions",
                file.open->name().c_str());
}

namespace {

// The decision of the first meeting.
Error agree_on_hints(const std::vector<Opening *> &all) {
    if (Error error = check_openings(all))
        return error;
    std::vector<const Info *> infos;
    for (const Opening *each : all)
        infos.push_back(each->info.get());
    for (Opening *each : all)
        each->hints = agreed_hints({}, infos);
    return success;
}

// The decision of the second and third meeting: gives rank 0's identity of the file to all ranks,
// and the OpenFile of a process to those of its ranks that have none. Copies of ranks elsewhere are
// skipped: their processes do the same for them.
Error hand_on(const std::vector<Opening *> &all) {
    Opening *opener = nullptr; // the rank here that has opened the file, if any has
    int here = 0;
    for (Opening *each : all) {
        here += !each->is_copy;
        if (!opener && !each->is_copy && each->file)
            opener = each;
    }
    for (Opening *each : all) {
        if (each != all[0]) {
            each->identity = all[0]->identity;
            each->sharing = all[0]->sharing;
            each->position = all[0]->position;
        }
        if (each->is_copy || each->file || !opener)
            continue;
        each->file = opener->file;
        retain(*each->file);
    }
    if (opener) {
        opener->file->ranks = static_cast<int>(all.size());
        opener->file->local_ranks = here;
        opener->file->sharing = all[0]->sharing;
    }
    return success;
}

// Returns how many processes should aggregate in a file whose ranks are in several: as many as the
// nodes have processors, assuming that all nodes are like this one.
int default_aggregators(const ProcessMap &span) {
    std::vector<int> nodes;
    for (NodeProcess process : span.processes)
        nodes.push_back(node_of(process));
    std::sort(nodes.begin(), nodes.end());
    const auto count = std::unique(nodes.begin(), nodes.end()) - nodes.begin();
    return std::min(span.count(), static_cast<int>(count) * usable_cores());
}

// Opens the file on rank 0. In a job of several processes rank 0 also allocates the file's id and
// becomes its keeper; this must happen before the others learn the id (start_keeping()).
Error open_first(const Communicator &comm, const char *name, Opening &mine) MAY_SUSPEND {
    if (Error error = open_file(name, mine.amode, mine.hints, mine.file))
        return error;
    mine.identity = mine.file->identity;
    mine.position = mine.file->shared_pointer;
    if (const ProcessMap *span = comm.context->span) {
        mine.sharing = {new_spanning_ids(1), this_node_process(), span->count(),
                        default_aggregators(*span)};
        mine.file->sharing = mine.sharing;
        start_keeping(*mine.file);
    }
    return success;
}

// On every other rank: the first rank of each other process opens the file, too; the others check
// that their name means the same file. An error names the rank, since the others get it as well.
Error open_as_well(const Communicator &comm, const char *name, Opening &mine) MAY_SUSPEND {
    const bool opens = !mine.file && is_first_here(comm);
    Error error = opens ? open_again(mine.identity, name, mine.amode, mine.hints, mine.file)
                        : check_same_file(mine.identity, name);
    if (!error || !comm.context->span)
        return error;
    const std::string sentence = error_detail(error.code());
    return fail(error.code(), "rank %d: %s", comm.rank, sentence.c_str());
}

} // namespace

// Three meetings. 1: amode and infos agree. 2: rank 0 has opened the file, in its own working
// directory and with its umask, so a file is created once. 3: the other processes have opened it,
// and each rank has compared what its name means to it. A failure anywhere makes all ranks release
// what they have.
Error open(Communicator &comm, const char *name, int amode, Info *info, File *&result) {
    Opening mine;
    mine.amode = amode;
    mine.info.set(info);
    mine.error =
        shared(name ? check_amode(amode) : fail(MPI_ERR_ARG, "filename is a null pointer"));
    if (Error error = decide_together(comm, Collective::FileOpen, mine, agree_on_hints))
        return error;
    if (comm.rank == 0)
        mine.error = shared(open_first(comm, name, mine));
    Error error = decide_together(comm, Collective::FileOpen, mine, hand_on);
    if (!error) {
        if (comm.rank != 0)
            mine.error = shared(open_as_well(comm, name, mine));
        error = decide_together(comm, Collective::FileOpen, mine, hand_on);
    }
    if (error) {
        if (mine.file)
            release(*mine.file);
        return error;
    }
    result = new_file(comm, *mine.file, mine.position);
    return success;
}

// Section 14.2.2: as MPI_File_sync, then the end. All ranks arrive first: a rank that returns may
// open, or delete, the file again. A file that is about to be deleted is not synchronized.
Error close(File &file) {
    OpenFile &open = *file.open;
    const Communicator &comm = *file.comm;
    const bool deleted = (open.amode & MPI_MODE_DELETE_ON_CLOSE) != 0;
    Error error = work_between(
        *file.comm, Collective::FileClose, {}, deleted ? comm.rank == 0 : is_first_here(comm),
        [&]() MAY_SUSPEND { return deleted ? delete_open_file(open) : thrum::synchronize(open); });
    file.magic = 0;
    release(file);
    return error;
}

namespace {

// What a rank brings to MPI_File_set_view. Displacement and filetype may differ between ranks.
struct NewView final : FileParticipant {
    std::string representation;
    Count etype_extent = 0; // in the file
    InfoArgument info;

    void write(ByteWriter &to) const override {
        to.text(representation);
        to.number(etype_extent);
        info.write(to);
    }

    void read(ByteReader &from) override {
        representation = from.text();
        etype_extent = from.number<Count>();
        info.read(from);
    }
};

// The position of a file without positions when all ranks have arrived: rank 0, in the keeper's
// process, knows how many bytes have passed.
struct StreamPosition final : FileParticipant {
    Offset position = 0;

    void write(ByteWriter &to) const override { to.number(position); }

    void read(ByteReader &from) override { position = from.number<Offset>(); }
};

// The decision of MPI_File_set_view: data representation, extent of the etype and hints must be
// equal.
Error check_same_views(const std::vector<NewView *> &all) {
    std::vector<const Info *> infos;
    for (const NewView *each : all) {
        infos.push_back(each->info.get());
        if (each->representation != all[0]->representation)
            return fail(MPI_ERR_NOT_SAME, "datarep is \"%s\" on one rank and \"%s\" on another",
                        all[0]->representation.c_str(), each->representation.c_str());
        if (each->etype_extent != all[0]->etype_extent)
            return fail(MPI_ERR_NOT_SAME,
                        "the extent of etype is %lld bytes on one rank and %lld on another",
                        static_cast<long long>(all[0]->etype_extent),
                        static_cast<long long>(each->etype_extent));
    }
    return check_same_hints(infos);
}

// Updates the file's hints from the ranks' infos. Called inside the meeting, so nobody reads the
// hints meanwhile.
template <class Mine>
void update_hints(OpenFile &open, const std::vector<Mine *> &all) {
    std::vector<const Info *> infos;
    for (const Mine *each : all)
        infos.push_back(each->info.get());
    Hints hints = agreed_hints(open.hints, infos);
    hints.file_permissions = open.hints.file_permissions; // used at creation only
    bool advised = hints.access_style != open.hints.access_style;
    open.hints = hints;
    if (advised)
        advise(open);
}

// Checks `displacement`. In a file without positions it must be MPI_DISPLACEMENT_CURRENT; it
// becomes 0, and set_view() replaces it by the position of the stream.
Error check_displacement(File &file, Offset &displacement) {
    if (file.open->sequential()) {
        if (displacement != MPI_DISPLACEMENT_CURRENT)
            return fail(MPI_ERR_UNSUPPORTED_OPERATION,
                        "disp is %lld, but file \"%s\" was opened with MPI_MODE_SEQUENTIAL: it "
                        "must be MPI_DISPLACEMENT_CURRENT",
                        static_cast<long long>(displacement), file.open->name().c_str());
        displacement = 0; // set_view() does
        return success;
    }
    if (displacement == MPI_DISPLACEMENT_CURRENT)
        return fail(MPI_ERR_ARG,
                    "disp is MPI_DISPLACEMENT_CURRENT, but file \"%s\" was not opened "
                    "with MPI_MODE_SEQUENTIAL",
                    file.open->name().c_str());
    if (displacement < 0)
        return fail(MPI_ERR_ARG, "disp is %lld; it must not be negative",
                    static_cast<long long>(displacement));
    return success;
}

// Checks one rank's arguments of MPI_File_set_view and makes the view. `etype_extent` becomes the
// extent of the etype in the file, which all ranks must share. If this fails, `view` may be set all
// the same, and the caller releases it.
Error make_view(File &file, Offset displacement, Datatype &etype, Datatype &filetype,
                const char *name, View *&view, Count &etype_extent) MAY_SUSPEND {
    if (!name)
        return fail(MPI_ERR_ARG, "datarep is a null pointer");
    const Representation *representation = find_representation(name);
    if (!representation)
        return fail(MPI_ERR_UNSUPPORTED_DATAREP,
                    "datarep is \"%s\", which is neither predefined nor registered", name);
    if (Error error = check_displacement(file, displacement))
        return error;
    if (Error error =
            new_view(displacement, etype, filetype, *representation, file.open->may_write(), view))
        return error;
    if (file.open->sequential() && !view->linear) {
        release(*view);
        view = nullptr;
        return fail(MPI_ERR_TYPE, "filetype has holes, but file \"%s\" has no positions",
                    file.open->name().c_str());
    }
    Datatype *in_file = nullptr;
    if (Error error = datatype_in_file(*representation, etype, in_file))
        return error;
    etype_extent = in_file->extent;
    release(*in_file);
    return success;
}

} // namespace

// The new view replaces the old one only after all ranks have agreed, so an error leaves the old
// view in place everywhere. Accesses under way keep the view that they began with.
Error set_view(File &file, Offset displacement, Datatype &etype, Datatype &filetype,
               const char *representation, Info *info) {
    NewView mine;
    View *view = nullptr;
    mine.representation = representation ? representation : "";
    mine.info.set(info);
    mine.error = shared(
        make_view(file, displacement, etype, filetype, representation, view, mine.etype_extent));
    OpenFile &open = *file.open;
    Error error = decide_together(*file.comm, Collective::FileSetView, mine,
                                  [&open](const std::vector<NewView *> &all) {
                                      if (Error wrong = check_same_views(all))
                                          return wrong;
                                      update_hints(open, all);
                                      set_shared_pointer(open, 0);
                                      return success;
                                  });
    StreamPosition stream;
    // A second meeting, where other processes depend on the keeper: no rank may use its pointer
    // before it is set, nor move bytes of a stream before all know where it stands.
    if (!error && (open.sharing.id || open.sequential())) {
        if (open.sequential() && is_keeper(open))
            stream.position = stream_bytes_moved(open);
        error = decide_together(*file.comm, Collective::FileSetView, stream,
                                [](const std::vector<StreamPosition *> &all) {
                                    for (StreamPosition *each : all)
                                        each->position = all[0]->position;
                                    return success;
                                });
    }
    if (error) {
        if (view)
            release(*view);
        return error;
    }
    if (open.sequential())
        view->displacement = stream.position;
    View *old = nullptr;
    {
        LockGuard guard(file.lock);
        old = file.view;
        file.view = view;
        file.position = 0;
    }
    release(*old);
    return success;
}

namespace {

// What a rank brings to the functions below.
struct NewSize final : FileParticipant {
    Offset size_bytes = 0;

    void write(ByteWriter &to) const override { to.number(size_bytes); }

    void read(ByteReader &from) override { size_bytes = from.number<Offset>(); }
};

// MPI_File_set_size and MPI_File_preallocate: all ranks must pass the same size; rank 0 does the
// work between two meetings.
template <class Work>
Error change_size(File &file, Collective collective, Offset size_bytes, Work work) MAY_SUSPEND {
    NewSize mine;
    mine.size_bytes = size_bytes;
    const OpenFile &open = *file.open;
    if (Error error = need_positions(file))
        mine.error = shared(error);
    else if (size_bytes < 0)
        mine.error = shared(fail(MPI_ERR_ARG, "size is %lld; it must not be negative",
                                 static_cast<long long>(size_bytes)));
    else if (!open.may_write())
        mine.error = shared(fail(MPI_ERR_READ_ONLY, "file \"%s\" was opened with MPI_MODE_RDONLY",
                                 open.name().c_str()));
    auto same = [](const std::vector<NewSize *> &all) {
        for (const NewSize *each : all)
            if (each->size_bytes != all[0]->size_bytes)
                return fail(MPI_ERR_NOT_SAME, "size is %lld on one rank and %lld on another",
                            static_cast<long long>(all[0]->size_bytes),
                            static_cast<long long>(each->size_bytes));
        return success;
    };
    if (Error error = decide_together(*file.comm, collective, mine, same))
        return error;
    return agree_on_error(*file.comm, collective,
                          file.comm->rank == 0 ? shared(work()) : SharedError());
}

} // namespace

Error set_size(File &file, Offset size_bytes) {
    return change_size(file, Collective::FileSetSize, size_bytes,
                       [&]() MAY_SUSPEND { return thrum::set_size(*file.open, size_bytes); });
}

Error preallocate(File &file, Offset size_bytes) {
    return change_size(file, Collective::FilePreallocate, size_bytes,
                       [&]() MAY_SUSPEND { return thrum::preallocate(*file.open, size_bytes); });
}

// The first rank of each process does it after all have arrived. The kernel writes out the data of
// the file, whichever rank wrote them.
Error synchronize(File &file) {
    return work_between(*file.comm, Collective::FileSync, {}, is_first_here(*file.comm),
                        [&]() MAY_SUSPEND { return thrum::synchronize(*file.open); });
}

namespace {

// What a rank brings to MPI_File_set_atomicity.
struct Atomicity final : FileParticipant {
    bool atomic = false;

    void write(ByteWriter &to) const override { to.number(atomic); }

    void read(ByteReader &from) override { atomic = from.number<bool>(); }
};

struct NewInfo final : FileParticipant {
    InfoArgument info;

    void write(ByteWriter &to) const override { info.write(to); }

    void read(ByteReader &from) override { info.read(from); }
};

// What a rank brings to MPI_File_seek_shared; `target` is the new position, as this rank computes
// it.
struct SharedSeek final : FileParticipant {
    Offset offset = 0;
    int whence = 0;
    Offset target = 0;

    void write(ByteWriter &to) const override {
        to.number(offset);
        to.number(whence);
        to.number(target);
    }

    void read(ByteReader &from) override {
        offset = from.number<Offset>();
        whence = from.number<int>();
        target = from.number<Offset>();
    }
};

} // namespace

// The mode changes inside the meeting, when no rank is in a collective access.
Error set_atomicity(File &file, bool atomic) {
    Atomicity mine;
    mine.atomic = atomic;
    OpenFile &open = *file.open;
    return decide_together(*file.comm, Collective::FileSetAtomicity, mine,
                           [&open](const std::vector<Atomicity *> &all) {
                               for (const Atomicity *each : all)
                                   if (each->atomic != all[0]->atomic)
                                       return fail(MPI_ERR_NOT_SAME,
                                                   "flag is true on one rank and false on another");
                               // release [atomic-mode-1]: later accesses of all ranks see the mode.
                               open.atomic_mode.store(all[0]->atomic, std::memory_order_release);
                               return success;
                           });
}

// Hints change inside the meeting, so no access sees some of them.
Error set_info(File &file, Info *info) {
    NewInfo mine;
    mine.info.set(info);
    OpenFile &open = *file.open;
    return decide_together(*file.comm, Collective::FileSetInfo, mine,
                           [&open](const std::vector<NewInfo *> &all) {
                               std::vector<const Info *> infos;
                               for (const NewInfo *each : all)
                                   infos.push_back(each->info.get());
                               if (Error error = check_same_hints(infos))
                                   return error;
                               update_hints(open, all);
                               return success;
                           });
}

// Beside hints, it reports facts: the file's name, the number of ranks and of aggregators.
Info *used_info(const File &file) {
    const OpenFile &open = *file.open;
    const Hints &hints = open.hints;
    Info *info = new_info();
    auto set = [info](const char *key, unsigned long value) {
        info->set(key, std::to_string(value).c_str());
    };
    info->set("filename", open.name().c_str());
    info->set("collective_buffering", hints.collective_buffering ? "true" : "false");
    set("cb_block_size", hints.cb_block_bytes);
    set("cb_buffer_size", hints.cb_buffer_bytes);
    set("cb_nodes", static_cast<unsigned long>(aggregators_of(open)));
    set("nb_proc", static_cast<unsigned long>(open.ranks));
    set("num_io_nodes", 1);
    set("striping_factor", 1);
    char permissions[16];
    std::snprintf(permissions, sizeof permissions, "%04o",
                  static_cast<unsigned>(hints.file_permissions));
    info->set("file_perm", permissions);
    if (!hints.access_style.empty())
        info->set("access_style", hints.access_style.c_str());
    return info;
}

Error end_in_etypes(File &file, Offset &position) {
    Offset size_bytes = 0;
    if (Error error = get_size(*file.open, size_bytes))
        return error;
    const View &view = *file.view;
    // The first etype that begins at or after the end of the file.
    Offset bytes = stream_position(view, size_bytes);
    position = (bytes + view.etype_bytes - 1) / view.etype_bytes;
    return success;
}

namespace {

// Sets `target` to the new position; `current` is the pointer's position before.
Error seek_target(File &file, Offset offset, int whence, Offset current, Offset &target) {
    Offset base = 0;
    if (whence == MPI_SEEK_CUR)
        base = current;
    else if (whence == MPI_SEEK_END) {
        if (Error error = end_in_etypes(file, base))
            return error;
    } else if (whence != MPI_SEEK_SET)
        return fail(MPI_ERR_ARG,
                    "whence is %d; it must be MPI_SEEK_SET, MPI_SEEK_CUR or MPI_SEEK_END", whence);
    if (__builtin_add_overflow(base, offset, &target) || target < 0)
        return fail(
            MPI_ERR_ARG, "offset is %lld: position %lld of the view is negative or too large",
            static_cast<long long>(offset),
            static_cast<long long>(static_cast<uint64_t>(base) + static_cast<uint64_t>(offset)));
    return success;
}

} // namespace

// The lock is held while the size of the file is read, so that two threads do not mix their seeks.
Error seek(File &file, Offset offset, int whence) {
    if (Error error = need_positions(file))
        return error;
    LockGuard guard(file.lock);
    Offset target = 0;
    if (Error error = seek_target(file, offset, whence, file.position, target))
        return error;
    file.position = target;
    return success;
}

// Every rank computes the target, but that of rank 0 holds: other accesses may have moved the
// pointer between the ranks' reads of it.
Error seek_shared(File &file, Offset offset, int whence) {
    SharedSeek mine;
    mine.offset = offset;
    mine.whence = whence;
    OpenFile &open = *file.open;
    Offset current = 0;
    Error error = need_positions(file);
    if (!error)
        error = get_shared_pointer(open, current);
    if (!error)
        error = seek_target(file, offset, whence, current, mine.target);
    mine.error = shared(error);
    error = decide_together(
        *file.comm, Collective::FileSeekShared, mine,
        [&open](const std::vector<SharedSeek *> &all) {
            for (const SharedSeek *each : all)
                if (each->offset != all[0]->offset || each->whence != all[0]->whence)
                    return fail(MPI_ERR_NOT_SAME, "offset or whence differ between ranks");
            set_shared_pointer(open, all[0]->target);
            return success;
        });
    if (error || !open.sharing.id)
        return error;
    // A second meeting: no rank may use the keeper's pointer before it is set.
    return agree_on_error(*file.comm, Collective::FileSeekShared, {});
}

} // namespace thrum
