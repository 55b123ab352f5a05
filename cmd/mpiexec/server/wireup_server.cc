// The PMIx server (server/wireup_server.h).
//
// Nothing of a job stays behind, even if mpiexec is killed. libpmix wants a directory, though its
// clients connect by TCP on the loopback interface. A child, the guardian, waits for the end of
// mpiexec. It then removes the directory and kills what the job's processes have started.
//
// The state is global, because libpmix has one server in a process and its callbacks get no
// argument of ours. A mutex guards it against libpmix's thread.
#include "server/wireup_server.h"

#include "plan/hosts.h"
#include "plan/library.h"
#include "plan/topology.h"
#include "plan/usage_error.h"
#include "server/name_service.h"

#include <pmix.h>
#include <pmix_server.h>

#include <algorithm>
#include <atomic>
#include <cctype>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <fcntl.h>
#include <filesystem>
#include <fmt/core.h>
#include <fstream>
#include <ifaddrs.h>
#include <map>
#include <mutex>
#include <net/if.h>
#include <set>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <system_error>
#include <thread>
#include <unistd.h>
#include <utility>

namespace mpiexec {
namespace {

// The functions of libpmix that mpiexec needs, looked up at run time.
struct Pmix {
    decltype(&PMIx_server_init) init;
    decltype(&PMIx_generate_regex) generate_regex;
    decltype(&PMIx_generate_ppn) generate_ppn;
    decltype(&PMIx_server_register_nspace) register_nspace;
    decltype(&PMIx_server_register_client) register_client;
    decltype(&PMIx_server_setup_fork) setup_fork;
    decltype(&PMIx_server_dmodex_request) dmodex_request;
    decltype(&PMIx_Notify_event) notify_event;
    decltype(&PMIx_Error_string) error_string;

    Pmix() {
        const Library library("libpmix.so.2", "a job of several processes needs", "libpmix2");
        library.find("PMIx_server_init", init);
        library.find("PMIx_generate_regex", generate_regex);
        library.find("PMIx_generate_ppn", generate_ppn);
        library.find("PMIx_server_register_nspace", register_nspace);
        library.find("PMIx_server_register_client", register_client);
        library.find("PMIx_server_setup_fork", setup_fork);
        library.find("PMIx_server_dmodex_request", dmodex_request);
        library.find("PMIx_Notify_event", notify_event);
        library.find("PMIx_Error_string", error_string);
    }
};

// The attributes of one call. Texts and processes are in deques, because libpmix gets pointers to
// them.
class Attributes {
public:
    void add(const char *key, uint32_t value) {
        pmix_info_t &info = append(key, PMIX_UINT32);
        info.value.data.uint32 = value;
    }

    void add(const char *key, const std::string &value) {
        texts_.push_back(value);
        pmix_info_t &info = append(key, PMIX_STRING);
        info.value.data.string = texts_.back().data();
    }

    void add(const char *key, const pmix_proc_t &value) {
        procs_.push_back(value);
        pmix_info_t &info = append(key, PMIX_PROC);
        info.value.data.proc = &procs_.back();
    }

    // Adds what libpmix has packed: "pmix:..." or binary behind "blob:", opaque to us.
    void add_packed(const char *key, char *value) {
        pmix_info_t &info = append(key, PMIX_REGEX);
        info.value.data.bo.bytes = value;
        info.value.data.bo.size = strlen(value) + 1;
    }

    pmix_info_t *data() { return infos_.data(); }

    size_t size() const { return infos_.size(); }

private:
    pmix_info_t &append(const char *key, pmix_data_type_t type) {
        pmix_info_t info;
        memset(&info, 0, sizeof info);
        snprintf(info.key, sizeof info.key, "%s", key);
        info.value.type = type;
        infos_.push_back(info);
        return infos_.back();
    }

