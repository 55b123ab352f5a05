/* Supersteps: BSPlib, and counting synchronisation (cBSP).
 *
 * A program is a sequence of supersteps. In a superstep each process computes with its own data
 * and requests communication. At its end the processes synchronise, and the communicated data are
 * available when the next superstep begins.
 *
 * Sources: J. Hill and others, "BSPlib: The BSP programming library", Parallel Computing 24
 * (1998); R. Alpert and J. Philbin, "cBSP: Zero-cost synchronization in a modified BSP model", NEC
 * Research Institute (1997), called "the paper" below.
 *
 * Compile with mpicc and run with mpiexec. Without mpiexec, bsp_begin(n) starts the processes.
 * Processes are ranks of MPI, so a program may also call MPI_Init and use both. Sizes and offsets
 * are in bytes. No function returns an error: a mistake (an address that is not registered, a
 * place outside a registered area, a wrong count ...) ends the job with one line that names the
 * process, the superstep, the mistake and the line of the call. A process must call these
 * functions from its main thread.
 *
 * In the library the functions have the names thrum_bsp_X and thrum_cbsp_X, so that a program may
 * use another library with BSPlib's names. */
#ifndef THRUM_BSP_H
#define THRUM_BSP_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define THRUM_BSP_NAME(name) __asm__("thrum_" #name)

/* ---- beginning and end (BSPlib section 3.1) */

/* Declares that the processes begin in `spmd`, whose first statement must be bsp_begin(). Must be
 * the first statement of main() unless bsp_begin() is. In process 0 it returns; in the others it
 * calls spmd() and then exit(0). */
void bsp_init(void (*spmd)(void), int argc, char **argv) THRUM_BSP_NAME(bsp_init);

/* Begins superstep 0 with min(maxprocs, ranks of mpiexec) processes; surplus ranks end. The value
 * in process 0 counts. Without mpiexec, or with mpiexec -n 1, it starts maxprocs - 1 further
 * processes, which run the same program from the beginning of main(). May be called once in a
 * program. */
void bsp_begin(int maxprocs) THRUM_BSP_NAME(bsp_begin);

/* Ends the last superstep, in which nothing may have been communicated. */
void bsp_end(void) THRUM_BSP_NAME(bsp_end);

/* Ends all processes with exit code 1, and prints the reason, printf-style, on standard error. */
void bsp_abort(const char *format, ...) THRUM_BSP_NAME(bsp_abort)
    __attribute__((format(printf, 1, 2), noreturn));

/* Returns the number of processes; before bsp_begin() the number available: ranks of mpiexec or,
 * without it, cores. */
int bsp_nprocs(void) THRUM_BSP_NAME(bsp_nprocs);

/* Returns the number of the calling process, from 0. */
int bsp_pid(void) THRUM_BSP_NAME(bsp_pid);

/* Returns the seconds since bsp_begin(), on a clock that all processes share. */
double bsp_time(void) THRUM_BSP_NAME(bsp_time);

/* ---- ends of supersteps */

/* Ends the superstep globally: returns when all processes have called it, and everything
 * communicated to this process in the superstep is available. */
void bsp_sync(void) THRUM_BSP_NAME(bsp_sync);

/* Ends the superstep by counting: returns when `count` operations of this superstep (of any
 * process) have arrived at this process and are available. Each bsp_put, bsp_hpput, bsp_send,
 * cbsp_send, bsp_get and bsp_hpget with this process's number counts as one. For its own gets it
 * also waits for the data. Nothing is sent, so a process that needs nothing from others continues
 * at once.
 *
 * A process is at most two supersteps ahead of its partners in the same node process. It may be
 * further ahead of others, as long as the data that it sends them fit into a receive buffer.
 *
 * A superstep must be ended either by all processes by counting, or by all globally. A wrong count
 * is reported: more operations than `count` have arrived, or no more can arrive because all
 * processes wait. */
void bsp_sync_count(long count) THRUM_BSP_NAME(bsp_sync_count);

/* ---- registration (BSPlib section 3.2.1) */

/* Registers [area, area + nbytes) for remote puts and gets, from the next superstep on. Each
 * process registers its own area, in the same order, and uses its own local address to name the
 * area of another process. NULL, 0: this process has none. An area may be registered again; its
 * last registration counts. */
void bsp_push_reg(const void *area, ptrdiff_t nbytes) THRUM_BSP_NAME(bsp_push_reg);

/* Removes the last registration of `area`, from the next superstep on. All processes must remove
 * the same registration. */
