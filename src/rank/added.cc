// Adds ranks and frees them (added.h). A cohort that has ended is freed in steps, whenever
// reclaim() runs:
//
//     the task has left       nobody is on its stack: image, C-library state
//     all tasks have left     their stacks
//     JobHooks::forget_ranks  nothing refers to their MPI state: their numbers
//
// Invariants
// 1. All here happens under one lock, also what image/ does for it; nobody suspends meanwhile.
// 2. A number is used again only when all others have been used: reports of a job seldom give two
//    ranks the same.
// 3. What a rank leaves in use (a thread, a timer) keeps its memory, and that of its cohort, for
//    ever.
#include "rank/added.h"

#include "base/check.h"
#include "base/create_thread.h"
#include "base/environment_variables.h"
#include "base/settings.h"
#include "fiber/os_threads.h"
#include "fiber/scheduler.h"
#include "fiber/thread_block.h"
#include "image/elf_check.h"
#include "image/image.h"
#include "rank/c_library.h"
#include "rank/job.h"
#include "rank/memory_need.h"
#include "rank/rank_lifecycle.h"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstring>
#include <fcntl.h>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <pthread.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace thrum {

namespace {

// How many added ranks may have images at a time: plug-ins reserve a place for each number.
constexpr int added_images_max = 1024;

// The ranks that one call of make_ranks() has made.
struct Cohort {
    std::vector<ProgramSpecification> programs; // to which Rank::specification points
    std::vector<Rank *> ranks;
    std::unique_ptr<StackArena> stacks; // nullptr: OS threads
    bool stacks_are_free = false;       // so that they are freed once only
    bool is_contained = false;          // the ranks of a run
    bool is_shared = false;             // they have image and C-library state of another rank
    bool is_released = false;           // the run does not need them any more
    bool has_failed = false;            // their MPI state is abandoned
};

// What this file knows; everything under `mutex`.
struct State {
    std::mutex mutex;
    std::list<Cohort> cohorts;
    std::vector<bool> numbers; // in use, from first_rank_count() on
    size_t next_number = 0;    // the first that was never used, or not for the longest time
    std::vector<bool> images;  // numbers of images in use, likewise
    // Stacks of runs that have ended, for the next ones with as many ranks: their pages are there.
    std::vector<std::unique_ptr<StackArena>> kept_stacks;
};

constexpr size_t kept_stacks_max = 4, kept_stack_ranks_max = 128, kept_stack_bytes = 32 << 10;

State &state() {
    static auto *the_state = new State; // never destroyed: ranks run while the process exits
    return *the_state;
}

// Returns whether ranks of this job are OS threads.
bool uses_os_threads() {
    return current_rank().kind == TaskKind::OsThread;
}

// Takes the next free numbers in ascending order (invariant 2). Returns false, and takes none, if
// there are too few.
bool take_numbers(size_t count, std::vector<int> &numbers) {
    State &s = state();
    if (s.numbers.empty())
        s.numbers.resize(added_ranks_max);
    for (size_t tries = 0; tries < s.numbers.size() && numbers.size() < count; ++tries) {
        size_t number = s.next_number;
        s.next_number = (number + 1) % s.numbers.size();
        if (s.numbers[number])
            continue;
        s.numbers[number] = true;
        numbers.push_back(first_rank_count() + static_cast<int>(number));
    }
    if (numbers.size() == count)
        return true;
    for (int number : numbers)
        s.numbers[static_cast<size_t>(number - first_rank_count())] = false;
    return false;
}

// Takes the lowest free numbers, for ranks whose reports have other numbers: so runs that follow
// each other use the same memory.
bool take_lowest_numbers(size_t count, std::vector<int> &numbers) {
    std::vector<bool> &used = state().numbers;
    if (used.empty())
        used.resize(added_ranks_max);
    for (size_t number = 0; number < used.size() && numbers.size() < count; ++number)
        if (!used[number])
            numbers.push_back(first_rank_count() + static_cast<int>(number));
    if (numbers.size() < count)
        return false;
    for (int number : numbers)
        used[static_cast<size_t>(number - first_rank_count())] = true;
    return true;
}

// Takes the lowest free number of an image, because plug-ins have room for a few only.
int take_image_number() {
    std::vector<bool> &images = state().images;
    size_t number = 0;
    while (number < images.size() && images[number])
        ++number;
    if (number == images.size())
        images.push_back(true);
    images[number] = true;
    return first_rank_count() + static_cast<int>(number);
}

// ---- ends

// Returns whether the rank runs no more: its fiber has left its stack, or its thread has returned
// to the C library.
bool has_left(const Rank &rank) {
    if (!rank.ended.load(std::memory_order_acquire)) // [rank-end-1]
        return false;
    if (rank.kind == TaskKind::OsThread)
        return rank.thread_has_ended.load(std::memory_order_acquire);       // [thread-end-1]
    return rank.state.load(std::memory_order_acquire) == TaskState::Done && // [done-1]
           !rank.on_worker.load(std::memory_order_acquire);                 // [switch-1]
}

// Removes the rank's image, if it has one, and frees its number.
void free_image(Rank &rank) {
    if (!rank.image)
        return;
    int number = image_number(rank.image);
    remove_image(rank.image);
    rank.image = nullptr;
    state().images[static_cast<size_t>(number - first_rank_count())] = false;
}

// Returns whether threads that the rank has made may still run. One that is just starting is not
// listed yet, and may be any rank's.
bool has_threads(const Rank &rank) {
    if (starting_os_threads() != 0)
        return true;

    struct Search {
        const Rank *rank;
        bool found;
    } search{&rank, false};

    visit_os_threads(
        [](Task &task, void *argument) {
            auto &s = *static_cast<Search *>(argument);
            s.found = s.found || static_cast<RankThread &>(task).rank == s.rank;
        },
        &search);
    return search.found;
}

// Frees what the rank has except its number and its stack. Returns false if something still refers
// to it. What a rank shares with another one stays.
bool free_rank(Rank &rank, bool is_shared) {
    if (!has_left(rank))
        return false;
    if (is_shared) {
        if (has_threads(rank))
            return false;
        std::lock_guard table(rank_table_mutex());
        rank.libc = nullptr;
        rank.image = nullptr;
        return true;
    }
    if (!rank.libc)
        return true;
    if (!c_library().may_take_state(rank))
        return false;
    c_library().take_state(rank);
    free_image(rank);
    return true;
}

// Keeps stacks for later runs, in place of those that have been kept for the longest time.
void keep_stacks(std::unique_ptr<StackArena> stacks) {
    std::vector<std::unique_ptr<StackArena>> &kept = state().kept_stacks;
    if (kept.size() == kept_stacks_max)
        kept.erase(kept.begin());
    kept.push_back(std::move(stacks));
}

// Frees as much of a cohort as possible. Returns whether nothing is left.
bool free_cohort(Cohort &cohort) {
    if (cohort.is_contained && !cohort.is_released)
        return false;
    bool all = true;
    for (Rank *rank : cohort.ranks)
        all = free_rank(*rank, cohort.is_shared) && all;
    if (!all)
        return false;
    if (!cohort.stacks_are_free && cohort.stacks)
        for (Rank *rank : cohort.ranks)
            scheduler().free_fiber(*rank);
    cohort.stacks_are_free = true;
    if (cohort.is_contained && cohort.stacks && cohort.ranks.size() <= kept_stack_ranks_max)
        keep_stacks(std::move(cohort.stacks));
    cohort.stacks.reset();
    if (cohort.has_failed) {
        if (job_hooks().abandon_ranks)
            job_hooks().abandon_ranks(cohort.ranks.data(), cohort.ranks.size());
    } else if (job_hooks().forget_ranks &&
               !job_hooks().forget_ranks(cohort.ranks.data(), cohort.ranks.size())) {
        return false;
    }
    for (Rank *rank : cohort.ranks) {
        state().numbers[static_cast<size_t>(rank->world_rank - first_rank_count())] = false;
        rank->specification = nullptr;
        rank->contained = nullptr;
    }
    return true;
}

// Frees what has ended. Under the lock.
void reclaim() {
    std::list<Cohort> &cohorts = state().cohorts;
    for (auto cohort = cohorts.begin(); cohort != cohorts.end();)
        cohort = free_cohort(*cohort) ? cohorts.erase(cohort) : std::next(cohort);
}

// ---- beginnings

// Returns the calling rank's directory, if it has one of its own; "" means the process's.
std::string directory_of_rank() {
    return c_library().has_own_directory() ? working_directory() : ""; // the process's
}

// Loads the executables that the job does not run yet, and reserves images. Returns false and a
// sentence if that fails.
bool load_programs(const std::vector<ProgramSpecification> &programs, std::vector<int> &executables,
                   std::string &error) {
    char message[1024];
    std::map<int, int> images; // by executable: several programs may be the same one
    for (const ProgramSpecification &program : programs) {
        executables.push_back(load_more_program(program.path.c_str(),
                                                reinterpret_cast<void *>(&start_loaded_program),
                                                message, sizeof message));
        if (executables.back() < 0) {
            error = message;
            return false;
        }
        images[executables.back()] += program.ranks;
    }
    for (auto [executable, count] : images)
        if (!reserve_more_images(count, executable, message, sizeof message)) {
            error = message;
            return false;
        }
    return true;
}

// Returns a sentence that says why the ranks do not fit into memory, or "" if they do.
std::string shortage_of_memory(const std::vector<ProgramSpecification> &programs,
                               const std::vector<int> &executables) {
    int ranks = 0;
    uint64_t bytes = 0;
    for (size_t p = 0; p < programs.size(); ++p) {
        size_t each = rank_bytes(uses_os_threads()) + image_bytes(executables[p]);
        ranks += programs[p].ranks;
        bytes += each * static_cast<uint64_t>(programs[p].ranks);
    }
    return memory_shortage(ranks, bytes, programs[0].path.c_str(), images_are_clones(),
                           why_cloned());
}

std::string too_many_ranks() {
    return "a job can have at most " + std::to_string(added_ranks_max) +
           " ranks at a time besides its initial ones";
}

// Gives the rank its argv, and a copy of the calling rank's environment.
void make_libc_state(Rank &rank, const ProgramSpecification &program) {
    std::vector<char *> arguments;
    for (const std::string &argument : program.arguments)
        arguments.push_back(const_cast<char *>(argument.c_str())); // copied
    arguments.push_back(nullptr);
    c_library().give_state_to_added(rank, static_cast<int>(arguments.size()) - 1, arguments.data(),
                                    environment_of(current_rank()));
}

// Makes the rank's image and binds its C-library state. A refusal, which would end the process at
// the start of a job, is an error here.
bool make_rank_image(Rank &rank, std::string &error) {
    struct Making {
        Rank &rank;
        int number;
    } making{rank, take_image_number()};

    char message[512];
    auto make = [](void *argument) {
        auto &m = *static_cast<Making *>(argument);
        m.rank.image = make_image(m.number, c_library().variables(m.rank), m.rank.executable);
    };
    if (!run_attempt(make, &making, message, sizeof message)) {
        error = message;
        state().images[static_cast<size_t>(making.number - first_rank_count())] = false;
        return false;
    }
    rank.gs_base = gs_base_of(rank.image);
    c_library().bind_state(rank);
    return true;
}

// Makes the fibers of a cohort on its stacks.
bool make_fibers(Cohort &cohort, std::string &error) {
    for (size_t i = 0; i < cohort.ranks.size(); ++i) {
        Rank &rank = *cohort.ranks[i];
        if (!scheduler().create_fiber(rank, *cohort.stacks, i, &live_on_fiber, &rank)) {
            error = "out of memory for the thread block of a rank";
            return false;
        }
    }
    return true;
}

// Makes the stacks and fibers of a cohort; threads get theirs when they start.
bool make_stacks(Cohort &cohort, std::string &error) {
    if (uses_os_threads())
        return true;
    size_t bytes = rank_stack_bytes(rank_count());
    for (std::unique_ptr<StackArena> &kept : state().kept_stacks)
        if (kept->fits(cohort.ranks.size(), bytes, thread_block_bytes())) {
            cohort.stacks = std::move(kept);
            std::erase(state().kept_stacks, nullptr);
            cohort.stacks->renew(thread_block_bytes(), kept_stack_bytes);
            return make_fibers(cohort, error);
        }
    cohort.stacks = std::make_unique<StackArena>();
    if (!cohort.stacks->reserve(cohort.ranks.size(), bytes, thread_block_bytes())) {
        error = "cannot reserve " + std::to_string(cohort.ranks.size()) + " stacks of " +
                std::to_string(bytes >> 10) + " KiB: " + std::strerror(errno);
        return false;
    }
    return make_fibers(cohort, error);
}

// Makes the ranks of a cohort with all that they need. Returns false and a sentence on failure;
// empty_cohort() then undoes it.
bool fill_cohort(Cohort &cohort, const std::vector<int> &numbers,
                 const std::vector<int> &executables, std::string &error) {
    size_t next = 0;
    std::unique_lock table(rank_table_mutex());
    for (size_t p = 0; p < cohort.programs.size(); ++p)
        for (int i = 0; i < cohort.programs[p].ranks; ++i, ++next) {
            Rank &rank = add_rank(numbers[next], static_cast<int>(numbers.size()));
            rank.program = static_cast<int>(p);
            rank.executable = executables[p];
            rank.specification = &cohort.programs[p];
            cohort.ranks.push_back(&rank);
        }
    table.unlock();
    for (Rank *rank : cohort.ranks) {
        make_libc_state(*rank, *rank->specification);
        if (!make_rank_image(*rank, error))
            return false;
    }
    return make_stacks(cohort, error);
}

// Frees the ranks of a cohort that have not run, as if they had run and ended. They count as
// threads that have ended, because has_left() looks at the state of fibers.
void empty_cohort(Cohort &cohort) {
    for (Rank *rank : cohort.ranks) {
        rank->ended.store(true, std::memory_order_release);            // [rank-end-1]
        rank->thread_has_ended.store(true, std::memory_order_release); // [thread-end-1]
        rank->kind = TaskKind::OsThread;
        if (rank->libc)
            c_library().take_state(*rank);
        free_image(*rank);
        if (rank->thread_pointer)
            scheduler().free_fiber(*rank);
    }
    cohort.stacks_are_free = true;
    cohort.stacks.reset();
}

// The start function of an added rank's OS thread. The rank ends by longjmp() back to here, so that
// the C library ends the thread, and its stack can be freed.
void *live_on_added_thread(void *argument) MAY_SUSPEND {
    Rank &rank = *static_cast<Rank *>(argument);
    initialise_tls(rank.image, current_thread_pointer());
    set_current_image(rank.image);
    char name[16];
    std::snprintf(name, sizeof name, "rank %d", rank.world_rank);
    ::prctl(PR_SET_NAME, name);
    pthread_attr_t attributes;
    void *low = nullptr;
    size_t bytes = 0;
    if (::pthread_getattr_np(::pthread_self(), &attributes) == 0) {
        ::pthread_attr_getstack(&attributes, &low, &bytes);
        ::pthread_attr_destroy(&attributes);
        rank.stack_low = static_cast<char *>(low);
        rank.stack_high = rank.stack_low + bytes;
    }
    thread_has_started();
    enter_os_thread(rank);
    withdraw_os_thread(); // announced by start_thread()
    jmp_buf end;
    end_of_added_thread = &end;
    if (rank.contained) {
        live_contained(rank);
        leave_os_thread(rank);
    } else if (_setjmp(end) == 0)
        live(rank);
    // release [thread-end-1]: nothing of the rank runs from here on.
    static_cast<Rank *>(argument)->thread_has_ended.store(true, std::memory_order_release);
    return nullptr;
}

// Starts the OS thread of an added rank. It is announced first: the process must not seem quiescent
// before it runs.
void start_thread(Rank &rank) {
    pthread_attr_t attributes;
    ::pthread_attr_init(&attributes);
    ::pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    ::pthread_attr_setstacksize(&attributes, rank_stack_bytes(rank_count()) + thread_block_bytes());
    announce_os_thread();
    pthread_t thread;
    if (int error = create_thread(&thread, &attributes, live_on_added_thread, &rank))
        die(1, "cannot start an OS thread for rank %d: %s (ulimit -u, kernel.threads-max)",
            rank.world_rank, std::strerror(error));
    ::pthread_attr_destroy(&attributes);
}

// ---- executables

bool is_executable_file(const std::string &path) {
    struct stat status;
    return ::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) &&
           ::access(path.c_str(), X_OK) == 0;
}

