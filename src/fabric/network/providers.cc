// Loads libfabric and finds providers, while keeping their side effects away from the program:
// signal handlers, files, threads that take messages.
#include "fabric/network/providers.h"

#include "base/optional_library.h"
#include "base/own_threads.h"

#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>
#include <rdma/fi_eq.h>
#include <rdma/fi_errno.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <pthread.h>
#include <string_view>
#include <unistd.h>

namespace thrum {
namespace {

constexpr uint32_t api_version = FI_VERSION(1, 17);

// Finds a function of the library.
template <class Function>
bool find(void *library, const char *name, Function &function) {
    function = reinterpret_cast<Function>(::dlsym(library, name));
    return function != nullptr;
}

// Loads `name` without side effects: a library used by a provider for old networks (libinfinipath)
// installs signal handlers for crashes when it is loaded, and leaves files (*.btr) in the current
// directory.
void *load_quietly(const char *name) {
    const TemporaryVariable off("IPATH_NO_BACKTRACE", "1");
    return load_optional_library(name);
}

// A provider of 1.17 (direct_tcp) checks its sockets on its own thread, which would take messages
// away from threads that check themselves. It reads this variable when it is first used.
constexpr const char *own_thread_off = "FI_NET_DISABLE_AUTO_PROGRESS";

// Asks libfabric for providers with exactly the properties that Libfabric relies on.
fi_info *find_with(const LibfabricFunctions &library, const char *name, uint64_t capabilities,
                   int &error) {
    fi_info *hints = library.dupinfo(nullptr);
    hints->caps = capabilities;
    hints->ep_attr->type = FI_EP_RDM;
    hints->mode = FI_CONTEXT | FI_CONTEXT2;
    hints->domain_attr->threading = FI_THREAD_DOMAIN;
    hints->domain_attr->mr_mode =
        FI_MR_LOCAL | FI_MR_VIRT_ADDR | FI_MR_ALLOCATED | FI_MR_PROV_KEY | FI_MR_ENDPOINT;
    hints->tx_attr->msg_order = hints->rx_attr->msg_order = FI_ORDER_SAS;
    if (*name)
        hints->fabric_attr->prov_name = ::strdup(name);
    const TemporaryVariable off(own_thread_off, "1");
    fi_info *found = nullptr;
    error = library.getinfo(api_version, nullptr, nullptr, 0, hints, &found);
    library.freeinfo(hints);
    return error ? nullptr : found;
}

constexpr uint64_t without_memory = FI_MSG | FI_REMOTE_COMM;
constexpr uint64_t with_memory = without_memory | FI_RMA;

// libfabric 1.17's TCP provider supports only connections, and a layer above builds reliable
// datagrams. Another provider has datagrams itself; later versions have it in place of tcp.
constexpr std::string_view layered_tcp = "tcp;ofi_rxm";
constexpr const char *direct_tcp = "net";

// Returns whether the provider has this name.
bool is_provider(const fi_info &info, std::string_view name) {
    return info.fabric_attr->prov_name == name;
}

// Returns the network of `layered` without the layer; nullptr: there is no such provider.
fi_info *find_direct(const LibfabricFunctions &library, const fi_info &layered) {
    int error = 0;
    fi_info *found = find_with(library, direct_tcp, with_memory, error);
    fi_info *same = nullptr;
    for (const fi_info *one = found; one && !same; one = one->next)
        if (is_provider(*one, direct_tcp) &&
            !std::strcmp(one->fabric_attr->name, layered.fabric_attr->name) &&
            !std::strcmp(one->domain_attr->name, layered.domain_attr->name))
            same = library.dupinfo(one);
    if (found)
        library.freeinfo(found);
    return same;
}

// Appends the names of the list's providers, each once.
void add_names(const fi_info *found, std::string &names) {
    for (; found; found = found->next) {
        std::string name = found->fabric_attr->prov_name;
        if ((", " + names + ",").find(", " + name + ",") == std::string::npos)
            names += (names.empty() ? "" : ", ") + name;
    }
}

// Returns the descriptor that epoll descriptor `fd` watches and that itself watches others; -1:
// none.
int epoll_within(int fd) {
    char path[64], line[128], name[64];
    std::snprintf(path, sizeof path, "/proc/self/fdinfo/%d", fd);
    int inner = -1;
    if (std::FILE *file = std::fopen(path, "re")) {
        while (std::fgets(line, sizeof line, file)) {
            int watched;
            if (std::sscanf(line, "tfd: %d", &watched) != 1)
                continue;
            std::snprintf(path, sizeof path, "/proc/self/fd/%d", watched);
            const ssize_t length = ::readlink(path, name, sizeof name);
            if (length > 0 &&
                std::string_view(name, static_cast<size_t>(length)).ends_with("[eventpoll]"))
                inner = watched;
        }
        std::fclose(file);
    }
    return inner;
}

// Restores the signal handlers of the program and the library. Some providers (shm of libfabric
// 1.17) install handlers that end the process at SIGINT, SIGTERM, SIGSEGV and SIGBUS when they are
// examined.
class SignalActions {
public:
    SignalActions() {
        for (int signal = 1; signal < NSIG; ++signal)
            known_[signal] = ::sigaction(signal, nullptr, &actions_[signal]) == 0;
    }

