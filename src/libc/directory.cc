// chdir(), fchdir() and umask() private to a rank.
//
// Linux keeps the working directory per thread once the thread has called unshare(CLONE_FS). A rank
// that has changed its directory keeps an O_PATH descriptor of it. When a fiber is resumed,
// enter_directory_of() calls fchdir() if its worker is in another directory (84 ns). getcwd() and
// relative paths then need nothing. Until the first change in the process all this costs one load.
//
// A worker gets a directory of its own when it first resumes a fiber after that change. Before, it
// shares that of the other workers that have none, and none of those ever changes it.
#include "libc/directory.h"

#include "base/check.h"
#include "fiber/worker.h"
#include "libc/environment.h"
#include "libc/forked_child.h"
#include "libc/libc_state.h"
#include "libc/resume.h"

#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdint>
#include <cstring>
#include <fcntl.h>
#include <sched.h>
#include <sys/stat.h>
#include <unistd.h>

namespace thrum {
namespace {

// The directory and umask of a rank. Written by its own threads.
struct DirectoryState {
    int descriptor = -1; // O_PATH of the working directory; -1: the process's first one
    uint64_t serial = 0; // no two directories of ranks have the same; 0: the process's first one
    int umask = -1;      // -1: the process's first one

    ~DirectoryState() {
        if (descriptor >= 0)
            ::close(descriptor);
    }
};

LIBC_STATE(DirectoryState, rank_directory)

// Whether the ranks' directories may differ. Never reset.
std::atomic<bool> any_rank_changed_directory{false};

// The directory and umask that the kernel has for an OS thread. Used by that thread only.
struct WorkerDirectory {
    static constexpr uint64_t unknown = ~uint64_t{0}; // a new thread is where its maker was