    std::vector<pmix_info_t> infos_;
    std::deque<std::string> texts_; // do not move when others are added
    std::deque<pmix_proc_t> procs_;
};

// Shared with the thread of libpmix, whose callbacks have no argument of ours.
std::mutex mutex; // guards all of these
std::vector<ServerEvent> events;
int event_fd = -1;
bool has_other_servers = false; // on other nodes
std::string first_name_space;
std::set<std::string> name_spaces_here; // all of whose processes are on this node

// A request of a client that is answered later.
struct Question {
    pmix_modex_cbfunc_t done;
    void *argument;
};

std::map<std::string, Question> fences; // by name space
std::map<int, Question> questions;      // by number
int last_question = 0;

// Queues an event and wakes the main loop. On libpmix's thread.
void tell(ServerEvent event) {
    std::lock_guard guard(mutex);
    events.push_back(std::move(event));
    eventfd_write(event_fd, 1);
}

// Returns the name space of a spawned process; "" for the job's own.
std::string added_name_space(const pmix_proc_t *proc) {
    std::lock_guard guard(mutex);
    return proc->nspace == first_name_space ? "" : proc->nspace;
}

// The callbacks of libpmix: each queues an event. PMIX_OPERATION_SUCCEEDED means that the
// callback's own completion function will not be called.
pmix_status_t client_connected(const pmix_proc_t *proc, void *, pmix_info_t *, size_t,
                               pmix_op_cbfunc_t, void *) {
    tell({ServerEvent::Connected, static_cast<int>(proc->rank), 0, "", added_name_space(proc)});
    return PMIX_OPERATION_SUCCEEDED;
}

pmix_status_t client_finalized(const pmix_proc_t *proc, void *, pmix_op_cbfunc_t, void *) {
    tell({ServerEvent::Finalized, static_cast<int>(proc->rank), 0, "", added_name_space(proc)});
    return PMIX_OPERATION_SUCCEEDED;
}

pmix_status_t client_aborted(const pmix_proc_t *proc, void *, int status, const char *,
                             pmix_proc_t *, size_t, pmix_op_cbfunc_t, void *) {
    tell({ServerEvent::Aborted, static_cast<int>(proc->rank), status, "", added_name_space(proc)});
    return PMIX_OPERATION_SUCCEEDED;
}

// Called when all local processes have come to a fence. Fences are of processes of one name space.
// If all of them are on this node, it completes at once; else mpiexec collects the other nodes'
// data.
pmix_status_t fence_reached(const pmix_proc_t *procs, size_t, const pmix_info_t *, size_t,
                            char *data, size_t size, pmix_modex_cbfunc_t done, void *argument) {
    bool all_are_here;
    {
        std::lock_guard guard(mutex);
        all_are_here = !has_other_servers || name_spaces_here.contains(procs->nspace);
        if (!all_are_here)
            fences[procs->nspace] = {done, argument};
    }
    if (all_are_here)
        done(PMIX_SUCCESS, data, size, argument, nullptr, nullptr);
    else
        tell({ServerEvent::Fence, 0, 0, std::string(data, size), added_name_space(procs)});
    return PMIX_SUCCESS;
}

// Called when a process wants data of one on another node that no fence has brought. (Our library
// never does so; other users of PMIx do.)
pmix_status_t direct_modex(const pmix_proc_t *proc, const pmix_info_t *, size_t,
                           pmix_modex_cbfunc_t done, void *argument) {
    int number = 0;
    {
        std::lock_guard guard(mutex);
        if (has_other_servers && proc->nspace == first_name_space) {
            number = ++last_question;
            questions[number] = {done, argument};
        }
    }
    if (number)
        tell({ServerEvent::Wanted, static_cast<int>(proc->rank), number, ""});
    else
        done(PMIX_ERR_NOT_FOUND, nullptr, 0, argument, nullptr, nullptr);
    return PMIX_SUCCESS;
}

// Completes a request with a copy of `data`, which libpmix releases when it has read it.
void hand_over(pmix_modex_cbfunc_t done, void *argument, pmix_status_t status,
               const std::string &data) {
    auto *copy = new std::string(data);
    done(
        status, copy->data(), copy->size(), argument,
        [](void *text) { delete static_cast<std::string *>(text); }, copy);
}

pmix_status_t register_events(pmix_status_t *, size_t, const pmix_info_t *, size_t,
                              pmix_op_cbfunc_t, void *) {
    return PMIX_OPERATION_SUCCEEDED;
}

pmix_status_t deregister_events(pmix_status_t *, size_t, pmix_op_cbfunc_t, void *) {
    return PMIX_OPERATION_SUCCEEDED;
}

std::vector<std::string> texts_of(char **list) {
    std::vector<std::string> texts;
    for (; list && *list; ++list)
        texts.emplace_back(*list);
    return texts;
}

// Returns the hosts that a request names for a program, or "".
std::string hosts_in(const pmix_app_t &app) {
    for (size_t i = 0; i < app.ninfo; ++i)
        if (!strcmp(app.info[i].key, PMIX_HOST) && app.info[i].value.type == PMIX_STRING)
            return app.info[i].value.data.string;
    return "";
}

void ask_about_names(int number, const std::string &question) {
    tell({ServerEvent::Names, 0, number, question});
}

// Called for PMIx_Spawn: copies the request, which the main loop answers later.
pmix_status_t spawn_asked(const pmix_proc_t *proc, const pmix_info_t[], size_t,
                          const pmix_app_t apps[], size_t count, pmix_spawn_cbfunc_t done,
                          void *argument) {
    auto request = std::make_shared<SpawnRequest>();
    for (size_t i = 0; i < count; ++i)
        request->programs.push_back({apps[i].maxprocs, apps[i].cmd, texts_of(apps[i].argv),
                                     texts_of(apps[i].env), apps[i].cwd ? apps[i].cwd : "",
                                     hosts_in(apps[i])});
    request->answer = [done, argument](const std::string &name_space,
                                       SpawnRequest::Failure failure) {
        pmix_nspace_t name{};
        snprintf(name, sizeof name, "%s", name_space.c_str());
        pmix_status_t status =
            !name_space.empty()                            ? PMIX_SUCCESS
            : failure == SpawnRequest::Failure::NotFound   ? PMIX_ERR_JOB_EXE_NOT_FOUND
            : failure == SpawnRequest::Failure::NoSuchHost ? PMIX_ERR_UNREACH
            : failure == SpawnRequest::Failure::HostLost   ? PMIX_EVENT_NODE_DOWN
                                                           : PMIX_ERR_JOB_FAILED_TO_LAUNCH;
        done(status, name, argument);
    };
    tell({ServerEvent::Spawn, static_cast<int>(proc->rank), 0, "", added_name_space(proc),
          std::move(request)});
    return PMIX_SUCCESS;
}

// Waits for an operation of libpmix that may complete later, on its thread.
class Operation {
public:
    // Returns the result. `status` is what the function has returned that got done() and this
    // object.
    pmix_status_t wait(pmix_status_t status) {
        if (status == PMIX_OPERATION_SUCCEEDED)
            return PMIX_SUCCESS;
        if (status != PMIX_SUCCESS)
            return status;
        eventfd_t count;
        while (eventfd_read(fd_, &count) && errno == EINTR)
            ;
        return status_;
    }

