// libfabric on this machine: the library, opened at run time, and the providers that can carry
// messages between nodes. They are in libfabric's own order (the fastest networks first: EFA,
// verbs, CXI and so on before TCP).
#pragma once
#include <rdma/fabric.h>
#include <rdma/fi_eq.h>

#include <string>

namespace thrum {

// The functions of the library; all others are reached through the objects that these make.
struct LibfabricFunctions {
    int (*getinfo)(uint32_t, const char *, const char *, uint64_t, const fi_info *, fi_info **);
    fi_info *(*dupinfo)(const fi_info *);
    void (*freeinfo)(fi_info *);
    int (*fabric)(fi_fabric_attr *, fid_fabric **, void *);
    const char *(*strerror)(int);
};

// Sets an environment variable that a library reads, unless the user has set it.
class TemporaryVariable {
public:
    TemporaryVariable(const char *name, const char *value);
    ~TemporaryVariable();
    TemporaryVariable(const TemporaryVariable &) = delete;
    TemporaryVariable &operator=(const TemporaryVariable &) = delete;

private:
    const char *name_;
    bool ours_;
};

// Runs function(argument) on a separate thread, because libfabric needs more stack than a fiber
// has. Returns false if the kernel grants no thread.
bool call_on_large_stack(void (*function)(void *argument), void *argument);

// Loads the library. Returns nullptr, with cause and remedy in `why`, if it fails. Needs such a
// stack, like the next function.
const LibfabricFunctions *load_libfabric(std::string &why);

// Returns what provider `name`, or any provider if that is empty, offers for reliable datagrams,
// best first. Over TCP it prefers a provider that has datagrams itself, unless the name is given in
// full (tcp;ofi_rxm): with a layer in between 8 bytes take 1.6 times as long. On failure returns
// nullptr, and the error.
fi_info *find_providers(const LibfabricFunctions &library, const char *name, int &error);

// Returns whether it runs over TCP, where messages of any size are as good as small ones.
bool is_over_tcp(const fi_info &info);
// Returns a descriptor that is readable when there may be something in `completions`, whose
// endpoints must be enabled; -1: nothing reports that.
int wait_descriptor_of(const fi_info &info, fid_cq &completions);

// Describes the network for `thrum info`.
std::string describe_network(const fi_info &info);

// Returns the names of all providers, in order, each once, separated by commas.
std::string names_of_providers(const LibfabricFunctions &library);

} // namespace thrum
