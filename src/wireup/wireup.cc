// The numbers of the job (fixed by wireup_begin()), and the PMIx client.
#include "wireup/wireup.h"

#include "base/check.h"
#include "base/clock.h"
#include "base/end_function.h"
#include "base/job_settings.h"
#include "base/own_threads.h"
#include "base/settings.h"
#include "base/tools.h"
#include "fiber/library_threads.h"
#include "rank/rank.h"
#include "rank/status_page.h"
#include "wireup/client.h"
#include "wireup/layout.h"
#include "wireup/own_thread.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <unistd.h>
#include <utility>

namespace thrum {

constinit std::atomic<bool> several_node_processes{false};

namespace {

constexpr int failure_exit_code = 2;
constexpr unsigned launcher_patience_s = 4;
constexpr int abort_patience_s = 2;
// The prefix of the names that Thrum's mpiexec gives to jobs: processes without a layout are
// children of its ranks.
constexpr std::string_view own_job_prefix = "thrum-";

// Written by wireup_begin(), then read-only; `hosts` is written by the thread that connects.
struct Job {
    // Name of the initial processes' name space; differs from those of other jobs.
    std::string name = "singleton";
    std::string name_space; // of this process's PMIx name space, which is its MPI_COMM_WORLD
    int this_process = 0;
    Origin origin;                                  // count = 0: not an added process
    int own_rank = 0;                               // for an added process
    std::vector<int> ranks{0};                      // of all world ranks
    std::vector<int> first_ranks{0, 1};             // of each process, and the total number
    std::vector<int> nodes{0};                      // of each process
    int node_count = 1;                             // includes nodes without initial processes
    std::vector<std::string> hosts{"this machine"}; // of each process
    bool has_server = false; // whether its launcher has one, even if this process does not connect
};

// Never destroyed, because threads may use it until the very end.
Job &job = *new Job;

const PmixLibrary *pmix = nullptr;
bool versions_agree = false; // checked by the first fence()
bool connected = false;      // written by one thread at a time, before anything else is called
void (*process_lost)(NodeProcess process, bool failed) = nullptr;

// Returns PMIx's name of a process of this name space.
pmix_proc_t proc_of(pmix_rank_t process) {
    pmix_proc_t proc;
    std::memset(&proc, 0, sizeof proc);
    std::snprintf(proc.nspace, sizeof proc.nspace, "%s", job.name_space.c_str());
    proc.rank = process;
    return proc;
}

bool was_added() {
    return job.origin.count > 0;
}

// Returns the first process of this one's MPI_COMM_WORLD, which is its name space.
int first_process_of_world() {
    return job.origin.first_process;
}

int processes_of_world() {
    return was_added() ? job.origin.count : node_process_count();
}

int first_world_rank_here() {
    return was_added() ? job.own_rank : job.first_ranks[static_cast<size_t>(job.this_process)];
}

// Returns whether the number is one of an added process.
bool is_added(NodeProcess process) {
    return process.number() >= node_process_count() &&
           process.number() < node_process_count() + added_processes_max;
}

void check_number(NodeProcess process) {
    CHECK(process.index() < job.nodes.size() || is_added(process), "node process %d of %d",
          process.number(), node_process_count());
}

// Computes the first rank of each process, so that ranks and processes can be translated both ways.
void set_layout(const std::vector<ProcessPlace> &processes, int nodes) {
    job.node_count = std::max(nodes, count_nodes(processes));
    job.first_ranks.assign(1, 0);
    job.nodes.clear();
    for (const ProcessPlace &process : processes) {
        if (process.ranks > initial_ranks_max - job.first_ranks.back())
            die(failure_exit_code, "the job has more than %d ranks", initial_ranks_max);
        job.first_ranks.push_back(job.first_ranks.back() + process.ranks);
        job.nodes.push_back(process.node);
    }
    job.ranks.resize(static_cast<size_t>(job.first_ranks.back()));
    std::iota(job.ranks.begin(), job.ranks.end(), 0);
    job.hosts.assign(processes.size(), "");
}

// Handles PMIx's report of a lost process. Runs on a thread of PMIx.
void on_event(size_t, pmix_status_t, const pmix_proc_t *source, pmix_info_t info[], size_t count,
              pmix_info_t *, size_t, pmix_event_notification_cbfunc_fn_t done, void *argument) {
    const pmix_proc_t *lost = source;
    int failed = -1; // number of the failed process
    for (size_t i = 0; i < count; ++i) {
        const pmix_value_t &value = info[i].value;
        if (!std::strncmp(info[i].key, PMIX_EVENT_AFFECTED_PROC, PMIX_MAX_KEYLEN) &&
            value.type == PMIX_PROC)
            lost = value.data.proc;
        if (!std::strncmp(info[i].key, failed_process_key, PMIX_MAX_KEYLEN) &&
            value.type == PMIX_UINT32)
            failed = static_cast<int>(value.data.uint32);
    }
    if (process_lost && failed >= 0 && failed < node_process_count() + added_processes_max) {
        if (failed != job.this_process)
            process_lost(NodeProcess(failed), true);
    } else if (process_lost && lost && job.name_space == lost->nspace &&
               lost->rank < static_cast<pmix_rank_t>(processes_of_world())) {
        process_lost(NodeProcess(first_process_of_world() + static_cast<int>(lost->rank)), false);
    }
    if (done)
        done(PMIX_EVENT_ACTION_COMPLETE, nullptr, 0, nullptr, nullptr, argument);
}

// A default handler does not see the end of processes: these codes must be listed.
pmix_status_t loss_codes[] = {PMIX_ERR_PROC_ABORTED,        PMIX_ERR_PROC_REQUESTED_ABORT,
                              PMIX_ERR_PROC_TERM_WO_SYNC,   PMIX_ERR_PROC_KILLED_BY_CMD,
                              PMIX_ERR_PROC_ABORTED_BY_SIG, PMIX_ERR_EXIT_NONZERO_TERM,
                              PMIX_ERR_LOST_CONNECTION,     PMIX_EVENT_NODE_DOWN};

// Different versions may use different messages. The words before the number are for tests, which
// change them in the library: the compiler must read the text from there.
constexpr char version_text[] = "wire-up " THRUM_VERSION;
const char *const volatile version_place = version_text + 8;

std::string own_version() {
    return version_place;
}

constexpr int fetch_timeout_s = 20;

void publish_here(std::string_view key, std::string_view value) {
    pmix_value_t box;
    std::memset(&box, 0, sizeof box);
    box.type = PMIX_BYTE_OBJECT;
    box.data.bo.bytes = const_cast<char *>(value.data()); // copied by PMIx_Put
    box.data.bo.size = value.size();
    pmix_status_t status = pmix->Put(PMIX_GLOBAL, std::string(key).c_str(), &box);
    if (status == PMIX_SUCCESS)
        status = pmix->Commit();
    if (status != PMIX_SUCCESS)
        die(failure_exit_code, "the PMIx server of job %s rejects \"%.*s\": %s", job.name.c_str(),
            static_cast<int>(key.size()), key.data(), pmix->Error_string(status));
}

// Asks only the local server first. After a fence that has the data of all processes, so a missing
// value is detected without a round trip.
std::string fetch_here(int process, std::string_view key) {
    pmix_info_t immediate = pmix_flag(PMIX_IMMEDIATE, true);
    pmix_proc_t proc = proc_of(static_cast<pmix_rank_t>(process - first_process_of_world()));
    pmix_value_t *value = nullptr;
    std::string text;
    pmix_status_t status = pmix->Get(&proc, std::string(key).c_str(), &immediate, 1, &value);
    if (status != PMIX_SUCCESS && !is_of_our_launcher()) {
        // PRRTE fetches data of other nodes only for requests that may wait.
        pmix_info_t patience;
        std::memset(&patience, 0, sizeof patience);
        std::snprintf(patience.key, sizeof patience.key, "%s", PMIX_TIMEOUT);
        patience.value.type = PMIX_INT;
        patience.value.data.integer = fetch_timeout_s;
        status = pmix->Get(&proc, std::string(key).c_str(), &patience, 1, &value);
    }
    if (status != PMIX_SUCCESS || !value)
        return text;
    if (value->type == PMIX_BYTE_OBJECT) {
        text.assign(value->data.bo.bytes, value->data.bo.size);
        std::free(value->data.bo.bytes);
    }
    std::free(value);
    return text;
}

// Collects the data of all processes, so that later requests are answered locally.
pmix_status_t fence_here() {
    pmix_proc_t all = proc_of(PMIX_RANK_WILDCARD);
    pmix_info_t collect = pmix_flag(PMIX_COLLECT_DATA, true);
    return pmix->Fence(&all, 1, &collect, 1);
}

// Removes the job's variables: a program that a rank starts from then on is not part of the job.
// (Before that it may have been the job's program, started by a shell.)
void take_job_out_of_environment() {
    for (const char *name :
         {"THRUM_NODE_PROCESSES", "THRUM_FIRST_PROGRAM", "THRUM_ORIGIN", "THRUM_STATUS"})
        ::unsetenv(name);
}

void connect_now() {
    std::string why;
    if (!connect_client(why))
        die(failure_exit_code, "%s", why.c_str());
}

// Ends the process if the first one runs another version of Thrum.
void refuse_other_versions() {
    std::string first = fetch_here(first_process_of_world(), "thrum.version");
    const std::string own = own_version();
    if (first != own)
        die(failure_exit_code,
            "process %d of the job, on %s, runs Thrum %s, but process %d, on %s, runs Thrum %s: "
            "install "
            "the same version on all hosts",
            job.this_process, host_of(this_node_process()).c_str(), own.c_str(),
            first_process_of_world(), host_of(NodeProcess(first_process_of_world())).c_str(),
            first.empty() ? "of no version" : first.c_str());
}

// Asks the server for a number of the whole job, or of one process. -1: unknown.
int64_t ask_number(pmix_rank_t process, const char *key) {
    pmix_proc_t proc = proc_of(process);
    pmix_value_t *value = nullptr;
    if (pmix->Get(&proc, key, nullptr, 0, &value) != PMIX_SUCCESS || !value)
        return -1;
    switch (value->type) { // the value is never freed: this happens only once
    case PMIX_UINT32:
        return value->data.uint32;
    case PMIX_PROC_RANK:
        return value->data.rank;
    case PMIX_UINT16:
        return value->data.uint16;
    case PMIX_INT:
        return value->data.integer;
    case PMIX_SIZE:
        return static_cast<int64_t>(value->data.size);
    default:
        return -1;
    }
}

// Does the same for a text. "": unknown.
std::string ask_text(pmix_rank_t process, const char *key) {
    pmix_proc_t proc = proc_of(process);
    pmix_value_t *value = nullptr;
    if (pmix->Get(&proc, key, nullptr, 0, &value) != PMIX_SUCCESS || !value ||
        value->type != PMIX_STRING)
        return "";
    return value->data.string;
}

// Builds the layout under another launcher: as many ranks in every process as here. Host names show
// which processes share a node, because Slurm's servers know PMIX_NODEID only for processes of
// their own node.
std::vector<ProcessPlace> ask_layout(int local_ranks) {
    int64_t processes = ask_number(PMIX_RANK_WILDCARD, PMIX_JOB_SIZE);
    if (processes < 1 || processes > INT_MAX / local_ranks)
        die(failure_exit_code,
            "the PMIx server of job %s does not provide the number of its processes",
            job.name.c_str());
    std::vector<std::string> hosts;
    for (int64_t i = 0; i < processes; ++i) {
        hosts.push_back(ask_text(static_cast<pmix_rank_t>(i), PMIX_HOSTNAME));
        if (hosts.back().empty())
            die(failure_exit_code,
                "the PMIx server of job %s does not provide the host of process %lld",
                job.name.c_str(), static_cast<long long>(i));
    }
    std::vector<ProcessPlace> layout;
    for (int node : number_nodes(hosts))
        layout.push_back({local_ranks, node});
    return layout;
}

// Takes the place of an added process from THRUM_ORIGIN.
void take_origin(const char *text, int local_ranks) {
    if (!parse_origin(text, job.name, job.origin) || local_ranks != 1 ||
        job.this_process >= job.origin.count)
        die(failure_exit_code, "THRUM_ORIGIN=%s is malformed: Thrum did not write it", text);
    job.this_process += job.origin.first_process;
}

// Aborts the job through the launcher. Other launchers may let the rest of the job wait when a
// process ends with an error (Slurm, without -K). Uses a thread like run_on_own_thread(), but also
// works where no task can be: the server may not answer, or this is libpmix's thread.
void abort_by_launcher(int code) {
    // mpiexec detects the end of its own children, and knows more about it than a message could
    // say. For a program that was started by a shell, it must be told that the job is to end.
    const bool is_its_child = settings().launcher_pid == ::getpid();
    if (!connected || (is_of_our_launcher() && (is_its_child || !end_of_job_is_announced())))
        return;
    sigset_t all, old;
    sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &old);
    static int exit_code;
    exit_code = code;
    pthread_t thread;
    const bool started = create_own_thread(
                             &thread, nullptr,
                             [](void *) -> void * {
                                 pmix->Abort(exit_code, "", nullptr, 0);
                                 return nullptr;
                             },
                             nullptr) == 0;
    timespec limit{};
    ::clock_gettime(CLOCK_REALTIME, &limit);
    limit.tv_sec += abort_patience_s;
    if (started)
        ::pthread_timedjoin_np(thread, nullptr, &limit);
    ::pthread_sigmask(SIG_SETMASK, &old, nullptr);
}

} // namespace

