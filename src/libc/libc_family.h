// What the files of the C-library state share: the state itself, and how a family of functions
// declares its overrides. Private to this folder; the contract for others is
// libc/libc_state.h.
//
// Invariants
// 1. An override runs on a thread of the rank whose state it uses, also in a child of fork().
// 2. `bound` says where the program sees its variables; nobody uses `variables` directly after
//    bind_libc_state().
// 3. `lock` guards what a rank's own threads share; it is never held over a call into the program.
#pragma once
#include "base/spinlock.h"
#include "image/image.h"
#include "libc/forked_child.h"
#include "libc/getopt.h"
#include "libc/output.h"
#include "libc/random.h"
#include "libc/signals.h"
#include "rank/c_library.h"
#include "rank/rank.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <cwchar>
#include <spawn.h>
#include <string>
#include <sys/resource.h>
#include <sys/types.h>
#include <syslog.h>
#include <unistd.h>
#include <vector>

namespace thrum {

struct FunctionFamily {
    const FunctionOverride *functions;
    size_t count;
};

// One per file, or several.
extern const FunctionFamily exit_family, getopt_family, random_family, statics_family, time_family,
    environment_family, process_family, directory_family, sleep_family, thread_family, stdio_family,
    print_family, dynamic_linking_family, key_family, descriptor_family, signal_family,
    alarm_family, cpu_time_family, standard_input_family, file_descriptor_family,
    device_descriptor_family, opened_descriptor_family, file_lock_family, locale_family,
    system_log_family, database_family, descriptor_limit_family, blocking_descriptor_family,
    blocking_socket_family, blocking_poll_family, blocking_lock_family, blocking_ipc_family,
    message_family, program_file_family;

// An entry of a family's table.
#define OVERRIDE(name, function) {name, reinterpret_cast<void *>(function)}
#define FAMILY(table) {table, sizeof(table) / sizeof(table)[0]}

// The C library's variables of a clone that holds no COPY of them.
struct LibcVariables {
    char *optarg = nullptr;
    int optind = 1;
    int opterr = 1;
    int optopt = '?';
    char **environment = nullptr;
    FILE *in = nullptr;
    FILE *out = nullptr;
    FILE *err = nullptr;
    char *program_name = nullptr;       // argv[0]
    char *program_short_name = nullptr; // its last part
    int sign_of_gamma = 0;
    char single_threaded = 0; // false: libstdc++ and libgomp must count with other threads
};

// Where the program's own view of each variable is.
struct BoundVariables {
    char **optarg = nullptr;
    int *optind = nullptr;
    int *opterr = nullptr;
    int *optopt = nullptr;
    char ***environment = nullptr;
    FILE **in = nullptr;
    FILE **out = nullptr;
    FILE **err = nullptr;
    char **program_name = nullptr;
    char **program_short_name = nullptr;
    int *sign_of_gamma = nullptr;
    char *single_threaded = nullptr;
};

struct ExitHandler {
    enum class Kind : unsigned char { Removed, AtExit, OnExit };
    Kind kind;
    void *function;
    void *argument;
    void *object; // __dso_handle of the object that registered it
};

struct ExitState {
    std::vector<ExitHandler> handlers;
    std::vector<void (*)()> quick_handlers;
    bool destructors_run = false;
    RankThread *exiting = nullptr; // the thread that is inside exit()
};

// Memory for results that a function returns in a static buffer; one per function, made on use.
struct StaticBuffers {
    char *strtok_rest = nullptr;
    tm broken_down_time = {};
    char time_text[64] = {};
    std::vector<char> database_entry[6];    // getpwnam, getgrnam, gethostbyname ... (statics.cc)
    std::string name;                       // ttyname, ptsname, tmpnam, ecvt ...
    std::vector<char> hash_table;           // hsearch
    std::vector<char> enumeration_entry[8]; // getpwent, getgrent ... (databases.cc)
    std::vector<char> mount_entry;          // getmntent
    size_t positions[8] = {};               // of getpwent(), getgrent() ... (databases.cc)
    char terminal_name[32] = {};            // ctermid
};

struct DirectoryState {
    int descriptor = -1; // O_PATH of the working directory; -1: the process's first one
    int umask = -1;      // -1: the process's first one
};

// What a thread of the rank has of its own.
struct ThreadState {
    void *thread_pointer = nullptr; // its FS base
    int os_thread_id = 0;           // gettid()
    std::string dl_error;           // what dlerror() returns next, if ours
    std::string dl_error_text;      // what it has returned
};

struct AlarmState;  // alarm.cc
struct LocaleState; // locale.cc

struct LogState { // openlog()
    const char *identity = nullptr;
    int options = 0;
    int facility = LOG_USER;
    int mask = LOG_UPTO(LOG_DEBUG);
};

// A key of thread-specific data.
struct ThreadKey {
    void (*destructor)(void *) = nullptr;
    unsigned serial = 0; // counts the uses of its number
    bool in_use = false;
};

struct LibcState : CLibraryState {
    LibcVariables variables;
    BoundVariables bound;
    SpinLock lock;
    char **own_environment = nullptr; // of an added rank: what it has started with
    FILE *out = nullptr; // what bound.out points to at start; the program may assign another FILE
    FILE *err = nullptr;
    FILE *in = nullptr;
    int input = STDIN_FILENO; // what descriptor 0 of the rank means; -1: it has closed it
    OutputStream out_stream;
    OutputStream err_stream;
    std::vector<FILE *> files;         // opened by this rank and not closed: fflush(NULL), exit()
    std::vector<pid_t> ended_children; // of those below: SIGCHLD has been sent
    std::vector<std::pair<pid_t, int>> stopped_children; // si_code of the last such SIGCHLD
    std::vector<pid_t> children; // of fork, posix_spawn, popen: wait() reaps only these
    std::vector<std::pair<FILE *, pid_t>> pipes; // of popen
    char **owned_environment = nullptr; // the vector that setenv() made; environment_capacity slots
    size_t environment_capacity = 0;
    ExitState exit;
    GetoptPosition getopt;
    RandomState random;
    std::atomic<StaticBuffers *> static_buffers{nullptr}; // made on use, by statics()
    DirectoryState directory;
    ThreadState main_thread;
    std::vector<ThreadState *> threads;  // that the rank has made
    std::atomic<int> running_threads{0}; // made by pthread_create(), not ended
    std::vector<ThreadKey> keys;         // of pthread_key_create(), by number
    RankThread *loader = nullptr;        // the thread that is in dlopen() or dlclose()
    int loader_depth = 0;
    RankSignals signals;
    AlarmState *alarms = nullptr;   // made on use
    std::atomic<int64_t> cpu_ns{0}; // CPU time of fibers and of threads that have ended
    LocaleState *locale = nullptr;  // made on use
    mbstate_t mbrtowc_state = {}, mbrlen_state = {}, wcrtomb_state = {}, mbtowc_state = {};
    LogState log;
    std::string text_domain;          // of textdomain(); empty: the default
    rusage *children_usage = nullptr; // of the children that the rank has reaped; made on use