    static void done(pmix_status_t status, void *self) {
        static_cast<Operation *>(self)->status_ = status;
        eventfd_write(static_cast<Operation *>(self)->fd_, 1);
    }

    ~Operation() { close(fd_); }

private:
    int fd_ = eventfd(0, EFD_CLOEXEC);
    pmix_status_t status_ = PMIX_SUCCESS;
};

// Throws UsageError if this process cannot have a few more threads. libpmix starts some, and
// explains it badly if it cannot.
void require_threads() {
    constexpr int needed = 4;
    std::vector<std::thread> threads;
    std::atomic<bool> go_on{false};
    int error = 0;
    try {
        for (int i = 0; i < needed; ++i)
            threads.emplace_back([&go_on] { go_on.wait(false); });
    } catch (const std::system_error &failure) {
        error = failure.code().value();
    }
    go_on = true;
    go_on.notify_all();
    for (std::thread &thread : threads)
        thread.join();
    if (error)
        throw UsageError(1, fmt::format("cannot start the threads that serve the processes of the "
                                        "job: {} (ulimit -u)",
                                        strerror(error)));
}

// Throws UsageError if no network interface is up. libpmix's server listens on one, if only the
// loopback interface, and would complain in several lines.
void require_network_interface() {
    ifaddrs *all = nullptr;
    bool found = getifaddrs(&all) != 0; // then libpmix knows better
    for (const ifaddrs *each = all; each; each = each->ifa_next)
        found |= (each->ifa_flags & IFF_UP) && each->ifa_addr &&
                 (each->ifa_addr->sa_family == AF_INET || each->ifa_addr->sa_family == AF_INET6);
    freeifaddrs(all);
    if (!found)
        throw UsageError(2, fmt::format("no network interface of {} is up, and processes find each "
                                        "other through one: ip link set lo up",
                                        name_of_this_machine()));
}

// Makes the server's directory below TMPDIR. Throws UsageError.
std::string make_directory() {
    const char *base = getenv("TMPDIR");
    std::string path = fmt::format("{}/thrum-mpiexec.XXXXXX", base && *base ? base : "/tmp");
    if (!mkdtemp(path.data()))
        throw UsageError(2, fmt::format("cannot make a directory in {}: {} (set TMPDIR)",
                                        base && *base ? base : "/tmp", strerror(errno)));
    return path;
}

// Returns whether the environment of process `pid`, as it was at its exec, has `item` (NAME=VALUE).
bool has_in_environment(const std::string &pid, const std::string &item) {
    std::ifstream file("/proc/" + pid + "/environ");
    for (std::string variable; std::getline(file, variable, '\0');)
        if (variable == item)
            return true;
    return false;
}

// Kills the processes on this machine that are, or descend from, `ranks` of the PMIx job: they have
// inherited its variables.
void kill_processes_of(const std::string &job_name, const std::set<std::string> &ranks) {
    std::error_code ignored; // /proc is not mounted
    for (const auto &entry : std::filesystem::directory_iterator("/proc", ignored)) {
        std::string pid = entry.path().filename();
        if (!isdigit(static_cast<unsigned char>(pid[0])) ||
            !has_in_environment(pid, "PMIX_NAMESPACE=" + job_name))
            continue;
        for (const std::string &rank : ranks)
            if (has_in_environment(pid, "PMIX_RANK=" + rank))
                kill(std::stoi(pid), SIGKILL);
    }
}

// Forks the guardian, which cleans up when mpiexec has ended, in whatever way: it then reads the
// end of the pipe. Returns our end of the pipe. A byte that is written there says that no process
// is left to kill.
int guard(const std::string &directory, const std::string &job_name,
          const std::set<std::string> &ranks, pid_t &guardian) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC))
        throw UsageError(2, fmt::format("cannot make a pipe: {}", strerror(errno)));
    guardian = fork();
    if (guardian == 0) {
        prctl(PR_SET_NAME, WireupServer::cleanup_name);
        setsid(); // no signal of the terminal
        // The pipes of the job's streams must not stay open here: their readers wait for the end.
        for (int fd = 0; fd < 1024; ++fd)
            if (fd != ends[0])
                close(fd);
        char byte;
        ssize_t n;
        while ((n = read(ends[0], &byte, 1)) < 0 && errno == EINTR)
            ;
        if (n != 1)
            kill_processes_of(job_name, ranks);
        std::error_code ignored;
        std::filesystem::remove_all(directory, ignored);
        _exit(0);
    }
    close(ends[0]);
    return ends[1];
}

} // namespace