std::string encode_own_layout() {
    std::vector<ProcessPlace> layout;
    for (NodeProcess process : node_processes())
        layout.push_back({static_cast<int>(ranks_of(process).size()), node_of(process)});
    return encode_layout(layout, job.node_count);
}

bool is_of_our_launcher() {
    return job.name_space.starts_with(own_job_prefix);
}

std::string encode_origin(const Origin &origin) {
    return encode_origin(job.name, origin);
}

// Takes the process's place in the job before it connects: a shell may start two programs at the
// same time. The threads of libpmix are counted, so that the deadlock detection knows them.
bool connect_client(std::string &why) {
    const char *reason = nullptr;
    pmix = load_pmix(&reason);
    if (!pmix) {
        why = std::string("this process is one of several, but libpmix cannot be loaded: ") +
              (reason ? reason : "?") + " (apt-get install libpmix2, or set LD_LIBRARY_PATH)";
        return false;
    }
    if (const int other = take_place()) {
        why = "process " + std::to_string(other) + " has already initialised MPI as rank " +
              std::to_string(first_world_rank_here()) +
              ": a shell or script may start several MPI programs one after the other, but not at "
              "the same time";
        return false;
    }
    const std::vector<int> threads_before = threads_of_process();
    pmix_proc_t self;
    pmix_status_t status = pmix->Init(&self, nullptr, 0);
    if (status != PMIX_SUCCESS) {
        // PMIX_ERROR says nothing; of an absent server, the status would tell.
        why = status == PMIX_ERROR
                  ? std::string("libpmix does not start; what it has printed says why. Most often "
                                "it could not start its thread: raise ulimit -u")
                  : "the PMIx server of job " + job.name_space +
                        " does not answer: " + pmix->Error_string(status) +
                        ". Its launcher (mpiexec, srun, prterun) has exited, or a program between "
                        "it and this one has changed the environment (PMIX_*)";
        return false;
    }
    job.name_space = self.nspace; // before on_event() can read it
    if (process_lost)
        pmix->Register_event_handler(loss_codes, std::size(loss_codes), nullptr, 0, &on_event,
                                     nullptr, nullptr);
    for (int thread : threads_of_process())
        if (std::ranges::find(threads_before, thread) == threads_before.end())
            add_library_thread(thread);
    take_job_out_of_environment();
    connected = true;
    set_end_function(abort_by_launcher);
    publish_here("thrum.version", own_version());
    return true;
}

