// What the processes of a communicator that are on this node know about the gate where they meet
// without messages (exchange/node_gate.h).
#pragma once
#include "comm/span.h"
#include "fabric/channel/gate.h"

#include <vector>

namespace thrum {

// Written by blocking operations only, which run one after the other. NotAsked: the first barrier
// has not decided yet.
struct GateMembership {
    enum class State : uint8_t { NotAsked, None, There };
    State state = State::NotAsked;
    bool is_all = false;                // all processes of the communicator are on this node
    int number = -1;                    // its number at the owner
    Gate *gate = nullptr;               // valid in state There
    std::vector<NodeProcess> processes; // the first one owns the gate
};

// Returns the gate to its owner, if this process is that, when the communicator is freed.
void leave_gate(GateMembership *membership);
inline const Extension<ProcessMap, GateMembership, leave_gate> gate_memberships;

inline GateMembership &gate_membership_of(const ProcessMap &span) {
    return gate_memberships.of(span).get_or_make();
}

} // namespace thrum
