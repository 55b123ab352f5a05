/* Supersteps: BSPlib, and counting synchronisation (cBSP).
 *
 * A program is a sequence of supersteps. In a superstep each process computes on what it has and
 * says what is to be communicated; at its end the processes synchronise, and what was communicated
 * is in place when the next superstep begins.
 *
 * Sources: J. Hill and others, "BSPlib: The BSP programming library", Parallel Computing 24 (1998);
 * R. Alpert and J. Philbin, "cBSP: Zero-cost synchronization in a modified BSP model", NEC Research
 * Institute (1997): below "the paper".
 *
 * Compile with mpicc and run with mpiexec, or run the program as it is: bsp_begin(n) starts the
 * processes. Processes are ranks of MPI: a program may call MPI_Init and use both. Sizes and
 * offsets are in bytes. A mistake (an address that is not registered, a place outside a registered
 * area, a wrong count ...) ends the job with one line that names the process, the superstep, what
 * is wrong and the line of the call: no function returns an error. A process calls these functions
 * from its main thread.
 *
 * The functions stand in the library under the names thrum_bsp_X and thrum_cbsp_X, so that a
 * program may have another library with the names of BSPlib. */
#ifndef THRUM_BSP_H
#define THRUM_BSP_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define THRUM_BSP_NAME(name) __asm__("thrum_" #name)

/* ---- beginning and end (BSPlib section 3.1) */

/* Says that the processes begin in `spmd`, whose first statement is bsp_begin(): the first
 * statement of main() if bsp_begin() is not. In process 0 it returns; in the others it calls
 * spmd() and, when that returns, exit(0). */
void bsp_init(void (*spmd)(void), int argc, char **argv) THRUM_BSP_NAME(bsp_init);

/* Begins superstep 0 with min(maxprocs, ranks of mpiexec) processes; ranks that are too many end.
 * What process 0 says counts. Without mpiexec, or with mpiexec -n 1, maxprocs - 1 further processes
 * are started, which run the same program from the beginning of its main(). Once in a program. */
void bsp_begin(int maxprocs) THRUM_BSP_NAME(bsp_begin);

/* Ends the last superstep, in which nothing may have been communicated. */
void bsp_end(void) THRUM_BSP_NAME(bsp_end);

/* Ends all processes with exit code 1; says why, printf-style, on standard error. */
void bsp_abort(const char *format, ...) THRUM_BSP_NAME(bsp_abort)
    __attribute__((format(printf, 1, 2), noreturn));

/* The number of processes; before bsp_begin() that which is available: ranks of mpiexec, or without
 * it cores. */
int bsp_nprocs(void) THRUM_BSP_NAME(bsp_nprocs);

/* The number of the calling process, from 0. */
int bsp_pid(void) THRUM_BSP_NAME(bsp_pid);

/* Seconds since bsp_begin(), on a clock that all processes share. */
double bsp_time(void) THRUM_BSP_NAME(bsp_time);

/* ---- ends of supersteps */

/* Ends the superstep globally: returns when all processes have called it, and all that was
 * communicated to this process in the superstep is in place. */
void bsp_sync(void) THRUM_BSP_NAME(bsp_sync);

/* Ends the superstep by counting: returns when `count` operations of this superstep (of any
 * process) have come to this process, and are in place. Each bsp_put, bsp_hpput, bsp_send,
 * cbsp_send, bsp_get and bsp_hpget with this process's number is one; of its own gets it waits for
 * the data besides. Nothing is sent: a process that needs nothing of others goes on at once.
 * A process is at most two supersteps ahead of those with which it communicates in its node process;
 * of those elsewhere so far as what it sends them meanwhile fits into a receive buffer.
 * Either all processes end a superstep by counting or all globally. A wrong count is reported:
 * more have come than `count`; or no more will come, for all processes wait. */
void bsp_sync_count(long count) THRUM_BSP_NAME(bsp_sync_count);

/* ---- registration (BSPlib section 3.2.1) */

/* From the next superstep on, [area, area + nbytes) can be the remote side of puts and gets: under
 * the local address by which each process has registered its own area in the same order. NULL, 0:
 * this process has none. An area may be registered again; its last registration counts. */
void bsp_push_reg(const void *area, ptrdiff_t nbytes) THRUM_BSP_NAME(bsp_push_reg);

/* From the next superstep on, the last registration of `area` is gone. All processes undo the same
 * registration. */
void bsp_pop_reg(const void *area) THRUM_BSP_NAME(bsp_pop_reg);

/* ---- memory of others (BSPlib sections 3.2.2, 3.2.3) */

/* Writes nbytes from `source` to offset `offset` of the area of process `pid` that the calling
 * process knows as `destination`, at the end of the superstep, after all gets have read. `source`
 * may be changed at once. Of several writes to one place one counts. */
