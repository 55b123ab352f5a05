#include "io/file.h"

#include "comm/duplicates.h"
#include "comm/process.h"
#include "comm/span.h"
#include "io/collective_access.h"
#include "io/file_defaults.h"
#include "io/stream.h"
#include "io/together.h"

#include <cstring>
#include <unistd.h>

namespace thrum {
namespace {

constinit ObjectPool<File> pool;

// An Error of the calling rank, for all.
SharedError shared(Error error) {
    SharedError result;
    if (error)
        result.take(error);
    return result;
}

// A decision that one rank makes and that may take long: it must not be made while the others'
// leaves wait for a thread that is elsewhere, so it gets a meeting of its own. Rank 0 works between
// two meetings; what it says is everybody's.
template <class Mine, class Work>
Error work_on_rank_0(Communicator &comm, Collective collective, Mine &mine, Work work) MAY_SUSPEND {
    if (Error error = decide_together(comm, collective, mine,
                                      [](const std::vector<Mine *> &) { return success; }))
        return error;
    const void *published = argument_of(comm, 0);
    auto &first = *static_cast<Mine *>(const_cast<void *>(published));
    if (comm.rank == 0)
        first.error = shared(work(first));
    Participant nothing;
    Error error = meet(comm, &nothing, collective);
    if (!error)
        error = first.error.raise();
    // `first` lives on rank 0's stack until all have read it.
    Error last = meet(comm, &nothing, collective);
    return error ? error : last;
}

struct Opening : Participant {
    const char *name = nullptr;
    int amode = 0;
    Info *info = nullptr;
    OpenFile *file = nullptr;
    Offset position = 0; // MPI_MODE_APPEND: the end of the file
};

Error check_openings(const std::vector<Opening *> &all) {
    std::vector<const Info *> infos;
    for (const Opening *each : all) {
        infos.push_back(each->info);
        if (each->amode != all[0]->amode)
            return fail(MPI_ERR_NOT_SAME, "amode is %d on one rank and %d on another",
                        all[0]->amode, each->amode);
    }
    return check_same_hints(infos);
}

Hints agreed_hints(const Hints &before, const std::vector<const Info *> &infos) {
    Hints hints = before;
    for (auto info = infos.rbegin(); info != infos.rend(); ++info) // the first rank's word counts
        hints.update(*info);
    return hints;
}

File *new_file(Communicator &comm, OpenFile &open, Offset position) {
    File *file = pool.make();
    Context &context = next_duplicate(comm);
    file->comm = new_communicator(*comm.process, context, *comm.group, comm.rank);
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
                "file \"%s\" was opened with MPI_MODE_SEQUENTIAL: it has no positions",
                file.open->name.c_str());
}

namespace {

// On rank 0, between two meetings: opens the file, or says why not, and writes the result into
// everybody's part.
void open_for_all(const Visit &visit, int ranks) MAY_SUSPEND {
    std::vector<Opening *> all;
    std::vector<const Info *> infos;
    Error error;
    for (int i = 0; i < ranks; ++i) {
        all.push_back(const_cast<Opening *>(&visit.argument<Opening>(i)));
        infos.push_back(all.back()->info);
        if (!error && all.back()->error)
            error = all.back()->error.raise();
    }
    OpenFile *open = nullptr;
    if (!error)
        error = check_openings(all);
    if (!error)
        error = open_file(all[0]->name, all[0]->amode, agreed_hints({}, infos), ranks, open);
    SharedError for_all = shared(error);
    if (open) // a reference for each handle to be
        open->references.store(ranks, std::memory_order_relaxed);
    for (Opening *each : all) {
        if (!each->error)
            each->error = for_all;
        each->file = open;
        each->position = open ? open->shared_pointer : 0;
    }
}

} // namespace

// All ranks publish; rank 0 opens the file in its own working directory and with its umask; then
// each compares what its name means to it.
Error open(Communicator &comm, const char *name, int amode, Info *info, File *&result) {
    if (comm.context->span)
        return not_across_processes("a file that is opened");
    Opening mine;
    mine.name = name;
    mine.amode = amode;
    mine.info = info;
    mine.error =
        shared(name ? check_amode(amode) : fail(MPI_ERR_ARG, "filename is a null pointer"));
    Visit visit(comm, Announcement::make(Collective::FileOpen), &mine);
    visit.pass(Visit::Until::Complete);
    if (Error error = visit.verdict())
        return error;
    if (comm.rank == 0)
        open_for_all(visit, comm.size);
    if (Error error = meet(comm, &mine, Collective::FileOpen))
        return error;
    if (!mine.file)
        return mine.error.raise();
    OpenFile &open = *mine.file;
    mine.error = shared(comm.rank == 0 ? success : check_same_file(open, name));
    if (Error error = decide_together(comm, Collective::FileOpen, mine,
                                      [](const std::vector<Opening *> &) { return success; })) {
        release(open);
        return error;
    }
    result = new_file(comm, open, mine.position);
    return success;
}

// Section 14.2.2: as MPI_File_sync, then the end. All come first: whoever goes on may open, or
// delete, the file anew.
Error close(File &file) {
    OpenFile &open = *file.open;
    Participant mine;
    Error error = work_on_rank_0(*file.comm, Collective::FileClose, mine, [&](Participant &) {
        bool deleted = (open.amode & MPI_MODE_DELETE_ON_CLOSE) != 0;
        return deleted ? delete_open_file(open) : thrum::synchronize(open);
    });
    file.magic = 0;
    release(file);
    return error;
}

namespace {

struct NewView : Participant {
    Datatype *etype = nullptr;
    const char *representation = nullptr;
    Count etype_extent = 0; // in the file
    Info *info = nullptr;
    Offset stream_position = 0; // of a file without positions, when all have come
};

Error check_same_views(const std::vector<NewView *> &all) {
    std::vector<const Info *> infos;
    for (const NewView *each : all) {
        infos.push_back(each->info);
        if (std::strcmp(each->representation, all[0]->representation) != 0)
            return fail(MPI_ERR_NOT_SAME, "datarep is \"%s\" on one rank and \"%s\" on another",
                        all[0]->representation, each->representation);
        if (each->etype_extent != all[0]->etype_extent)
            return fail(MPI_ERR_NOT_SAME,
                        "the extent of etype is %lld bytes on one rank and %lld on another",
                        static_cast<long long>(all[0]->etype_extent),
                        static_cast<long long>(each->etype_extent));
    }
    return check_same_hints(infos);
}

template <class Mine>
void update_hints(OpenFile &open, const std::vector<Mine *> &all) {
    std::vector<const Info *> infos;
    for (const Mine *each : all)
        infos.push_back(each->info);
    Hints hints = agreed_hints(open.hints, infos);
    hints.file_permissions = open.hints.file_permissions; // of the creation
    bool advised = hints.access_style != open.hints.access_style;
    open.hints = hints;
    if (advised)
        advise(open);
}

// The displacement of a file without positions is where it stands.
Error check_displacement(File &file, Offset &displacement) {
    if (file.open->sequential()) {
        if (displacement != MPI_DISPLACEMENT_CURRENT)
            return fail(MPI_ERR_UNSUPPORTED_OPERATION,
                        "disp is %lld, but file \"%s\" was opened with MPI_MODE_SEQUENTIAL: it "
                        "must be MPI_DISPLACEMENT_CURRENT",
                        static_cast<long long>(displacement), file.open->name.c_str());
        displacement = 0; // known when all have come
        return success;
    }
    if (displacement == MPI_DISPLACEMENT_CURRENT)
        return fail(MPI_ERR_ARG,
                    "disp is MPI_DISPLACEMENT_CURRENT, but file \"%s\" was not opened "
                    "with MPI_MODE_SEQUENTIAL",
                    file.open->name.c_str());
    if (displacement < 0)
        return fail(MPI_ERR_ARG, "disp is %lld; it must not be negative",
                    static_cast<long long>(displacement));
    return success;
}

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
                    file.open->name.c_str());
    }
    Datatype *in_file = nullptr;
    if (Error error = datatype_in_file(*representation, etype, in_file))
        return error;
    etype_extent = in_file->extent;
    release(*in_file);
    return success;
}

} // namespace