void bsp_pop_reg(const void *area) THRUM_BSP_NAME(bsp_pop_reg);

/* ---- memory of others (BSPlib sections 3.2.2, 3.2.3) */

/* Writes nbytes from `source` to offset `offset` of the area of process `pid` that the calling
 * process knows as `destination`, at the end of the superstep, after all gets have read. `source`
 * may be changed at once. Of several writes to one place, one takes effect. */
void bsp_put(int pid, const void *source, void *destination, ptrdiff_t offset, ptrdiff_t nbytes)
    THRUM_BSP_NAME(bsp_put);

/* Reads nbytes from offset `offset` of the area of process `pid` that the calling process knows as
 * `source`, with its contents at the end of the superstep before anything is written.
 * `destination` is written after that. */
void bsp_get(int pid, const void *source, ptrdiff_t offset, void *destination, ptrdiff_t nbytes)
    THRUM_BSP_NAME(bsp_get);

/* Work like bsp_put() and bsp_get() without buffers: the data are copied once, at some time
 * between the call and the end of the superstep. Until then the memory that is read must not
 * change. The memory that is written is undefined from the beginning of its process's superstep. */
void bsp_hpput(int pid, const void *source, void *destination, ptrdiff_t offset, ptrdiff_t nbytes)
    THRUM_BSP_NAME(bsp_hpput);
void bsp_hpget(int pid, const void *source, ptrdiff_t offset, void *destination, ptrdiff_t nbytes)
    THRUM_BSP_NAME(bsp_hpget);

/* ---- messages with tags (BSPlib section 3.3) */

/* Sets the size of tags to *tag_nbytes (initially 0) in all processes, from the next superstep on.
 * Returns the current size in *tag_nbytes. */
void bsp_set_tagsize(int *tag_nbytes) THRUM_BSP_NAME(bsp_set_tagsize);

/* Sends a message to process `pid`, where it is in the queue during the next superstep only. `tag`
 * and `payload` may be changed at once. Messages have no particular order. */
void bsp_send(int pid, const void *tag, const void *payload, ptrdiff_t payload_nbytes)
    THRUM_BSP_NAME(bsp_send);

/* Returns the number of messages in the queue, and the bytes of their payloads (INT_MAX if there
 * are more). */
void bsp_qsize(int *nmessages, int *accum_nbytes) THRUM_BSP_NAME(bsp_qsize);

/* Returns the size of the first message's payload, and its tag; *status is -1 if there is none. */
void bsp_get_tag(int *status, void *tag) THRUM_BSP_NAME(bsp_get_tag);

/* Copies the payload of the first message and removes the message from the queue. The payload must
 * not be larger than reception_nbytes (use bsp_hpmove() to read only a part of it). */
void bsp_move(void *payload, ptrdiff_t reception_nbytes) THRUM_BSP_NAME(bsp_move);

/* Removes the first message from the queue without copying. Returns the size of its payload, and
 * where tag and payload are (aligned to 16 bytes) until the end of the superstep; -1 if there is
 * no message. */
int bsp_hpmove(void **tag, void **payload) THRUM_BSP_NAME(bsp_hpmove);

/* ---- cBSP (the paper, section 4.3) */

/* Runs in the receiver while it synchronises, when all data have arrived. `source` is the sender.
 * It may send (into the superstep that begins) but must not synchronise. */
typedef void cbsp_handler(int source, void *destination, int nbytes);

/* Allocates buffers and numbers the processes: calls bsp_begin(bsp_nprocs()) unless that has been
 * called. bsp_end() ends the program. */
void cbsp_initialize(void) THRUM_BSP_NAME(cbsp_initialize);

/* Writes nbytes from `source` to `destination` of process `node` at the end of the superstep, and
 * then calls `handler` (may be NULL) there. `source` may be changed at once. `destination` is one
 * of these:
 *   - a global variable: that of process `node`;
 *   - a place in an area that the calling process has registered: the same place in the area of
 *     `node`;
 *   - an address in process `node` itself, which has registered an area there;
 *   - NULL: the handler gets the address of the data in the receive buffer, where they stay until
 *     the end of the superstep that begins.
 * Several writes to one place, and several handlers, have no particular order. */
void cbsp_send(int node, void *destination, const void *source, ptrdiff_t nbytes,
               cbsp_handler *handler) THRUM_BSP_NAME(cbsp_send);

/* The same as bsp_sync_count(count) and bsp_sync(). */
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