// The parts of the server that only the main thread uses.
struct WireupServer::State {
    Pmix pmix;
    std::string job_name;
    std::string directory;
    pid_t guardian = -1;
    int guardian_fd = -1;

    pmix_proc_t proc_of(int process) const { return proc_of(job_name, process); }

    static pmix_proc_t proc_of(const std::string &name_space, int process) {
        pmix_proc_t proc;
        memset(&proc, 0, sizeof proc);
        snprintf(proc.nspace, sizeof proc.nspace, "%s", name_space.c_str());
        proc.rank = static_cast<pmix_rank_t>(process);
        return proc;
    }

    // Throws UsageError unless `status` is success.
    void require(pmix_status_t status, const char *what) const {
        if (status != PMIX_SUCCESS)
            throw UsageError(
                2, fmt::format("the PMIx server {}: {}", what, pmix.error_string(status)));
    }

    void start(const std::string &host, const std::set<std::string> &ranks);
    void announce_job(const std::string &name_space, const std::vector<thrum::ProcessPlace> &layout,
                      const std::vector<std::string> &hosts, int node);
    std::vector<std::string> environment_of(const pmix_proc_t &proc) const;
    void tell_of_loss(const std::string &name_space, int number, int failed) const;
};

// Starts libpmix's server. The guardian is forked first, while this process has one thread.
void WireupServer::State::start(const std::string &host, const std::set<std::string> &ranks) {
    require_network_interface();
    directory = make_directory();
    guardian_fd = guard(directory, job_name, ranks, guardian);
    // Data by the sockets, not by files that all map; and no munge, which need not be there.
    setenv("PMIX_MCA_gds", "hash", 1);
    setenv("PMIX_MCA_psec", "native", 1);
    static pmix_server_module_t module;
    module.client_finalized = client_finalized;
    module.abort = client_aborted;
    module.fence_nb = fence_reached;
    module.direct_modex = direct_modex;
    module.register_events = register_events;
    module.deregister_events = deregister_events;
    module.client_connected2 = client_connected;
    module.spawn = spawn_asked;
    serve_names(module, has_other_servers ? ask_about_names : nullptr);
    Attributes attributes;
    attributes.add(PMIX_SERVER_TMPDIR, directory);
    attributes.add(PMIX_SYSTEM_TMPDIR, directory);
    attributes.add(PMIX_HOSTNAME, host); // as the list of hosts calls it
    require_threads();
    const WithoutDisplays guard; // libpmix asks hwloc what the machine is made of
    require(pmix.init(&module, attributes.data(), attributes.size()), "cannot start");
}