    StaticBuffers &statics();
};

// The state of the calling rank. Before the ranks exist (the originals' constructors run first):
// the state that becomes that of the rank that runs the originals.
LibcState &current_libc();

// The state of any rank that has one.
inline LibcState &libc_of(const Rank &rank) {
    return static_cast<LibcState &>(*rank.libc);
}

// Whether the real functions must hold the thread: in a child of fork(), and in a handler that runs
// while its rank waits (libc/signals.h).
bool cannot_park();

// What a resumed fiber does before it goes on (resume.cc). Only what somebody has asked for is
// done.
enum class AtResume : unsigned { EnterDirectory = 1, CountTime = 2, DeliverSignals = 4 };
void do_at_resume(AtResume what);
void enter_directory_of(Rank &rank);         // directory.cc
void enter_directory_as_visitor(Rank &rank); // directory.cc
void count_time_of(RankThread &resumed);     // cpu_time.cc

// environment.cc
char *rank_getenv(const char *name);
void rank_setenv(const char *name, const char *value);
void rank_unsetenv(const char *name);
char **copy_environment(char *const *environment); // for a new rank; shares the strings
// threads.cc
ThreadState &own_thread_state();
// keys.cc: at the end of a thread, under its rank
void run_key_destructors();
// stdio.cc
void make_stdio(LibcState &state);
void flush_stdio(LibcState &state) MAY_SUSPEND; // every FILE of the rank
void flush_unfinished_lines(LibcState &state) MAY_SUSPEND;
FILE *rank_stdout();
FILE *rank_stderr();
void remember_file(FILE *file);
// standard_input.cc
FILE *process_stdin(); // first called before there are ranks
void make_stdin(LibcState &state, int world_rank);
FILE *make_input_file(LibcState &state);
int real_input(const LibcState &state);
void redirect_input(LibcState &state, int target); // which then belongs to the rank
bool reopen_input(LibcState &state, const char *path, const char *mode); // freopen() of stdin
// descriptor_limit.cc: a call has failed with EMFILE or ENFILE: said once in the job; keeps errno.
void note_failure_to_open();
// descriptors.cc
ssize_t write_for_rank(int descriptor, const void *data,
                       size_t size_bytes) MAY_SUSPEND; // as its write()
// standard_descriptors.cc
// What a descriptor of the calling rank is in the process's table: itself, but for 0, 1 and 2 that
// the rank has redirected; -1 if it has closed it.
int real_descriptor(int descriptor);
// A call has opened `opened` (-1: it has failed). POSIX gives the lowest free number: if the rank
// has closed 0, 1 or 2, that is what the program gets, and what is opened then is the rank's.
// `least`: the program wants no lower one.
int numbered(int opened, int least = 0) MAY_SUSPEND;
void standard_descriptors_of_children(LibcState &state, int (&real)[3]) MAY_SUSPEND;
void enter_child_descriptors(LibcState &state, const int (&real)[3]);
// program_files.cc: in jobs of several programs
// Opens what /proc/self/exe or /proc/self/cmdline is for the calling rank; false: `path` is
// neither, or the process's is right.
bool open_program_file(const char *path, int flags, int &result);
// What the rank executes as `path`, which may be its /proc/self/exe.
const char *executable_for(const char *path);
// locale.cc
void enter_locale_in_new_thread(const LibcState &state);
// libc_state.cc
const char *rank_program_name(); // without its directory
// spawn.cc: posix_spawn() as the rank would do it; 0 or an error number.
int spawn_for_rank(pid_t &child, const char *path, const posix_spawn_file_actions_t *actions,
                   const posix_spawnattr_t *attributes, char *const *argv,
                   char *const *environment) MAY_SUSPEND;
// process.cc
void remember_child(pid_t pid);
pid_t wait_for_child(pid_t pid, int *status, int options) MAY_SUSPEND;
// sleep.cc
// Parks for a time. What is left of it if a signal handler has run meanwhile (at least 1), or 0.
int64_t sleep_for(int64_t duration_ns) MAY_SUSPEND;
int64_t duration_ns(const timespec &t); // at most INT64_MAX / 2
bool is_valid_duration(const timespec &t);
// directory.cc
void enter_directory_in_new_thread(Rank &rank);
// threads.cc
int start_thread_of(Rank &rank, void *(*function)(void *), void *argument); // detached
// exit.cc
void run_thread_local_destructors();
[[noreturn]] void abort_rank();

} // namespace thrum