std::string absolute(const std::string &path) {
    char *real = ::realpath(path.c_str(), nullptr);
    std::string result = real ? real : "";
    std::free(real);
    return result;
}

// Returns the first executable `name` in the colon-separated directories, or "".
std::string search(const char *name, const std::string &directories) {
    for (size_t begin = 0; begin <= directories.size();) {
        size_t end = std::min(directories.find(':', begin), directories.size());
        std::string directory = directories.substr(begin, end - begin);
        std::string path = (directory.empty() ? "." : directory) + "/" + name;
        if (is_executable_file(path))
            return path;
        begin = end + 1;
    }
    return "";
}

// Returns why the file cannot be the program of new ranks or processes, or "" if it can.
std::string what_is_wrong_with(const std::string &path, ProgramUse use) {
    struct stat status;
    if (::stat(path.c_str(), &status) != 0)
        return std::strerror(errno);
    if (!S_ISREG(status.st_mode))
        return S_ISDIR(status.st_mode) ? "is a directory, not a program" : "is not a regular file";
    if (::access(path.c_str(), X_OK) != 0)
        return "is not executable (chmod +x?)";
    if (use == ProgramUse::Process)
        return "";
    char magic[4] = {};
    int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    ssize_t bytes = file < 0 ? -1 : ::read(file, magic, sizeof magic);
    if (file >= 0)
        ::close(file);
    if (bytes >= 2 && !std::memcmp(magic, "#!", 2))
        return "is a script; ranks are images of a program: name the program itself";
    char message[1024];
    if (!check_executable(path.c_str(), message, sizeof message))
        return message;
    return "";
}

} // namespace