// Registers a name space with libpmix: which processes there are on which host, and those on `node`
// as clients.
void WireupServer::State::announce_job(const std::string &name_space,
                                       const std::vector<thrum::ProcessPlace> &layout,
                                       const std::vector<std::string> &hosts, int node) {
    // Hosts without processes of this name space are left out of both lists, whose entries belong
    // together.
    std::string names, places;
    uint32_t local_count = 0, nodes = 0;
    for (size_t n = 0; n < hosts.size(); ++n) {
        std::string here;
        for (size_t i = 0; i < layout.size(); ++i)
            if (layout[i].node == static_cast<int>(n))
                here += (here.empty() ? "" : ",") + std::to_string(i);
        if (here.empty())
            continue;
        names += (nodes ? "," : "") + hosts[n];
        places += (nodes ? ";" : "") + here;
        ++nodes;
    }
    for (const thrum::ProcessPlace &process : layout)
        local_count += process.node == node;
    char *node_map = nullptr, *process_map = nullptr;
    require(pmix.generate_regex(names.c_str(), &node_map), "cannot list the hosts");
    require(pmix.generate_ppn(places.c_str(), &process_map), "cannot list the processes");
    auto size = static_cast<uint32_t>(layout.size());
    Attributes job;
    job.add(PMIX_JOBID, name_space);
    job.add(PMIX_JOB_SIZE, size);
    job.add(PMIX_UNIV_SIZE, size);
    job.add(PMIX_MAX_PROCS, size);
    job.add(PMIX_LOCAL_SIZE, local_count);
    job.add(PMIX_NUM_NODES, nodes);
    job.add_packed(PMIX_NODE_MAP, node_map);
    job.add_packed(PMIX_PROC_MAP, process_map);
    Operation operation;
    require(
        operation.wait(pmix.register_nspace(name_space.c_str(), static_cast<int>(local_count),
                                            job.data(), job.size(), Operation::done, &operation)),
        "rejects the job");
    for (size_t i = 0; i < layout.size(); ++i) {
        if (layout[i].node != node)
            continue;
        pmix_proc_t proc = proc_of(name_space, static_cast<int>(i));
        Operation registration;
        require(registration.wait(pmix.register_client(&proc, getuid(), getgid(), nullptr,
                                                       Operation::done, &registration)),
                "rejects a process");
    }
}

WireupServer::WireupServer(const std::string &job_name,
                           const std::vector<thrum::ProcessPlace> &layout,
                           const std::vector<std::string> &hosts, int node)
    : state_(new State{Pmix(), job_name, "", -1, -1}) {
    {
        std::lock_guard guard(mutex);
        event_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
        has_other_servers = hosts.size() > 1;
        first_name_space = job_name;
    }
    std::set<std::string> ranks; // as PMIx calls its clients
    for (size_t i = 0; i < layout.size(); ++i)
        if (layout[i].node == node)
            ranks.insert(std::to_string(i));
    state_->start(hosts[static_cast<size_t>(node)], ranks);
    state_->announce_job(job_name, layout, hosts, node);
}

