// The texts of `thrum info`. They are made of the same settings and searches that fabric_begin()
// uses.
#include "fabric/description.h"

#include "base/fabric_settings.h"
#include "fabric/network/providers.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <sys/uio.h>
#include <unistd.h>

namespace thrum {
namespace {

// Returns yama's setting; 0: none. With 1, processes of a user may read each other's memory if
// these permit it, which Thrum's do.
int ptrace_scope() {
    int scope = 0;
    if (std::FILE *file = std::fopen("/proc/sys/kernel/yama/ptrace_scope", "re")) {
        if (std::fscanf(file, "%d", &scope) != 1)
            scope = 0;
        std::fclose(file);
    }
    return scope;
}

// Tries a copy within this process, because a sandbox may forbid the system call itself. Whether
// other processes may be read depends on yama.
std::string how_memory_is_read(bool has_worked) {
    if (!fabric_settings().single_copy)
        return "two copies, through shared memory (THRUM_SINGLE_COPY=0)";
    char from = 'x', to = 0;
    iovec local{&to, 1}, remote{&from, 1};
    errno = has_worked ? 0 : EPERM;
    if (!has_worked || ::process_vm_readv(::getpid(), &local, 1, &remote, 1, 0) != 1)
        return std::string("two copies, through shared memory: the system forbids a single copy "
                           "(process_vm_readv: ") +
               std::strerror(errno) + ")";
    if (int scope = ptrace_scope(); scope > 1 && ::geteuid() != 0)
        return "two copies, through shared memory: the system forbids a single copy "
               "(kernel.yama.ptrace_scope is " +
               std::to_string(scope) + ")";
    return "a single copy (process_vm_readv)";
}

// Returns the line about processes of one node.
std::string within_a_node(bool single_copy_has_worked) {
    if (!fabric_settings().shared_memory)
        return std::string("within a node: as between nodes (THRUM_FABRIC=") +
               fabric_settings().list + ")\n";
    return "within a node: shared memory; payloads of up to " +
           std::to_string(fabric_settings().short_bytes_max) +
           " bytes in a slot (THRUM_SHORT_LIMIT); large messages: " +
           how_memory_is_read(single_copy_has_worked) + "\n";
}

// Returns why this provider would be, or was, chosen. `names`: all providers.
std::string why_this_provider(const std::string &names) {
    if (*fabric_settings().provider)
        return std::string("asked for by THRUM_FABRIC=") + fabric_settings().list +
               "; libfabric has " + names;
    return "libfabric's first of " + names;
}

// The text about providers that a job would use.
struct Prospect {
    std::string text;
};

// Writes what a job would use. Runs on a large stack, as libfabric's providers need it.
void look_for_providers(void *argument) {
    std::string &text = static_cast<Prospect *>(argument)->text;
    std::string why;
    const LibfabricFunctions *library = load_libfabric(why);
    if (!library) {
        text = "nothing: " + why;
        return;
    }
    int error = 0;
    fi_info *found = find_providers(*library, fabric_settings().provider, error);
    std::string names = names_of_providers(*library);
    if (!found) {
        text = std::string("nothing: libfabric has no provider ") + fabric_settings().provider +
               " that can reach other nodes; there " + (names.empty() ? "is none" : "are " + names);
        return;
    }
    text = describe_network(*found) + ": " + why_this_provider(names);
    library->freeinfo(found);
}

// Writes the names of the providers. Runs on a large stack, too.
void add_names(void *argument) {
    std::string why;
    if (const LibfabricFunctions *library = load_libfabric(why))
        static_cast<Prospect *>(argument)->text = names_of_providers(*library);
}

} // namespace

std::string describe_choice(const SharedMemory &shared_memory, const Libfabric *network) {
    std::string text = within_a_node(shared_memory.single_copy_works());
    if (!network)
        return text + "between nodes: nothing is needed, all processes are on one node\n";
    Prospect names;
    call_on_large_stack(add_names, &names);
    const int receivers = fabric_settings().receivers;
    return text + "between nodes: " + network->description() +
           (receivers > 1 ? ", " + std::to_string(receivers) + " receivers (THRUM_RECEIVERS)"
                          : "") +
           ": " + why_this_provider(names.text) + "\n";
}

std::string describe_prospect() {
    Prospect network;
    if (!fabric_settings().network)
        network.text = std::string("nothing (THRUM_FABRIC=") + fabric_settings().list + ")";
    else if (!call_on_large_stack(look_for_providers, &network))
        network.text = "unknown: cannot start a thread that looks for providers; raise ulimit -u";
    return within_a_node(true) + "between nodes: " + network.text + "\n";
}

} // namespace thrum