// Everything that can fail happens here, before any rank runs. Memory of ended cohorts is freed
// first, because it may suffice.
bool make_ranks(const std::vector<ProgramSpecification> &programs, std::vector<Rank *> &ranks,
                std::string &error) {
    size_t count = 0;
    for (const ProgramSpecification &program : programs)
        count += static_cast<size_t>(program.ranks);
    if (const char *reason = reason_not_to_grow()) {
        error = reason;
        return false;
    }
    if (!job_may_grow()) {
        error = "this process was started as a single rank that is not prepared to spawn others; "
                "start the job with mpiexec --spawn (or THRUM_SPAWN=1 in the environment)";
        return false;
    }
    std::lock_guard guard(state().mutex);
    reclaim();
    std::vector<int> executables, numbers;
    if (!load_programs(programs, executables, error))
        return false;
    error = shortage_of_memory(programs, executables);
    if (!error.empty())
        return false;
    if (!take_numbers(count, numbers)) {
        error = too_many_ranks();
        return false;
    }
    // In a list, because Rank::specification points into the cohort.
    Cohort &cohort = state().cohorts.emplace_back();
    cohort.programs = programs;
    for (ProgramSpecification &program : cohort.programs)
        if (program.directory.empty())
            program.directory = directory_of_rank();
    if (!fill_cohort(cohort, numbers, executables, error)) {
        empty_cohort(cohort);
        for (int number : numbers)
            state().numbers[static_cast<size_t>(number - first_rank_count())] = false;
        state().cohorts.pop_back();
        return false;
    }
    ranks = cohort.ranks;
    return true;
}