WireupServer::~WireupServer() {
    if (state_->guardian_fd < 0)
        return;
    // Not PMIx_server_finalize(): it has been seen to wait for ever for a lock of its own when a
    // client was killed while it connected. The end of mpiexec closes the sockets.
    (void)!write(state_->guardian_fd, "", 1);
    close(state_->guardian_fd);
    waitpid(state_->guardian, nullptr, 0);
}

void WireupServer::announce_added(const std::string &name_space,
                                  const std::vector<thrum::ProcessPlace> &layout,
                                  const std::vector<std::string> &hosts, int node) {
    if (std::all_of(layout.begin(), layout.end(),
                    [&](const auto &process) { return process.node == node; })) {
        std::lock_guard guard(mutex);
        name_spaces_here.insert(name_space);
    }
    state_->announce_job(name_space, layout, hosts, node);
}

std::vector<std::string> WireupServer::environment_of_added(const std::string &name_space,
                                                            int process) {
    return state_->environment_of(State::proc_of(name_space, process));
}

std::vector<std::string> WireupServer::environment_of(int process) {
    return state_->environment_of(state_->proc_of(process));
}

std::vector<std::string> WireupServer::State::environment_of(const pmix_proc_t &proc) const {
    char **environment = nullptr;
    require(pmix.setup_fork(&proc, &environment), "cannot start a process");
    std::vector<std::string> variables;
    for (char **e = environment; e && *e; ++e) {
        variables.emplace_back(*e);
        free(*e);
    }
    free(environment);
    return variables;
}

int WireupServer::descriptor() const {
    std::lock_guard guard(mutex);
    return event_fd;
}

std::vector<ServerEvent> WireupServer::take_events() {
    std::lock_guard guard(mutex);
    eventfd_t count;
    eventfd_read(event_fd, &count);
    return std::exchange(events, {});
}

void WireupServer::tell_of_end(const std::string &name_space, int number) {
    state_->tell_of_loss(name_space, number, -1);
}

void WireupServer::tell_of_failure(const std::string &name_space, int number, int in_job) {
    state_->tell_of_loss(name_space, number, in_job);
}

void WireupServer::State::tell_of_loss(const std::string &name_space, int number,
                                       int failed) const {
    const pmix_proc_t proc = proc_of(name_space.empty() ? job_name : name_space, number);
    Attributes attributes;
    attributes.add(PMIX_EVENT_AFFECTED_PROC, proc);
    if (failed >= 0)
        attributes.add(thrum::failed_process_key, static_cast<uint32_t>(failed));
    Operation operation;
    // A client that cannot be notified learns of the loss when it sends something.
    (void)operation.wait(pmix.notify_event(PMIX_ERR_PROC_ABORTED, &proc, PMIX_RANGE_LOCAL,
                                           attributes.data(), attributes.size(), Operation::done,
                                           &operation));
}

void WireupServer::finish_fence(const std::string &name_space, const std::string &data) {
    Question fence{};
    {
        std::lock_guard guard(mutex);
        auto found = fences.find(name_space.empty() ? first_name_space : name_space);
        if (found == fences.end())
            return;
        fence = found->second;
        fences.erase(found);
    }
    hand_over(fence.done, fence.argument, PMIX_SUCCESS, data);
}

void WireupServer::find_data(int process, int question, const std::string &asker) {
    pmix_proc_t proc = state_->proc_of(process);

    auto *found = new ServerEvent{ServerEvent::Found, process, question, asker + "\n"};
    auto done = [](pmix_status_t status, char *data, size_t size, void *argument) {
        auto *answer = static_cast<ServerEvent *>(argument);
        if (status == PMIX_SUCCESS)
            answer->data.append(data, size);
        tell(*answer);
        delete answer;
    };
    if (pmix_status_t status = state_->pmix.dmodex_request(&proc, done, found);
        status != PMIX_SUCCESS)
        done(status, nullptr, 0, found);
}

void WireupServer::finish_question(int question, const std::string &data) {
    Question asked;
    {
        std::lock_guard guard(mutex);
        auto found = questions.find(question);
        if (found == questions.end())
            return;
        asked = found->second;
        questions.erase(found);
    }
    hand_over(asked.done, asked.argument, data.empty() ? PMIX_ERR_NOT_FOUND : PMIX_SUCCESS, data);
}

} // namespace mpiexec