bool client_is_connected() {
    return connected;
}

const PmixLibrary &pmix_client() {
    return *pmix;
}

// Without PMIx variables the process is alone. With mpiexec's layout nothing is asked here; under
// another launcher its server is asked for the layout.
bool wireup_begin(int local_ranks) {
    const char *name = std::getenv("PMIX_NAMESPACE"), *number = std::getenv("PMIX_RANK");
    const char *text = job_settings().node_processes;
    std::vector<ProcessPlace> layout{{local_ranks, 0}};
    int nodes = 1;
    bool is_part = name && number && (text || !std::string_view(name).starts_with(own_job_prefix));
    if (is_part) {
        job.has_server = true;
        job.name = job.name_space = name;
        auto [end, error] = std::from_chars(number, number + std::strlen(number), job.this_process);
        if (error != std::errc() || *end || job.this_process < 0)
            die(failure_exit_code, "PMIX_RANK=%s: expected the number of this process", number);
        if (text && !parse_layout(text, layout, &nodes))
            die(failure_exit_code, "THRUM_NODE_PROCESSES is malformed: mpiexec did not write it");
        const char *origin_text = job_settings().origin;
        if (text && origin_text)
            take_origin(origin_text, local_ranks);
        if (!text) {
            run_on_own_thread("MPI_Init", connect_now);
            layout = ask_layout(local_ranks);
        }
        if (!was_added() && (static_cast<size_t>(job.this_process) >= layout.size() ||
                             layout[static_cast<size_t>(job.this_process)].ranks != local_ranks))
            die(failure_exit_code, "process %d of job %s is not among its %zu processes",
                job.this_process, name, layout.size());
    }
    set_layout(layout, nodes);
    if (was_added())
        job.own_rank = added_rank(job.this_process - node_process_count());
    several_node_processes.store(layout.size() > 1 || was_added() || nodes > 1,
                                 std::memory_order_relaxed);
    if (is_part && !has_other_processes())
        take_job_out_of_environment(); // with other launchers this happens when connecting
    return has_other_processes();
}