void bsp_put(int pid, const void *source, void *destination, ptrdiff_t offset, ptrdiff_t nbytes)
    THRUM_BSP_NAME(bsp_put);

/* Reads nbytes from offset `offset` of the area of process `pid` that the calling process knows as
 * `source`, as it is at the end of the superstep before anything is written; `destination` is
 * written after that. */
void bsp_get(int pid, const void *source, ptrdiff_t offset, void *destination, ptrdiff_t nbytes)
    THRUM_BSP_NAME(bsp_get);

/* bsp_put() and bsp_get() without buffers: the data are copied once, at some time between the call
 * and the end of the superstep. Until then what is read may not change, and what is written is
 * undefined, from the time when its process begins the superstep. */
void bsp_hpput(int pid, const void *source, void *destination, ptrdiff_t offset, ptrdiff_t nbytes)
    THRUM_BSP_NAME(bsp_hpput);
void bsp_hpget(int pid, const void *source, ptrdiff_t offset, void *destination, ptrdiff_t nbytes)
    THRUM_BSP_NAME(bsp_hpget);

/* ---- messages with tags (BSPlib section 3.3) */

/* From the next superstep on, tags have *tag_nbytes bytes (at first 0), in all processes; the
 * present size is returned in *tag_nbytes. */
void bsp_set_tagsize(int *tag_nbytes) THRUM_BSP_NAME(bsp_set_tagsize);

/* Sends a message, which is in the queue of process `pid` in the next superstep, and in that only.
 * `tag` and `payload` may be changed at once. Messages of a process are in no special order. */
void bsp_send(int pid, const void *tag, const void *payload, ptrdiff_t payload_nbytes)
    THRUM_BSP_NAME(bsp_send);

/* Messages in the queue, and the bytes of their payloads (INT_MAX if there are more). */
void bsp_qsize(int *nmessages, int *accum_nbytes) THRUM_BSP_NAME(bsp_qsize);

/* The size of the payload of the first message, and its tag; *status is -1 if there is none. */
void bsp_get_tag(int *status, void *tag) THRUM_BSP_NAME(bsp_get_tag);

/* Copies the payload of the first message and takes the message from the queue. A payload that is
 * larger than reception_nbytes is a mistake (use bsp_hpmove() to look at a part of it). */
void bsp_move(void *payload, ptrdiff_t reception_nbytes) THRUM_BSP_NAME(bsp_move);

/* Takes the first message from the queue without copying: the size of its payload, and where its
 * tag and payload are (aligned to 16 bytes) until the end of the superstep; -1 if there is none. */
int bsp_hpmove(void **tag, void **payload) THRUM_BSP_NAME(bsp_hpmove);

/* ---- cBSP (the paper, section 4.3) */

/* Runs at process `source`'s receiver while this synchronises, when all data are in place. It may
 * send (into the superstep that begins) but not synchronise. */
typedef void cbsp_handler(int source, void *destination, int nbytes);

/* Allocates buffers and numbers the processes: bsp_begin(bsp_nprocs()) unless that has been called.
 * The end is bsp_end(). */
void cbsp_initialize(void) THRUM_BSP_NAME(cbsp_initialize);

/* Writes nbytes from `source` to `destination` of process `node` at the end of the superstep, and
 * then calls `handler` (may be NULL) there. `source` may be changed at once. `destination` is
 *   - a global variable: that of process `node`;
 *   - in an area that the calling process has registered: the same place of the area of `node`;
 *   - an address of process `node` itself, which has registered an area there;
 *   - NULL: the handler gets the address of the data in the receive buffer, where they stay until
 *     the end of the superstep that begins.
 * Several writes to one place, and several handlers, are in no special order. */
void cbsp_send(int node, void *destination, const void *source, ptrdiff_t nbytes,
               cbsp_handler *handler) THRUM_BSP_NAME(cbsp_send);

/* bsp_sync_count(count) and bsp_sync(). */
void cbsp_nsync(long count) THRUM_BSP_NAME(cbsp_nsync);
void cbsp_gsync(void) THRUM_BSP_NAME(cbsp_gsync);

/* ---- what the calling process has done since bsp_begin() */

struct bsp_counters {
    long long supersteps_global;  /* ended by bsp_sync, cbsp_gsync */
    long long supersteps_counted; /* ended by bsp_sync_count, cbsp_nsync */
    long long operations;         /* puts, gets and sends to other processes, or itself */
    long long synchronisations;   /* messages that only synchronise, sent by this process */
    long long overflows;          /* messages that found the receive buffer full */
    long long large;              /* messages larger than a receive buffer */
    long long packets;            /* all that this node process has sent to others for supersteps */
};

void bsp_get_counters(struct bsp_counters *counters) THRUM_BSP_NAME(bsp_get_counters);

#undef THRUM_BSP_NAME

#ifdef __cplusplus
}
#endif
#endif