// Makes a cohort whose ranks have the calling rank's image and C-library state. Under the lock.
static bool fill_shared_cohort(Cohort &cohort, const std::vector<int> &numbers,
                               std::string &error) {
    const Rank &caller = current_rank();
    cohort.is_shared = true;
    std::unique_lock table(rank_table_mutex());
    for (int number : numbers) {
        Rank &rank = add_rank(number, static_cast<int>(numbers.size()));
        rank.program = caller.program;
        rank.executable = caller.executable;
        rank.image = caller.image;
        rank.gs_base = caller.gs_base;
        rank.libc = caller.libc;
        cohort.ranks.push_back(&rank);
    }
    table.unlock();
    return make_stacks(cohort, error);
}

// Undoes what has been made of a cohort. Under the lock.
static void remove_cohort(Cohort &cohort, const std::vector<int> &numbers) {
    if (cohort.is_shared) {
        std::lock_guard table(rank_table_mutex());
        for (Rank *rank : cohort.ranks) {
            rank->libc = nullptr;
            rank->image = nullptr;
        }
    }
    empty_cohort(cohort);
    for (int number : numbers)
        state().numbers[static_cast<size_t>(number - first_rank_count())] = false;
    state().cohorts.pop_back();
}

// Returns the program of the calling rank, for ranks that run it in an image of their own.
static ProgramSpecification own_program(size_t ranks) {
    const Rank &caller = current_rank();
    ProgramSpecification program;
    char path[PATH_MAX];
    const ssize_t length = ::readlink("/proc/self/exe", path, sizeof path - 1);
    if (const char *own = program_path(caller))
        program.path = own;
    else if (length > 0)
        program.path.assign(path, static_cast<size_t>(length));
    // The program may have taken arguments out of its argv.
    for (int i = 0; i < caller.libc->argc && caller.libc->argv[i]; ++i)
        program.arguments.push_back(caller.libc->argv[i]);
    program.ranks = static_cast<int>(ranks);
    return program;
}

