#include "fabric/providers.h"

#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>
#include <rdma/fi_errno.h>

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <pthread.h>
#include <string_view>

namespace thrum {
namespace {

constexpr uint32_t api_version = FI_VERSION(1, 17);

template <class Function>
bool find(void *library, const char *name, Function &function) {
    function = reinterpret_cast<Function>(::dlsym(library, name));
    return function != nullptr;
}

// A library below a provider of old networks (libinfinipath) takes over the signals of crashes when
// it is loaded, and leaves files (*.btr) where the program was started. Loads `name` without that.
void *load_quietly(const char *name) {
    const TemporaryVariable off("IPATH_NO_BACKTRACE", "1");
    return ::dlopen(name, RTLD_NOW | RTLD_LOCAL);
}

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
    fi_info *found = nullptr;
    error = library.getinfo(api_version, nullptr, nullptr, 0, hints, &found);
    library.freeinfo(hints);
    return error ? nullptr : found;
}

constexpr uint64_t without_memory = FI_MSG | FI_REMOTE_COMM;
constexpr uint64_t with_memory = without_memory | FI_RMA;

void add_names(const fi_info *found, std::string &names) {
    for (; found; found = found->next) {
        std::string name = found->fabric_attr->prov_name;
        if ((", " + names + ",").find(", " + name + ",") == std::string::npos)
            names += (names.empty() ? "" : ", ") + name;
    }
}

// Some providers (shm of libfabric 1.17) install handlers that end the process at SIGINT, SIGTERM,
// SIGSEGV and SIGBUS while they are looked at: here the program's and the library's own come back.
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
    constexpr std::string_view tcp = "tcp";
    return std::string_view(info.fabric_attr->prov_name).starts_with(tcp);
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
    if (::pthread_create(&thread, nullptr, run, &call) != 0)
        return false;
    ::pthread_join(thread, nullptr);
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
    if (error == -FI_ENODATA) // not all providers read memory
        found = find_with(library, name, without_memory, error);
    return found;
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
