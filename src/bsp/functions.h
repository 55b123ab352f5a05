// The functions of <thrum/bsp.h>, for reports. Their numbers follow those of MPI's functions, and
// their names those in function_names (entry/entry.cc).
#pragma once

#define THRUM_BSP_FUNCTIONS(X)                                                                     \
    X(bsp_init)                                                                                    \
    X(bsp_begin)                                                                                   \
    X(bsp_end)                                                                                     \
    X(bsp_abort)                                                                                   \
    X(bsp_nprocs)                                                                                  \
    X(bsp_pid)                                                                                     \
    X(bsp_time)                                                                                    \
    X(bsp_sync)                                                                                    \
    X(bsp_sync_count)                                                                              \
    X(bsp_push_reg)                                                                                \
    X(bsp_pop_reg)                                                                                 \
    X(bsp_put)                                                                                     \
    X(bsp_get)                                                                                     \
    X(bsp_hpput)                                                                                   \
    X(bsp_hpget)                                                                                   \
    X(bsp_set_tagsize)                                                                             \
    X(bsp_send)                                                                                    \
    X(bsp_qsize)                                                                                   \
    X(bsp_get_tag)                                                                                 \
    X(bsp_move)                                                                                    \
    X(bsp_hpmove)                                                                                  \
    X(cbsp_initialize)                                                                             \
    X(cbsp_send)                                                                                   \
    X(cbsp_nsync)                                                                                  \
    X(cbsp_gsync)                                                                                  \
    X(bsp_get_counters)

namespace thrum::bsp {

#define THRUM_BSP_ENUMERATOR(name) name,
enum class Function { THRUM_BSP_FUNCTIONS(THRUM_BSP_ENUMERATOR) };
#undef THRUM_BSP_ENUMERATOR

extern const unsigned first_function; // the number of the first; entry/entry.cc

} // namespace thrum::bsp
