// Atomic operations on T of BITS bits. The instrumentation has replaced them, so they are done
// here, in the strongest order.
#pragma once
#include "look.h"

// seq_cst [program-1], of all these operations, whatever the program asks for.
enum { strongest = __ATOMIC_SEQ_CST };

static inline void order_all(void) {
    __atomic_thread_fence(__ATOMIC_SEQ_CST); // seq_cst [program-1]
}

#define FETCH(BITS, T, NAME)                                                                       \
    T __tsan_atomic##BITS##_fetch_##NAME(volatile T *address, T value, int order) {                \
        (void)order;                                                                               \
        look(address, sizeof(T), 1, PLACE);                                                        \
        return __atomic_fetch_##NAME(address, value, strongest);                                   \
    }

#define COMPARE_EXCHANGE(BITS, T, NAME)                                                            \
    int __tsan_atomic##BITS##_compare_exchange_##NAME(volatile T *address, T *expected, T desired, \
                                                      int order, int order_of_failure) {           \
        (void)order, (void)order_of_failure;                                                       \
        look(address, sizeof(T), 1, PLACE);                                                        \
        return __atomic_compare_exchange_n(address, expected, desired, 0, strongest, strongest);   \
    }

#define ATOMICS(BITS, T)                                                                           \
    T __tsan_atomic##BITS##_load(const volatile T *address, int order) {                           \
        (void)order;                                                                               \
        look(address, sizeof(T), 0, PLACE);                                                        \
        return __atomic_load_n(address, strongest);                                                \
    }                                                                                              \
    void __tsan_atomic##BITS##_store(volatile T *address, T value, int order) {                    \
        (void)order;                                                                               \
        look(address, sizeof(T), 1, PLACE);                                                        \
        __atomic_store_n(address, value, strongest);                                               \
    }                                                                                              \
    T __tsan_atomic##BITS##_exchange(volatile T *address, T value, int order) {                    \
        (void)order;                                                                               \
        look(address, sizeof(T), 1, PLACE);                                                        \
        return __atomic_exchange_n(address, value, strongest);                                     \
    }                                                                                              \
    T __tsan_atomic##BITS##_compare_exchange_val(volatile T *address, T expected, T desired,       \
                                                 int order, int order_of_failure) {                \
        (void)order, (void)order_of_failure;                                                       \
        look(address, sizeof(T), 1, PLACE);                                                        \
        __atomic_compare_exchange_n(address, &expected, desired, 0, strongest, strongest);         \
        return expected;                                                                           \
    }                                                                                              \
    COMPARE_EXCHANGE(BITS, T, strong)                                                              \
    COMPARE_EXCHANGE(BITS, T, weak)                                                                \
    FETCH(BITS, T, add)                                                                            \
    FETCH(BITS, T, sub)                                                                            \
    FETCH(BITS, T, and)                                                                            \
    FETCH(BITS, T, or)                                                                             \
    FETCH(BITS, T, xor)                                                                            \
    FETCH(BITS, T, nand)
