// The place of a mistake: a call of a function of <thrum/bsp.h> in the program.
#pragma once
#include <cstdint>

namespace thrum::bsp {

// Identifies the call; printed by mistake_at() in the node process of that rank.
struct Place {
    int world_rank = 0;
    uint16_t function = 0;           // thrum::Function
    const void *call_site = nullptr; // in the node process of that rank
};

// Returns the call that the calling process is in.
Place current_place();

} // namespace thrum::bsp
