// What libfabric has on this machine: the library, opened at run time, and the providers that can
// carry messages between nodes, in libfabric's own order (the fastest networks first: EFA, verbs,
// CXI and the like before TCP).
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

// A variable of the environment that libraries below look at; not where the user has set it.
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

// Runs function(argument) on a thread of its own: libfabric needs more stack than a fiber has.
// False: the kernel grants no thread.
bool call_on_large_stack(void (*function)(void *argument), void *argument);

// nullptr: `why` says what is wrong and what helps. Needs such a stack, as the next.
const LibfabricFunctions *load_libfabric(std::string &why);

// What provider `name` offers, or all of them if that is empty: reliable datagrams, best first.
// Over TCP, unless its name is given in full (tcp;ofi_rxm), by a provider that has them itself if
// there is one: with a layer in between 8 bytes take 1.6 times as long. On failure nullptr, and the
// error.
fi_info *find_providers(const LibfabricFunctions &library, const char *name, int &error);

// Over TCP: messages of any size are as good as small ones.
bool is_over_tcp(const fi_info &info);
// Readable when there may be something in `completions`, whose endpoints have been enabled; -1:
// nothing tells.
int wait_descriptor_of(const fi_info &info, fid_cq &completions);

// For `thrum info`.
std::string describe_network(const fi_info &info);

// The names of all of them, in order, each once, with commas.
std::string names_of_providers(const LibfabricFunctions &library);

} // namespace thrum