Error set_view(File &file, Offset displacement, Datatype &etype, Datatype &filetype,
               const char *representation, Info *info) {
    NewView mine;
    View *view = nullptr;
    mine.etype = &etype;
    mine.representation = representation;
    mine.info = info;
    mine.error = shared(
        make_view(file, displacement, etype, filetype, representation, view, mine.etype_extent));
    OpenFile &open = *file.open;
    Error error = decide_together(*file.comm, Collective::FileSetView, mine,
                                  [&open](const std::vector<NewView *> &all) {
                                      if (Error wrong = check_same_views(all))
                                          return wrong;
                                      update_hints(open, all);
                                      for (NewView *each : all)
                                          if (open.sequential())
                                              each->stream_position = stream_bytes_moved(open);
                                      LockGuard guard(open.pointer_lock);
                                      open.shared_pointer = 0;
                                      return success;
                                  });
    if (error) {
        if (view)
            release(*view);
        return error;
    }
    if (open.sequential())
        view->displacement = mine.stream_position;
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

struct NewSize : Participant {
    Offset size_bytes = 0;
};

// MPI_File_set_size and MPI_File_preallocate.
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
                                 open.name.c_str()));
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
    return work_on_rank_0(*file.comm, collective, mine, [&](NewSize &) { return work(); });
}

} // namespace

