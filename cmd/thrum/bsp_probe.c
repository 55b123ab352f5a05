/* thrum bsp-probe: measures the parameters of the BSP cost model for this machine and number of
 * processes.
 *
 *   s   floating-point operations per second of a process while all compute
 *   g   time per byte that a process sends and receives, when all exchange with all
 *   l   time of a superstep without communication, ended globally; and of one ended by counting,
 *       with one small message from a neighbour
 *
 * g and l are printed in nanoseconds and, like in R. Bisseling's bspbench, in operations, g for a
 * word of 8 bytes. Usage: bsp_probe (mpiexec says how many processes). */
#include <stdio.h>
#include <stdlib.h>
#include <thrum/bsp.h>

enum { numbers = 1024, flop_rounds = 20000, rounds = 2000, exchange_rounds = 200, repetitions = 5 };

enum { exchanged_bytes = 256 << 10 };

static double x[numbers], y[numbers];
static int cell;

/* Seconds that `run` takes, the least of some repetitions. */
static double time_of(void (*run)(void)) {
    double best = 1e30;
    for (int i = 0; i < repetitions; ++i) {
        bsp_sync();
        double begin = bsp_time();
        run();
        bsp_sync();
        double seconds = bsp_time() - begin;
        best = seconds < best ? seconds : best;
    }
    return best;
}

static void compute(void) {
    double factor = 1.0 / 3;
    for (int r = 0; r < flop_rounds; ++r) {
        for (int i = 0; i < numbers; ++i)
            y[i] += factor * x[i];
        __asm__ volatile("" ::: "memory"); /* no round is left out */
        factor = -factor;
    }
}

static void synchronise(void) {
    for (int r = 0; r < rounds; ++r)
        bsp_sync();
}

static void count(void) {
    for (int r = 0; r < rounds; ++r) {
        cbsp_send((bsp_pid() + 1) % bsp_nprocs(), &cell, &r, sizeof r, NULL);
        cbsp_nsync(1);
    }
}

static void exchange(void) {
    static char data[exchanged_bytes];
    int p = bsp_nprocs(), part = exchanged_bytes / (p > 1 ? p - 1 : 1);
    for (int r = 0; r < exchange_rounds; ++r) {
        for (int i = 1; i < p; ++i)
            bsp_send((bsp_pid() + i) % p, NULL, data, part);
        bsp_sync();
    }
}

int main(void) {
    cbsp_initialize();
    int p = bsp_nprocs();
    for (int i = 0; i < numbers; ++i)
        x[i] = i;
    double s = 2.0 * numbers * flop_rounds / time_of(compute);
    double l = time_of(synchronise) / rounds, l_counted = time_of(count) / rounds;
    double h = p > 1 ? (double)(exchanged_bytes / (p - 1)) * (p - 1) : 0;
    double g = p > 1 ? (time_of(exchange) / exchange_rounds - l) / h : 0;
    g = g > 0 ? g : 0;
    if (bsp_pid() == 0) {
        printf("p  %d processes\n", p);
        printf("s  %.1f Mflop/s for each process\n", s * 1e-6);
        printf("g  %.4f ns/byte   %.2f flop/word\n", g * 1e9, g * 8 * s);
        printf("l  %.1f ns   %.1f flop   (global)\n", l * 1e9, l * s);
        printf("l  %.1f ns   %.1f flop   (counting)\n", l_counted * 1e9, l_counted * s);
    }
    bsp_end();
    return 0;
}