bool make_contained_ranks(bool shared, Contained *members, size_t count, std::vector<Rank *> &ranks,
                          std::string &error) {
    if (!shared) {
        if (!make_ranks({own_program(count)}, ranks, error))
            return false;
    }
    std::lock_guard guard(state().mutex);
    if (shared) {
        reclaim();
        std::vector<int> numbers;
        if (!take_lowest_numbers(count, numbers)) {
            error = too_many_ranks();
            return false;
        }
        Cohort &cohort = state().cohorts.emplace_back();
        if (!fill_shared_cohort(cohort, numbers, error)) {
            remove_cohort(cohort, numbers);
            return false;
        }
        ranks = cohort.ranks;
    }
    for (Cohort &cohort : state().cohorts)
        if (cohort.ranks == ranks)
            cohort.is_contained = true;
    for (size_t i = 0; i < count; ++i) {
        members[i].rank = ranks[i];
        members[i].number = static_cast<int>(i);
        members[i].has_own_process_state = !shared;
        ranks[i]->contained = &members[i];
    }
    return true;
}

void release_contained_ranks(const std::vector<Rank *> &ranks, bool failed) {
    std::lock_guard guard(state().mutex);
    for (Cohort &cohort : state().cohorts)
        if (cohort.ranks == ranks) {
            cohort.is_released = true;
            cohort.has_failed = failed;
        }
    reclaim();
}