// Connects first, and only then declares that there may be other processes.
bool wireup_expect_others(std::string &why) {
    if (!connected) {
        bool ok = false;
        run_on_own_thread("MPI_Comm_spawn", [&] {
            ok = (job.has_server || start_server(why)) && connect_client(why);
        });
        if (!ok)
            return false;
        job.name = job.name_space;
    }
    for (std::string &host : job.hosts)
        if (host.empty())
            host = "node 0";
    several_node_processes.store(true, std::memory_order_relaxed);
    return true;
}

int node_process_count() {
    return static_cast<int>(job.nodes.size());
}

NodeProcess this_node_process() {
    return NodeProcess(job.this_process);
}

int first_world_size() {
    return job.first_ranks.back();
}

int world_size() {
    return was_added() ? job.origin.count : first_world_size();
}

int first_rank_of_world() {
    return was_added() ? added_rank(first_process_of_world() - node_process_count()) : 0;
}

// The numbers in between are for ranks that are added as threads (rank/added.h).
int added_rank(int index) {
    return first_world_size() + added_ranks_max + index;
}

int added_rank_end() {
    return added_rank(added_processes_max);
}

const Origin *origin() {
    return was_added() ? &job.origin : nullptr;
}

// Ranks are numbered in this order: initial ones by process, ranks added as threads, ranks of added
// processes.
NodeProcess node_process_of(int world_rank) {
    if (!has_other_processes())
        return NodeProcess(0);
    if (world_rank >= added_rank(0)) {
        CHECK(world_rank < added_rank_end(), "world rank %d", world_rank);
        return NodeProcess(node_process_count() + world_rank - added_rank(0));
    }
    // A rank that was added as a thread is in the process that was the only one of the job then.
    if (world_rank >= first_world_size() && node_process_count() == 1)
        return NodeProcess(0);
    CHECK(world_rank >= 0 && world_rank < first_world_size(), "world rank %d of %d", world_rank,
          first_world_size());
    auto next = std::upper_bound(job.first_ranks.begin(), job.first_ranks.end(), world_rank);
    return NodeProcess(static_cast<int>(next - job.first_ranks.begin()) - 1);
}