Error set_size(File &file, Offset size_bytes) {
    return change_size(file, Collective::FileSetSize, size_bytes,
                       [&] { return thrum::set_size(*file.open, size_bytes); });
}

Error preallocate(File &file, Offset size_bytes) {
    return change_size(file, Collective::FilePreallocate, size_bytes,
                       [&] { return thrum::preallocate(*file.open, size_bytes); });
}

// One of the ranks does it when all have come: it holds for what any of them has written.
Error synchronize(File &file) {
    Participant mine;
    return work_on_rank_0(*file.comm, Collective::FileSync, mine,
                          [&](Participant &) { return thrum::synchronize(*file.open); });
}

namespace {

struct Atomicity : Participant {
    bool atomic = false;
};

struct NewInfo : Participant {
    Info *info = nullptr;
};

struct SharedSeek : Participant {
    Offset offset = 0;
    int whence = 0;
    Offset target = 0;
};

} // namespace

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
                               open.atomic_mode.store(all[0]->atomic, std::memory_order_release);
                               return success;
                           });
}

Error set_info(File &file, Info *info) {
    NewInfo mine;
    mine.info = info;
    OpenFile &open = *file.open;
    return decide_together(*file.comm, Collective::FileSetInfo, mine,
                           [&open](const std::vector<NewInfo *> &all) {
                               std::vector<const Info *> infos;
                               for (const NewInfo *each : all)
                                   infos.push_back(each->info);
                               if (Error error = check_same_hints(infos))
                                   return error;
                               update_hints(open, all);
                               return success;
                           });
}

Info *used_info(const File &file) {
    const OpenFile &open = *file.open;
    const Hints &hints = open.hints;
    Info *info = new_info();
    auto set = [info](const char *key, unsigned long value) {
        info->set(key, std::to_string(value).c_str());
    };
    info->set("filename", open.name.c_str());
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

// Where a seek goes to; `current` is the pointer now.
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
            MPI_ERR_ARG, "offset is %lld, which leads to position %lld of the view",
            static_cast<long long>(offset),
            static_cast<long long>(static_cast<uint64_t>(base) + static_cast<uint64_t>(offset)));
    return success;
}

} // namespace

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

Error seek_shared(File &file, Offset offset, int whence) {
    SharedSeek mine;
    mine.offset = offset;
    mine.whence = whence;
    OpenFile &open = *file.open;
    Error error = need_positions(file);
    if (!error) {
        LockGuard guard(open.pointer_lock);
        error = seek_target(file, offset, whence, open.shared_pointer, mine.target);
    }
    mine.error = shared(error);
    return decide_together(
        *file.comm, Collective::FileSeekShared, mine,
        [&open](const std::vector<SharedSeek *> &all) {
            for (const SharedSeek *each : all)
                if (each->offset != all[0]->offset || each->whence != all[0]->whence)
                    return fail(MPI_ERR_NOT_SAME, "offset or whence differ between ranks");
            LockGuard guard(open.pointer_lock);
            open.shared_pointer = all[0]->target;
            return success;
        });
}

} // namespace thrum