void start_ranks(const std::vector<Rank *> &ranks) {
    if (ranks.empty())
        return;
    if (!ranks[0]->contained) // the process does not wait for the ranks of a run: their caller does
        count_added_ranks(static_cast<int>(ranks.size()));
    // Ranks are given to the workers in turn, also those of different calls.
    static std::atomic<unsigned> next_worker{0};
    for (Rank *rank : ranks) {
        if (rank->kind == TaskKind::OsThread) {
            start_thread(*rank);
            continue;
        }
        unsigned worker = next_worker.fetch_add(1, std::memory_order_relaxed);
        scheduler().start_fiber(
            *rank, static_cast<int>(worker % static_cast<unsigned>(scheduler().worker_count())));
    }
}

void unmake_ranks(const std::vector<Rank *> &ranks) {
    std::lock_guard guard(state().mutex);
    for (Cohort &cohort : state().cohorts)
        if (cohort.ranks == ranks)
            empty_cohort(cohort); // the next reclaim() forgets it
}

void reclaim_ranks() {
    State &s = state();
    std::lock_guard guard(s.mutex);
    reclaim();
}

std::string working_directory() {
    char path[PATH_MAX];
    return ::getcwd(path, sizeof path) ? path : "";
}

bool can_add_ranks() {
    return job_may_grow() && !reason_not_to_grow();
}

bool needs_process(const std::string &path) {
    char magic[4] = {}, message[1024];
    int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    ssize_t bytes = file < 0 ? -1 : ::read(file, magic, sizeof magic);
    if (file >= 0)
        ::close(file);
    if (bytes >= 2 && !std::memcmp(magic, "#!", 2)) // the kernel finds its interpreter
        return true;
    return bytes == sizeof magic && !std::memcmp(magic, "\177ELF", sizeof magic) &&
           !check_executable(path.c_str(), message, sizeof message);
}

std::string find_executable(const char *name, const std::string &directories, ProgramUse use,
                            std::string &error) {
    std::string path;
    if (!*name) {
        error = "the program name is empty";
        return "";
    }
    if (std::strchr(name, '/')) {
        path = name;
    } else {
        const char *variable = find_variable(environment_of(current_rank()), "PATH");
        if (!directories.empty())
            path = search(name, directories);
        if (path.empty())
            path = search(name, variable ? variable : "/usr/local/bin:/usr/bin:/bin");
        if (path.empty())
            path = search(name, ".");
        if (path.empty()) {
            error = std::string(name) + ": not found in " +
                    (directories.empty() ? "" : "the path of info, ") +
                    "PATH and the working directory";
            return "";
        }
    }
    std::string wrong = what_is_wrong_with(path, use);
    if (wrong.empty())
        return absolute(path);
    // A message of elf_check.h names the file itself.
    error = wrong.find(path) == std::string::npos ? path + ": " + wrong : wrong;
    return "";
}

int images_max() {
    return job_may_grow() ? first_rank_count() + added_images_max : settings().ranks;
}

} // namespace thrum