std::span<const int> ranks_of(NodeProcess process) {
    if (was_added() && process == this_node_process())
        return {&job.own_rank, 1};
    const size_t i = process.index();
    CHECK(i < job.nodes.size(), "node process %d of %d", process.number(), node_process_count());
    return {job.ranks.data() + job.first_ranks[i],
            static_cast<size_t>(job.first_ranks[i + 1] - job.first_ranks[i])};
}

int node_of(NodeProcess process) {
    check_number(process);
    // With several nodes, messages to and from added processes use the network, so each counts as a
    // node of its own.
    if (is_added(process))
        return node_count() == 1 ? 0 : node_count() + process.number() - node_process_count();
    return job.nodes[process.index()];
}

int node_count() {
    return job.node_count;
}

const std::string &host_of(NodeProcess process) {
    check_number(process);
    static const std::string &elsewhere = *new std::string("a host of the job");
    if (is_added(process))
        return node_count() == 1 ? job.hosts[0] : elsewhere;
    return job.hosts[process.index()];
}

const std::string &job_name() {
    return job.name;
}

void wireup_connect() {
    if (!has_other_processes() || (connected && !job.hosts[0].empty()))
        return;
    run_on_own_thread("MPI_Init", [] {
        if (!connected)
            connect_now();
        for (size_t i = 0; i < job.hosts.size(); ++i) {
            job.hosts[i] = was_added() ? "" : ask_text(static_cast<pmix_rank_t>(i), PMIX_HOSTNAME);
            if (job.hosts[i].empty())
                job.hosts[i] = "node " + std::to_string(job.nodes[i]);
        }
    });
}

