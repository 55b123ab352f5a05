/* The message device of W. Gropp and E. Lusk, "A high-performance MPI implementation on a
 * shared-memory vector supercomputer" (1996), in each of its design steps. sx4.c measures what a
 * step costs.
 *
 * Ranks are processes or threads (ranks.h). They exchange control packets and data:
 *
 *   short       up to short_bytes_max: the data are in the packet
 *   eager       up to eager_bytes_max: the sender copies them into the shared pool, and continues;
 *               a message for which the pool has no room becomes a rendezvous
 *   rendezvous  the sender asks, and waits until the receiver is ready. Then data go through
 *               the pool, segment after segment, or the receiver copies from the sender's buffer
 *               (single copy, threads only)
 *
 * Packets travel through a locked queue of the receiver, through slots that belong to an ordered
 * pair of ranks and need no lock, or through both: slots first, the queue if they are in use.
 *
 * 1. A slot has one writer and one reader, who take turns: its word `full` says whose turn it is.
 * 2. A queue has one reader; its lock guards its ends, and its cells between writers.
 * 3. A packet carries a sequence number of its pair, and the receiver takes it only in its turn.
 *    So messages of a pair arrive in the order in which they were sent, whatever way they took.
 * 4. A rank that waits moves the packets that arrive meanwhile into private lists. So two ranks may
 *    both send messages before they receive, up to the eager limit. */
#ifndef SX4_DEVICE_H
#define SX4_DEVICE_H

#include "lock.h"

#include <stddef.h>

struct design {
    enum lock_kind lock;     /* of the queues and of the pool */
    int has_queue;           /* packets may go through the receiver's locked queue */
    int single_copy;         /* rendezvous from buffer to buffer */
    size_t slots;            /* of each ordered pair of ranks */
    size_t short_bytes_max;  /* of a message in a packet */
    size_t eager_bytes_max;  /* of a message that does not wait for its receiver */
    size_t segment_bytes;    /* of a rendezvous */
    size_t eager_pool_bytes; /* for eager messages that nobody has received yet */
};

/* Sets the design of a step, with the paper's limits; in single copy all that is not short is a
 * rendezvous. Steps: semaphores, slots-semaphores, locked, slots, both, single-copy. Returns 0 if
 * there is no such step. */
int design_of_step(const char *name, struct design *design);

struct device;
struct endpoint; /* a rank's own part of the device */

/* Creates a device in memory that forked children share; ends the process if it cannot. */
struct device *create_device(const struct design *design, int ranks);
void destroy_device(struct device *device);

/* Opens and closes a rank's own part; closing it drops messages that were not received. */
struct endpoint *open_endpoint(struct device *device, int rank);
void close_endpoint(struct endpoint *endpoint);

/* Sends a message to another rank, and returns when its data may be changed. */
void send_message(struct endpoint *endpoint, int dest, const void *data, size_t size_bytes);

/* Waits for the next message of another rank, and returns its size. A message longer than
 * `capacity` ends the process. */
size_t receive_message(struct endpoint *endpoint, int source, void *buffer, size_t capacity);

#endif