    // The DirectoryState::serial of the directory in which the thread is. Its descriptor would not
    // do: the number may belong to another rank's directory by now.
    uint64_t serial = unknown;
    int umask = INT_MIN; // that of the thread, as in DirectoryState; INT_MIN: unknown
};

SpinLock first_lock;      // guards the two below until they are set
int first_directory = -1; // O_PATH of the directory in which the process was started
int first_umask = -1;

// Gives the calling thread a working directory and umask of its own. If the kernel refuses that,
// the ranks share one directory.
void unshare_directory() {
    if (::unshare(CLONE_FS) != 0)
        report("unshare(CLONE_FS): %s; the ranks share one working directory",
               std::strerror(errno));
}

// Returns the record of a worker; the first call makes it and must be on the worker's thread. It is
// never freed, because workers live as long as the process.
WorkerDirectory &directory_of(Worker &worker) {
    if (!worker.attachment) {
        unshare_directory(); // we are on the worker's thread
        worker.attachment = new WorkerDirectory;
    }
    return *static_cast<WorkerDirectory *>(worker.attachment);
}

// Returns the record for the calling OS thread: that of the worker, or of the rank's own thread.
WorkerDirectory &own_directory() {
    Task &task = current_task();
    if (task.kind == TaskKind::Fiber)
        return directory_of(*task.worker);
    thread_local WorkerDirectory of_thread;
    thread_local bool known = false;
    if (!known) {
        known = true;
        unshare_directory();
    }
    return of_thread;
}

// Keeps the directory and umask in which the process was started. umask() can only be read by
// setting it.
void remember_first_state() {
    LockGuard guard(first_lock);
    if (first_directory < 0) {
        first_directory = ::open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
        first_umask = static_cast<int>(::umask(022));
        ::umask(static_cast<mode_t>(first_umask));
    }
}

// Makes the calling thread's directory and umask those of a rank, if they differ.
void enter(WorkerDirectory &here, const DirectoryState &wanted) {
    if (here.serial != wanted.serial) {
        int descriptor = wanted.descriptor < 0 ? first_directory : wanted.descriptor;
        if (::fchdir(descriptor) != 0)
            report("cannot enter a rank's working directory: %s", std::strerror(errno));
        here.serial = wanted.serial;
    }
    if (here.umask != wanted.umask) {
        ::umask(static_cast<mode_t>(wanted.umask < 0 ? first_umask : wanted.umask));
        here.umask = wanted.umask;
    }
}

// Called on the worker for each resumed fiber (libc/resume.h).
void enter_directory_of(RankThread &resumed) {
    if (resumed.rank->libc)
        enter(directory_of(*resumed.worker), rank_directory(libc_of(*resumed.rank)));
}

// Separates the calling thread's directory and umask from those of other threads, and makes them
// the rank's: the path of the change that follows may be relative. From then on resumed fibers
// enter their directory.
WorkerDirectory &prepare_change(LibcState &state) {
    remember_first_state();
    WorkerDirectory &here = own_directory();
    // release [changed-directory-1]: first_directory is set.
    if (!any_rank_changed_directory.exchange(true, std::memory_order_acq_rel))
        do_at_resume(AtResume::EnterDirectory, enter_directory_of);
    enter(here, rank_directory(state));
    return here;
}

// Keeps a descriptor of the directory into which the thread has changed. Without one the rank could
// not return there after a switch, so the change is undone if it fails. Returns 0, or -1 and sets
// errno.
int keep_directory(LibcState &state, WorkerDirectory &here) {
    int descriptor = ::open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0) {
        int error = errno;
        here.serial = WorkerDirectory::unknown;
        enter(here, rank_directory(state));
        errno = error;
        return -1;
    }
    static std::atomic<uint64_t> last_serial{0};
    DirectoryState &own = rank_directory(state);
    int old = own.descriptor;
    own.descriptor = descriptor;
    own.serial = here.serial = last_serial.fetch_add(1, std::memory_order_relaxed) + 1;
    if (old >= 0)
        ::close(old);
    return 0;
}

int override_chdir(const char *path) {
    return in_forked_child() ? ::chdir(path) : change_directory(path);
}

int override_fchdir(int descriptor) {
    if (in_forked_child())
        return ::fchdir(descriptor);
    LibcState &state = current_libc();
    WorkerDirectory &here = prepare_change(state);
    return ::fchdir(descriptor) == 0 ? keep_directory(state, here) : -1;
}

mode_t override_umask(mode_t mask) {
    if (in_forked_child())
        return ::umask(mask);
    LibcState &state = current_libc();
    WorkerDirectory &here = prepare_change(state);
    mode_t old = ::umask(mask);
    rank_directory(state).umask = here.umask = static_cast<int>(mask & 0777);
    return old;
}

// Prefers the rank's $PWD, which keeps the names of symbolic links, if it is right.
char *override_get_current_dir_name() {
    const char *pwd = rank_getenv("PWD");
    struct stat named, here;
    if (pwd && *pwd == '/' && ::stat(pwd, &named) == 0 && ::stat(".", &here) == 0 &&
        named.st_dev == here.st_dev && named.st_ino == here.st_ino)
        return strdup(pwd);
    return ::getcwd(nullptr, 0);
}

const FunctionOverride table[] = {
    OVERRIDE("chdir", override_chdir),
    OVERRIDE("fchdir", override_fchdir),
    OVERRIDE("umask", override_umask),
    OVERRIDE("get_current_dir_name", override_get_current_dir_name),
};

} // namespace

LIBC_FUNCTIONS(table);

bool has_own_directory() {
    return rank_directory(current_libc()).descriptor >= 0;
}

int change_directory(const char *path) {
    LibcState &state = current_libc();
    WorkerDirectory &here = prepare_change(state);
    return ::chdir(path) == 0 ? keep_directory(state, here) : -1;
}

// The signal thread has a record like a worker's.
void enter_directory_as_visitor(Rank &rank) {
    static WorkerDirectory of_visitor;
    static bool has_its_own = false;
    // acquire [changed-directory-1]
    if (!any_rank_changed_directory.load(std::memory_order_acquire) || !rank.libc)
        return;
    if (!has_its_own) {
        has_its_own = true;
        unshare_directory();
    }
    enter(of_visitor, rank_directory(libc_of(rank)));
}

// The thread shares the kernel state of the worker that made it, which will go to other
// directories.
void enter_directory_in_new_thread(Rank &rank) {
    // The thread shares the kernel state of the worker that made it, which will go elsewhere.
    // acquire [changed-directory-1]
    if (any_rank_changed_directory.load(std::memory_order_acquire) && rank.libc)
        enter(own_directory(), rank_directory(libc_of(rank)));
}

} // namespace thrum