void wireup_end() {
    if (!connected)
        return;
    connected = false;
    run_on_own_thread("MPI_Finalize", [] { pmix->Finalize(nullptr, 0); });
    leave_place();
}

void publish(std::string_view key, std::string_view value) {
    CHECK(connected && key.size() < PMIX_MAX_KEYLEN);
    run_on_own_thread("MPI_Init", [&] { publish_here(key, value); });
}

// A failed fence usually means that a process has died. Then the launcher ends this one, too, and
// reports the cause. So this waits for that, and reports only if nothing happens.
void fence() {
    CHECK(connected);
    run_on_own_thread("MPI_Init", [] {
        pmix_status_t status = fence_here();
        // The launcher knows more about the cause and is about to end this process.
        if (status != PMIX_SUCCESS)
            sleep_through(launcher_patience_s);
        if (status != PMIX_SUCCESS)
            die(failure_exit_code, "the PMIx fence of the %d processes of job %s failed: %s",
                processes_of_world(), job.name_space.c_str(), pmix->Error_string(status));
        if (!std::exchange(versions_agree, true))
            refuse_other_versions();
    });
}

void fence_to_leave() {
    CHECK(connected);
    run_on_own_thread("MPI_Finalize", [] { (void)fence_here(); });
}

std::vector<std::string> fetch_all(std::string_view key) {
    CHECK(connected);
    std::vector<std::string> values;
    run_on_own_thread("MPI_Init", [&] {
        for (int i = 0; i < processes_of_world(); ++i)
            values.push_back(fetch_here(first_process_of_world() + i, key));
    });
    return values;
}

std::string fetch(NodeProcess process, std::string_view key) {
    CHECK(connected && process.number() >= first_process_of_world() &&
          process.number() < first_process_of_world() + processes_of_world());
    std::string value;
    run_on_own_thread("MPI_Init", [&] { value = fetch_here(process.number(), key); });
    return value;
}

void job_abort(int code, std::string_view message) {
    if (!message.empty())
        report("%.*s", static_cast<int>(message.size()), message.data());
    call_end_function(code);
    exit_at_once(code);
}

bool launcher_tells_of_failures() {
    return is_of_our_launcher();
}

void set_process_lost_function(void (*function)(NodeProcess process, bool failed)) {
    process_lost = function;
}

} // namespace thrum
