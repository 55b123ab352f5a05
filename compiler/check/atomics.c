#include "atomics.h"

ATOMICS(8, uint8_t)
ATOMICS(16, uint16_t)
ATOMICS(32, uint32_t)
ATOMICS(64, uint64_t)

void __tsan_atomic_thread_fence(int order) {
    (void)order;
    order_all();
}

void __tsan_atomic_signal_fence(int order) {
    (void)order;
    __atomic_signal_fence(strongest);
}
