/* Latency of small messages with counting and with global synchronisation: figure 2 of R. Alpert
 * and J. Philbin, "cBSP" (1997). "Two processes send payloads to each other, with data movement
 * alternating direction in consecutive supersteps"; and all-to-all of all processes.
 *
 * Prints a line for each kind, way and size: the one-way latency in nanoseconds, the least of some
 * repetitions. */
#include <stdio.h>
#include <stdlib.h>
#include <thrum/bsp.h>

enum { bytes_max = 1024, repetitions = 9, processes_max = 256 };

static char in[processes_max][bytes_max], out[bytes_max];

static void end_superstep(int global, int count) {
    if (global)
        cbsp_gsync();
    else
        cbsp_nsync(count);
}

/* Between processes 0 and 1; others take part in global synchronisation, as they must. */
static void ping_pong(int global, int bytes, int rounds) {
    int me = bsp_pid();
    for (int r = 0; r < rounds; ++r) {
        if (me == r % 2)
            cbsp_send(1 - me, in[me], out, bytes, NULL);
        end_superstep(global, me < 2 && me != r % 2);
    }
}

static void all_to_all(int global, int bytes, int rounds) {
    int p = bsp_nprocs(), me = bsp_pid();
    for (int r = 0; r < rounds; ++r) {
        for (int i = 1; i < p; ++i)
            cbsp_send((me + i) % p, in[me], out, bytes, NULL);
        end_superstep(global, p - 1);
    }
}

static double measure(void (*run)(int, int, int), int global, int bytes, int rounds) {
    double best = 1e30;
    for (int i = 0; i < repetitions; ++i) {
        bsp_sync();
        double begin = bsp_time();
        run(global, bytes, rounds);
        bsp_sync();
        double seconds = bsp_time() - begin;
        if (seconds < best)
            best = seconds;
    }
    return best / rounds * 1e9;
}

int main(int argc, char **argv) {
    cbsp_initialize();
    int rounds = argc > 1 ? atoi(argv[1]) : 4000, sizes[] = {4, 64, 256, 1024};
    if (bsp_nprocs() < 2 || bsp_nprocs() > processes_max)
        bsp_abort("2 to %d processes", processes_max);
    for (int kind = 0; kind < 2;
         ++kind) { /* connections are made, buffers filled for the first time */
        measure(kind ? all_to_all : ping_pong, 0, bytes_max, rounds);
        measure(kind ? all_to_all : ping_pong, 1, bytes_max, rounds);
    }
    for (int kind = 0; kind < 2; ++kind)
        for (int s = 0; s < 4; ++s) {
            double ns[2];
            for (int global = 0; global < 2; ++global)
                ns[global] = measure(kind ? all_to_all : ping_pong, global, sizes[s], rounds);
            if (bsp_pid() == 0)
                printf("%s processes %d bytes %d counting %.1f global %.1f\n",
                       kind ? "all-to-all" : "ping-pong", bsp_nprocs(), sizes[s], ns[0], ns[1]);
        }
    bsp_end();
    return 0;
}