    ~SignalActions() {
        for (int signal = 1; signal < NSIG; ++signal) {
            struct sigaction now;
            if (known_[signal] && ::sigaction(signal, nullptr, &now) == 0 &&
                now.sa_handler != actions_[signal].sa_handler)
                ::sigaction(signal, &actions_[signal], nullptr);
        }
    }

private:
    struct sigaction actions_[NSIG];
    bool known_[NSIG];
};

} // namespace

TemporaryVariable::TemporaryVariable(const char *name, const char *value)
    : name_(name), ours_(!std::getenv(name) && ::setenv(name, value, 0) == 0) {}

TemporaryVariable::~TemporaryVariable() {
    if (ours_)
        ::unsetenv(name_);
}

bool is_over_tcp(const fi_info &info) {
    return is_provider(info, "tcp") || is_provider(info, layered_tcp) ||
           is_provider(info, direct_tcp);
}

std::string describe_network(const fi_info &info) {
    return std::string("libfabric, provider ") + info.fabric_attr->prov_name +
           (is_provider(info, direct_tcp) ? " (tcp without the layer ofi_rxm)" : "") + ", domain " +
           info.domain_attr->name;
}

// Returns the descriptor to wait on. The queue's descriptor of direct_tcp contains one that watches
// the sockets, and one that reports entries in the queue but stays readable for ever (its
// fi_trywait does nothing).
int wait_descriptor_of(const fi_info &info, fid_cq &completions) {
    int fd = -1;
    if (fi_control(&completions.fid, FI_GETWAIT, &fd) != 0)
        return -1;
    return is_provider(info, direct_tcp) ? epoll_within(fd) : fd;
}

bool call_on_large_stack(void (*function)(void *argument), void *argument) {
    struct Call {
        void (*function)(void *);
        void *argument;
    } call{function, argument};

    pthread_t thread;
    auto run = [](void *the_call) -> void * {
        const SignalActions actions;
        auto &c = *static_cast<Call *>(the_call);
        c.function(c.argument);
        return nullptr;
    };
    if (create_own_thread(&thread, nullptr, run, &call) != 0)
        return false;
    join_own_thread(thread);
    return true;
}

const LibfabricFunctions *load_libfabric(std::string &why) {
    static LibfabricFunctions library;
    void *handle = load_quietly("libfabric.so.1");
    if (handle && find(handle, "fi_getinfo", library.getinfo) &&
        find(handle, "fi_dupinfo", library.dupinfo) &&
        find(handle, "fi_freeinfo", library.freeinfo) &&
        find(handle, "fi_fabric", library.fabric) && find(handle, "fi_strerror", library.strerror))
        return &library;
    why = std::string("messages between nodes need libfabric: ") + ::dlerror() +
          "; install the package libfabric1";
    return nullptr;
}

fi_info *find_providers(const LibfabricFunctions &library, const char *name, int &error) {
    fi_info *found = find_with(library, name, with_memory, error);
    if (error == -FI_ENODATA) // not all providers can read memory
        found = find_with(library, name, without_memory, error);
    if (!found || !is_provider(*found, layered_tcp) || name == layered_tcp)
        return found;
    fi_info *direct = find_direct(library, *found);
    if (!direct)
        return found;
    library.freeinfo(found);
    return direct;
}

std::string names_of_providers(const LibfabricFunctions &library) {
    std::string names;
    for (uint64_t capabilities : {with_memory, without_memory}) {
        int error = 0;
        fi_info *found = find_with(library, "", capabilities, error);
        add_names(found, names);
        if (found)
            library.freeinfo(found);
    }
    return names;
}

} // namespace thrum
