/* <thrum/acl.h>: the Advanced Computing Lab Message Passing Library (ACLMPL), in the style of the
 * CM-5's CMMD. It provides synchronous messages with a single copy, asynchronous messages through
 * a pool of buffers, broadcast and reduce. It follows the paper that presents it for the Cray T3D
 * (Los Alamos, 1995), to whose sections and figures the comments below refer.
 *
 * Between acl_begin() and acl_end() each rank is a processing element (PE) with an address. The
 * PEs of a partition are the ranks of MPI_COMM_WORLD with the same numbers. A program may use both
 * ACLMPL and MPI; their messages are separate. Only one thread of a rank may use ACLMPL at a time.
 * All sizes are in bytes unless a name says otherwise.
 *
 * Mistakes (an address outside the partition, a buffer that is too small ...) and certain
 * deadlocks (a synchronous message to oneself) end the job. One line names the rank, the call and
 * its place in the program. */
#ifndef THRUM_ACL_H
#define THRUM_ACL_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* For asynchronous receives: any PE, or any tag. */
#define ACL_ANY (-1)

/* Describes a message that has been received. */
typedef struct acl_message {
    int source;   /* address of the sender */
    int tag;      /* what the sender has given */
    size_t bytes; /* of its data */
} acl_message;

/* A reduction operator. Combines `count` elements of `lower`, which come from PEs of lower
 * addresses, with those of `higher`: result[i] = lower[i] op higher[i]. `result` is either `lower`
 * or `higher`. The operator must be associative but need not be commutative, because contributions
 * are combined in the order of addresses. It is called for parts of the array, and must not
 * communicate. (Section 4.3: "the user can write a reduction operator".) */
typedef void acl_operator(const void *lower, const void *higher, void *result, size_t count);

/* Joins the partition. All ranks of MPI_COMM_WORLD call it together. Calls MPI_Init if that has
 * not been called; then acl_end() calls MPI_Finalize. */
void acl_begin(void);

/* Leaves the partition when all PEs have called it. It is a mistake if asynchronous messages were
 * sent to the caller that it has not received. A program may call acl_begin() again while MPI has
 * not been finalized. */
void acl_end(void);

/* Returns the caller's address: 0 to acl_partition_size() - 1. */
int acl_self_address(void);

/* Returns the number of PEs. */
int acl_partition_size(void);

/* Synchronous messages (section 4.1, figure 1). A send and its receive wait for each other. Then
 * the data are copied once, from `buffer` to the receiver's buffer, and both return. Messages from
 * one PE to another are received in the order sent. Nothing is allocated, buffered or locked: the
 * first of the two leaves a request block where the other one finds it. */

/* Sends `bytes` bytes to `dest`; returns when they are in its buffer. `dest` must not be the
 * caller. */
void acl_send(int dest, const void *buffer, size_t bytes);

/* Receives a message from `source`, which must not be the caller. Returns its length, which must
 * not exceed `bytes`. */
size_t acl_receive(int source, void *buffer, size_t bytes);

/* Sends to `dest` and receives from `source`, "possibly the same" (section 4.1), at the same time,
 * so PEs that all call it in a ring do not deadlock. If both are the caller, it copies. The
 * buffers must not overlap. Returns the length of the received message. */
size_t acl_send_and_receive(int dest, const void *send_buffer, size_t send_bytes, int source,
                            void *receive_buffer, size_t receive_bytes);

/* Asynchronous messages (section 4.2, figure 2). Each PE has a pool of buffers, which senders
 * claim by a fetch-and-increment. When all are in use, further messages go to a list of
 * sent-but-not-yet-received messages. Asynchronous messages are separate from synchronous ones. If
 * one receive could take several messages of a PE, it takes them in the order sent. */

/* Sends a copy of `bytes` bytes to `dest`, which may be the caller, with a tag of 0 or more.
 * Returns at once, unless the receiver has 64 MiB of unreceived messages: then it waits until
 * there are fewer. */
void acl_async_send(int dest, int tag, const void *buffer, size_t bytes);

/* Receives the oldest message from `source` (or ACL_ANY) with `tag` (or ACL_ANY), if one has been
 * sent. Then it returns 1, and describes the message in *message unless that is NULL. Otherwise it
 * returns 0 at once. The message must not exceed `bytes`. */
int acl_async_receive(int source, int tag, void *buffer, size_t bytes, acl_message *message);

/* Does the same, but waits for such a message. Returns its length. */
size_t acl_async_receive_block(int source, int tag, void *buffer, size_t bytes,
                               acl_message *message);

/* Global operations (section 4.3), made of synchronous messages. All PEs must call them in the
 * same order. */

/* Copies `bytes` bytes of `root`'s buffer to all other PEs, along a tree, in log2(P) phases. */
void acl_broadcast(int root, void *buffer, size_t bytes);

/* Combines the arrays of all PEs, `count` elements of `element_bytes` each, in the order of
 * addresses, into the array of `root`: a[0] op a[1] op ... op a[P-1]. The arrays of the others
 * serve as working space, so their contents are undefined afterwards. Uses
 * acl_reduce_by_binary_swap for large arrays, otherwise acl_reduce_by_tree. If P is a power of two
 * both associate in the same way, so even sums of floating-point numbers are equal. */
void acl_reduce(int root, void *array, size_t count, size_t element_bytes, acl_operator *op);

/* Reduces along a tree: in each phase half of the remaining PEs send the whole array to the other
 * half. O(N log P). */
void acl_reduce_by_tree(int root, void *array, size_t count, size_t element_bytes,
                        acl_operator *op);

/* Reduces by binary swap: in each phase pairs of PEs exchange halves of what they still have to
 * combine, so all PEs work all the time. Finally the root gathers the parts. O(N) for N much
 * larger than P. */
void acl_reduce_by_binary_swap(int root, void *array, size_t count, size_t element_bytes,
                               acl_operator *op);

#ifdef __cplusplus
}
#endif

#endif
