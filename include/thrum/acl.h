/* <thrum/acl.h>: the Advanced Computing Lab Message Passing Library (ACLMPL), after the paper
 * that presents it for the Cray T3D (Los Alamos, 1995; the sections and figures below are that
 * paper's): synchronous messages of one copy, asynchronous messages through a pool of buffers,
 * broadcast and reduce. In the style of the CM-5's CMMD.
 *
 * Between acl_begin() and acl_end() each rank is a processing element (PE) with an address; the PEs
 * of a partition are the ranks of MPI_COMM_WORLD with the same numbers. ACLMPL and MPI may be used
 * in one program; their messages do not meet. One thread of a rank uses it at a time. All sizes are
 * bytes unless a name says otherwise.
 *
 * Mistakes (an address outside the partition, a buffer that is too small, ...) and what can never
 * go on (a synchronous message to oneself) end the job with one line that names the rank, the call
 * and its place in the program. */
#ifndef THRUM_ACL_H
#define THRUM_ACL_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Of asynchronous receives: from any PE; with any tag. */
#define ACL_ANY (-1)

/* What is known of a message that has been received. */
typedef struct acl_message {
    int source;   /* address of the sender */
    int tag;      /* what the sender has given */
    size_t bytes; /* of its data */
} acl_message;

/* A reduction operator. Combines `count` elements of `lower`, which come from PEs of lower
 * addresses, with those of `higher`, one by one: result[i] = lower[i] op higher[i]. `result` is
 * either `lower` or `higher`, hence inout. It must be associative, but need not be commutative:
 * contributions are combined in the order of addresses. It is called for parts of the array, and
 * must not communicate. (Section 4.3: "the user can write a reduction operator".) */
typedef void acl_operator(const void *lower, const void *higher, void *result, size_t count);

/* Joins the partition: all ranks of MPI_COMM_WORLD call it together. Calls MPI_Init if nobody has,
 * in which case acl_end() calls MPI_Finalize. */
void acl_begin(void);

/* Leaves the partition, when all PEs have called it. It is a mistake if asynchronous messages have
 * been sent to the caller that it has not received. A program may begin again, as long as MPI has
 * not been finalized. */
void acl_end(void);

/* The caller's address: 0 to acl_partition_size() - 1. */
int acl_self_address(void);

/* How many PEs there are. */
int acl_partition_size(void);

/* Synchronous messages (section 4.1, figure 1). A send and its receive wait for each other; then
 * the data is copied once, from `buffer` to the receiver's buffer, and both return. Messages from
 * one PE to another are received in the order sent. Nothing is allocated, buffered or locked:
 * whoever comes first leaves a request block where the other looks for it. */

/* Sends `bytes` bytes to `dest`; returns when they are in its buffer. `dest` must not be the
 * caller. */
void acl_send(int dest, const void *buffer, size_t bytes);

/* Receives a message from `source`, which must not be the caller. Returns its length; more than
 * `bytes` is a mistake. */
size_t acl_receive(int source, void *buffer, size_t bytes);

/* Sends to `dest` and receives from `source`, "possibly the same" (section 4.1), at the same time:
 * PEs that all do so do not wait for each other in a ring. If both are the caller, copies. The
 * buffers must not overlap. Returns the length of what was received. */
size_t acl_send_and_receive(int dest, const void *send_buffer, size_t send_bytes, int source,
                            void *receive_buffer, size_t receive_bytes);

/* Asynchronous messages (section 4.2, figure 2). Each PE has a pool of buffers, which senders claim
 * by a fetch-and-increment; when all are used up, what has not been received goes to a list of
 * sent-but-not-yet-received messages. They are apart from synchronous messages. Messages from one
 * PE to another that the same receive could receive are received in the order sent. */

/* Sends a copy of `bytes` bytes to `dest`, which may be the caller, with a tag of 0 or more.
 * Returns at once, unless the receiver has 64 MiB of messages that it has not received: then it
 * waits until there are fewer. */
void acl_async_send(int dest, int tag, const void *buffer, size_t bytes);

/* Receives the oldest message of `source` (or ACL_ANY) with `tag` (or ACL_ANY), if one has been
 * sent: returns 1, and what it was in *message unless that is NULL. Else returns 0 at once. More
 * than `bytes` is a mistake. */
int acl_async_receive(int source, int tag, void *buffer, size_t bytes, acl_message *message);

/* The same, but waits for such a message. Returns its length. */
size_t acl_async_receive_block(int source, int tag, void *buffer, size_t bytes,
                               acl_message *message);

/* Global operations (section 4.3), made of synchronous messages: all PEs call them, in the same
 * order. */

/* Copies `bytes` bytes of `root`'s buffer to all others', by a tree, in log2(P) phases. */
void acl_broadcast(int root, void *buffer, size_t bytes);

/* Combines the arrays of all PEs, `count` elements of `element_bytes` each, in the order of
 * addresses: a[0] op a[1] op ... op a[P-1], into the array of `root`. The arrays of the others are
 * used as working space: their contents are undefined afterwards. Takes acl_reduce_by_binary_swap
 * for large arrays, acl_reduce_by_tree for others. With P a power of two both place the brackets
 * alike, so that even sums of floating point numbers are the same. */
void acl_reduce(int root, void *array, size_t count, size_t element_bytes, acl_operator *op);

/* By a tree: in each phase half of the remaining PEs send the whole array to the other half. O(N
 * log P). */
void acl_reduce_by_tree(int root, void *array, size_t count, size_t element_bytes,
                        acl_operator *op);

/* By binary swap: in each phase pairs of PEs exchange halves of what they still have to combine, so
 * that all work all the time; the root gathers the parts. O(N) for N much larger than P. */
void acl_reduce_by_binary_swap(int root, void *array, size_t count, size_t element_bytes,
                               acl_operator *op);

#ifdef __cplusplus
}
#endif

#endif
