// Large arrays of ranks lie in huge pages (2 MiB). Loops over them then miss the TLB less often,
// which matters most in virtual machines: a miss takes two walks of page tables there. Most systems
// leave it to programs to ask for huge pages; malloc asks if GLIBC_TUNABLES says so.
#pragma once
#include <optional>
#include <string>

namespace mpiexec {

// Returns GLIBC_TUNABLES for processes on a node that has `ranks_of_node` ranks of the job;
// nullopt: it stays as it is. An array that is hardly used takes more memory in huge pages, so only
// ranks that have a core each get them. Settings of malloc in `tunables` (nullptr: the variable is
// not set) and THRUM_HUGE_PAGES=0 take precedence.
std::optional<std::string> tunables_for_large_arrays(int ranks_of_node, const char *tunables);

} // namespace mpiexec
