// What tools see of supersteps: the calling process's bsp_counters (<thrum/bsp.h>).
#include "trace/variables.h"

#include "bsp/machine.h"
#include "bsp/superstep_packet.h"

namespace thrum::bsp {
namespace {

// Reads a counter of the calling process; 0 before bsp_begin().
template <long long bsp_counters::*counter>
uint64_t read_counter(uint32_t) {
    const Node *node = current_node_or_null();
    return node ? static_cast<uint64_t>(node->counters.*counter) : 0;
}

CATEGORY(supersteps, .parent = "all", .description = "supersteps of <thrum/bsp.h>");
PERFORMANCE_VARIABLE(bsp_supersteps_global, .category = "supersteps",
                     .description = "supersteps that this rank has ended globally",
                     .read = read_counter<&bsp_counters::supersteps_global>);
PERFORMANCE_VARIABLE(bsp_supersteps_counted, .category = "supersteps",
                     .description = "supersteps that this rank has ended by counting",
                     .read = read_counter<&bsp_counters::supersteps_counted>);
PERFORMANCE_VARIABLE(bsp_operations, .category = "supersteps",
                     .description = "puts, gets and sends of this rank",
                     .read = read_counter<&bsp_counters::operations>);
PERFORMANCE_VARIABLE(
    bsp_synchronisations, .category = "supersteps",
    .description =
        "messages of this rank that only synchronise; supersteps that end by counting need none",
    .read = read_counter<&bsp_counters::synchronisations>);
PERFORMANCE_VARIABLE(bsp_overflows, .category = "supersteps",
                     .description = "messages of this rank that found a receive buffer full",
                     .read = read_counter<&bsp_counters::overflows>);
PERFORMANCE_VARIABLE(bsp_large_messages, .category = "supersteps",
                     .description = "messages of this rank that are larger than a receive buffer",
                     .read = read_counter<&bsp_counters::large>);

uint64_t read_packets(uint32_t) {
    return current_node_or_null() ? packets_sent() : 0;
}

PERFORMANCE_VARIABLE(
    bsp_packets, .category = "supersteps",
    .description = "packets of any kind that this node process has sent to others for supersteps",
    .read = read_packets);

} // namespace
} // namespace thrum::bsp
