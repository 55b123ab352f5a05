/* acl_mpi.c: <thrum/acl.h> on top of any MPI, as the ACLMPL paper puts its library on top of PVM
 * (section 4.5): for machines without Thrum, and to try a program elsewhere.
 *
 *   mpicc -I.../include program.c acl_mpi.c -o program        any MPI of version 3 or later
 *
 * Same semantics and same checks as in Thrum, except that a mistake is told without its place in
 * the program, and that a receiver that falls behind holds up nobody: its senders keep copies. Data
 * of one message: at most 2 GiB. */
#include <mpi.h>

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <thrum/acl.h>

/* An asynchronous message on its way: its copy goes when MPI does not need it any more. */
typedef struct pending_send {
    struct pending_send *next;
    MPI_Request request;
    char data[];
} pending_send;

static struct {
    int begun, began_mpi;
    int address, size;
    int tag_max;
    MPI_Comm synchronous,
        asynchronous; /* duplicates of MPI_COMM_WORLD: messages do not meet the program's */
    pending_send *pending;
    int *sent_to; /* asynchronous messages, by receiver */
    int received; /* asynchronous messages */
    char *scratch;
    size_t scratch_bytes;
} self;

static void mistake(const char *call, const char *format, ...) {
    char text[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fprintf(stderr, "rank %d: %s: %s\n", self.address, call, text);
    fflush(stderr);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

static void check_begun(const char *call) {
    if (!self.begun)
        mistake(call, "called before acl_begin or after acl_end");
}

static void check_address(const char *call, const char *name, int address) {
    check_begun(call);
    if (address < 0 || address >= self.size)
        mistake(call, "%s is %d, but the partition has addresses 0 to %d", name, address,
                self.size - 1);
}

static void check_peer(const char *call, const char *name, int peer) {
    check_address(call, name, peer);
    if (peer == self.address)
        mistake(call,
                "%s is %d, the caller itself: this would deadlock (acl_send_and_receive and "
                "asynchronous messages reach oneself)",
                name, peer);
}

static int check_buffer(const char *call, const char *name, const void *buffer, size_t bytes) {
    if (!buffer && bytes > 0)
        mistake(call, "%s is a null pointer, but bytes is %zu", name, bytes);
    if (bytes > INT_MAX)
        mistake(call, "%zu bytes are more than this build can send or receive at once", bytes);
    return (int)bytes;
}

static void check_mpi(const char *call, int code) {
    if (code != MPI_SUCCESS) {
        char text[MPI_MAX_ERROR_STRING] = "";
        int length;
        MPI_Error_string(code, text, &length);
        mistake(call, "%s", text);
    }
}

static void *allocate(const char *call, size_t bytes) {
    void *memory = malloc(bytes ? bytes : 1);
    if (!memory)
        mistake(call, "out of memory for %zu bytes", bytes);
    return memory;
}

/* Length of what a receive has got; `code` is what it has returned. */
static size_t received_bytes(const char *call, int code, MPI_Status *status, int source,
                             size_t room_bytes) {
    int error_class = MPI_SUCCESS, bytes = 0;
    if (code != MPI_SUCCESS)
        MPI_Error_class(code, &error_class);
    if (error_class == MPI_ERR_TRUNCATE)
        mistake(call, "the message from rank %d has more than the %zu bytes of the receive buffer",
                source, room_bytes);
    check_mpi(call, code);
    MPI_Get_count(status, MPI_BYTE, &bytes);
    return (size_t)bytes;
}

void acl_begin(void) {
    int initialized, found, *tag_max;
    if (self.begun)
        mistake("acl_begin", "called again without acl_end");
    MPI_Initialized(&initialized);
    if (!initialized)
        MPI_Init(NULL, NULL);
    self.began_mpi = !initialized;
    MPI_Comm_rank(MPI_COMM_WORLD, &self.address);
    MPI_Comm_size(MPI_COMM_WORLD, &self.size);
    MPI_Comm_dup(MPI_COMM_WORLD, &self.synchronous);
    MPI_Comm_dup(MPI_COMM_WORLD, &self.asynchronous);
    MPI_Comm_set_errhandler(self.synchronous, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(self.asynchronous, MPI_ERRORS_RETURN);
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &tag_max, &found);
    self.tag_max = found ? *tag_max : 32767;
    self.sent_to = calloc((size_t)self.size, sizeof *self.sent_to);
    self.received = 0;
    self.begun = 1;
}

int acl_self_address(void) {
    check_begun("acl_self_address");
    return self.address;
}

int acl_partition_size(void) {
    check_begun("acl_partition_size");
    return self.size;
}

/* Synchronous messages. The inner functions know the call for which they are made. */

static void send_for(const char *call, int dest, const void *buffer, size_t bytes) {
    check_mpi(call, MPI_Ssend(buffer, check_buffer(call, "buffer", buffer, bytes), MPI_BYTE, dest,
                              0, self.synchronous));
}

static size_t receive_for(const char *call, int source, void *buffer, size_t bytes) {
    MPI_Status status;
    int code = MPI_Recv(buffer, check_buffer(call, "buffer", buffer, bytes), MPI_BYTE, source, 0,
                        self.synchronous, &status);
    return received_bytes(call, code, &status, source, bytes);
}

static size_t exchange_for(const char *call, int dest, const void *send_buffer, size_t send_bytes,
                           int source, void *receive_buffer, size_t receive_bytes) {
    MPI_Request request;
    MPI_Status status;
    check_buffer(call, "send_buffer", send_buffer, send_bytes);
    int room = check_buffer(call, "receive_buffer", receive_buffer, receive_bytes);
    check_mpi(call,
              MPI_Irecv(receive_buffer, room, MPI_BYTE, source, 0, self.synchronous, &request));
    send_for(call, dest, send_buffer, send_bytes);
    return received_bytes(call, MPI_Wait(&request, &status), &status, source, receive_bytes);
}

void acl_send(int dest, const void *buffer, size_t bytes) {
    check_peer("acl_send", "dest", dest);
    send_for("acl_send", dest, buffer, bytes);
}

size_t acl_receive(int source, void *buffer, size_t bytes) {
    check_peer("acl_receive", "source", source);
    return receive_for("acl_receive", source, buffer, bytes);
}

size_t acl_send_and_receive(int dest, const void *send_buffer, size_t send_bytes, int source,
                            void *receive_buffer, size_t receive_bytes) {
    static const char call[] = "acl_send_and_receive";
    check_begun(call);
    if (dest != self.address || source != self.address) {
        check_peer(call, "dest", dest);
        check_peer(call, "source", source);
        return exchange_for(call, dest, send_buffer, send_bytes, source, receive_buffer,
                            receive_bytes);
    }
    if (send_bytes > receive_bytes)
        mistake(call, "the message from rank %d has %zu bytes, but the receive buffer only %zu",
                source, send_bytes, receive_bytes);
    if (send_bytes > 0)
        memcpy(receive_buffer, send_buffer, send_bytes);
    return send_bytes;
}

/* Asynchronous messages. */

/* Lets go of the copies that have been sent; of all, after waiting, if `wait`. */
static void clear_pending(int wait) {
    for (pending_send **place = &self.pending; *place;) {
        pending_send *message = *place;
        int done = 1;
        if (wait)
            MPI_Wait(&message->request, MPI_STATUS_IGNORE);
        else
            MPI_Test(&message->request, &done, MPI_STATUS_IGNORE);
        if (!done) {
            place = &message->next;
            continue;
        }
        *place = message->next;
        free(message);
    }
}

void acl_async_send(int dest, int tag, const void *buffer, size_t bytes) {
    static const char call[] = "acl_async_send";
    check_address(call, "dest", dest);
    if (tag < 0)
        mistake(call, "tag is %d, but must be 0 or more", tag);
    if (tag > self.tag_max)
        mistake(call, "tag is %d, but this MPI allows at most %d", tag, self.tag_max);
    int count = check_buffer(call, "buffer", buffer, bytes);
    clear_pending(0);
    pending_send *message = allocate(call, sizeof *message + bytes);
    if (bytes > 0)
        memcpy(message->data, buffer, bytes);
    check_mpi(call, MPI_Isend(message->data, count, MPI_BYTE, dest, tag, self.asynchronous,
                              &message->request));
    message->next = self.pending;
    self.pending = message;
    self.sent_to[dest]++;
}

static size_t take(const char *call, MPI_Message *handle, MPI_Status *status, void *buffer,
                   size_t bytes, acl_message *message) {
    int length;
    MPI_Get_count(status, MPI_BYTE, &length);
    if ((size_t)length > bytes)
        mistake(call,
                "the message from rank %d, tag %d, has %d bytes, but the receive buffer only %zu",
                status->MPI_SOURCE, status->MPI_TAG, length, bytes);
    check_mpi(call, MPI_Mrecv(buffer, length, MPI_BYTE, handle, MPI_STATUS_IGNORE));
    self.received++;
    if (message) {
        message->source = status->MPI_SOURCE;
        message->tag = status->MPI_TAG;
        message->bytes = (size_t)length;
    }
    return (size_t)length;
}

static void check_selector(const char *call, int *source, int *tag) {
    check_begun(call);
    if (*source != ACL_ANY)
        check_address(call, "source", *source);
    if (*tag < 0 && *tag != ACL_ANY)
        mistake(call, "tag is %d, but must be 0 or more, or ACL_ANY", *tag);
    *source = *source == ACL_ANY ? MPI_ANY_SOURCE : *source;
    *tag = *tag == ACL_ANY ? MPI_ANY_TAG : *tag;
}

int acl_async_receive(int source, int tag, void *buffer, size_t bytes, acl_message *message) {
    static const char call[] = "acl_async_receive";
    MPI_Message handle;
    MPI_Status status;
    int found;
    check_selector(call, &source, &tag);
    check_buffer(call, "buffer", buffer, bytes);
    clear_pending(0);
    check_mpi(call, MPI_Improbe(source, tag, self.asynchronous, &found, &handle, &status));
    if (found)
        take(call, &handle, &status, buffer, bytes, message);
    return found;
}

size_t acl_async_receive_block(int source, int tag, void *buffer, size_t bytes,
                               acl_message *message) {
    static const char call[] = "acl_async_receive_block";
    MPI_Message handle;
    MPI_Status status;
    check_selector(call, &source, &tag);
    check_buffer(call, "buffer", buffer, bytes);
    clear_pending(0);
    check_mpi(call, MPI_Mprobe(source, tag, self.asynchronous, &handle, &status));
    return take(call, &handle, &status, buffer, bytes, message);
}

/* Every rank learns how many messages have been sent to it, and knows how many it has received. */
void acl_end(void) {
    int expected = 0;
    check_begun("acl_end");
    MPI_Reduce_scatter_block(self.sent_to, &expected, 1, MPI_INT, MPI_SUM, self.asynchronous);
    if (expected > self.received) {
        MPI_Status status;
        int length, missing = expected - self.received;
        MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, self.asynchronous, &status);
        MPI_Get_count(&status, MPI_BYTE, &length);
        mistake("acl_end",
                "%d asynchronous %s sent to this rank that it has not received; the oldest is "
                "from rank %d, tag %d, %d bytes",
                missing, missing == 1 ? "message was" : "messages were", status.MPI_SOURCE,
                status.MPI_TAG, length);
    }
    clear_pending(1);
    MPI_Barrier(self.synchronous); /* a rank that has made a mistake does not come here */
    MPI_Comm_free(&self.synchronous);
    MPI_Comm_free(&self.asynchronous);
    free(self.sent_to);
    free(self.scratch);
    self.scratch = NULL;
    self.scratch_bytes = 0;
    self.begun = 0;
    if (self.began_mpi)
        MPI_Finalize();
}

/* Global operations (section 4.3). */

static void check_same_size(const char *call, int peer, size_t its_bytes, size_t own_bytes) {
    if (its_bytes != own_bytes)
        mistake(
            call,
            "PEs disagree on the size of the data: rank %d has %zu bytes where the caller has %zu",
            peer, its_bytes, own_bytes);
}

static char *scratch(const char *call, size_t bytes) {
    if (bytes > self.scratch_bytes) {
        free(self.scratch);
        self.scratch = allocate(call, bytes);
        self.scratch_bytes = bytes;
    }
    return self.scratch;
}

void acl_broadcast(int root, void *buffer, size_t bytes) {
    static const char call[] = "acl_broadcast";
    check_address(call, "root", root);
    int number = (self.address - root + self.size) % self.size, step = 1;
    while (step < self.size)
        step *= 2;
    if (number != 0) {
        step = number & -number;
        int source = (number - step + root) % self.size;
        check_same_size(call, source, receive_for(call, source, buffer, bytes), bytes);
    }
    for (step /= 2; step > 0; step /= 2)
        if (number + step < self.size)
            send_for(call, (number + step + root) % self.size, buffer, bytes);
}

typedef struct {
    const char *call;
    char *data;
    size_t count, element_bytes;
    acl_operator *op;
} reduction;

static char *at(const reduction *r, size_t index) {
    return r->data + index * r->element_bytes;
}

static void combine(const reduction *r, const char *lower, const char *higher, size_t begin,
                    size_t end) {
    if (begin < end)
        r->op(lower, higher, at(r, begin), end - begin);
}

static void receive_exactly(const char *call, int source, void *buffer, size_t bytes) {
    check_same_size(call, source, receive_for(call, source, buffer, bytes), bytes);
}

static void check_reduction(const reduction *r, int root) {
    check_address(r->call, "root", root);
    if (!r->op)
        mistake(r->call, "op is a null pointer");
    if (r->element_bytes == 0)
        mistake(r->call, "element_bytes is 0");
    if (r->count > INT_MAX / r->element_bytes)
        mistake(r->call, "%zu elements are more than this build can send at once", r->count);
    check_buffer(r->call, "array", r->data, r->count * r->element_bytes);
}

static void by_tree(const reduction *r, int root) {
    size_t bytes = r->count * r->element_bytes;
    for (int bit = 1; bit < self.size; bit *= 2) {
        if (self.address & bit) {
            send_for(r->call, self.address - bit, r->data, bytes);
            break;
        }
        if (self.address + bit >= self.size)
            continue;
        char *other = scratch(r->call, bytes);
        receive_exactly(r->call, self.address + bit, other, bytes);
        combine(r, r->data, other, 0, r->count);
    }
    if (root != 0 && self.address == 0)
        send_for(r->call, root, r->data, bytes);
    else if (root != 0 && self.address == root)
        receive_exactly(r->call, 0, r->data, bytes);
}

/* Of the first 2 x pairs PEs neighbours combine beforehand, so that a power of two remain, numbered
 * in the order of addresses. */
typedef struct {
    int count, pairs;
} swappers;

static int address_of(const swappers *s, int number) {
    return number < s->pairs ? 2 * number : number + s->pairs;
}

/* What swapper `number` has to combine after the phases of all bits below `bit`. */
static void range_of(int number, int bit, size_t count, size_t *begin, size_t *end) {
    *begin = 0;
    *end = count;
    for (int b = 1; b < bit; b *= 2) {
        size_t middle = *begin + (*end - *begin) / 2;
        *(number & b ? begin : end) = middle;
    }
}

static void swap_halves(const reduction *r, const swappers *s, int number) {
    for (int bit = 1; bit < s->count; bit *= 2) {
        size_t begin, end, give_begin, give_end;
        int peer = address_of(s, number ^ bit);
        range_of(number, 2 * bit, r->count, &begin, &end);
        range_of(number ^ bit, 2 * bit, r->count, &give_begin, &give_end);
        size_t bytes = (end - begin) * r->element_bytes;
        char *other = scratch(r->call, bytes);
        check_same_size(r->call, peer,
                        exchange_for(r->call, peer, at(r, give_begin),
                                     (give_end - give_begin) * r->element_bytes, peer, other,
                                     bytes),
                        bytes);
        if (number & bit)
            combine(r, other, at(r, begin), begin, end);
        else
            combine(r, at(r, begin), other, begin, end);
    }
}

static void gather(const reduction *r, const swappers *s, int own_number, int root) {
    size_t begin, end;
    if (self.address != root) {
        if (own_number >= 0) {
            range_of(own_number, s->count, r->count, &begin, &end);
            send_for(r->call, root, at(r, begin), (end - begin) * r->element_bytes);
        }
        return;
    }
    for (int number = 0; number < s->count; number++)
        if (address_of(s, number) != root) {
            range_of(number, s->count, r->count, &begin, &end);
            receive_exactly(r->call, address_of(s, number), at(r, begin),
                            (end - begin) * r->element_bytes);
        }
}

static void by_binary_swap(const reduction *r, int root) {
    size_t bytes = r->count * r->element_bytes;
    swappers s = {1, 0};
    while (2 * s.count <= self.size)
        s.count *= 2;
    s.pairs = self.size - s.count;
    int paired = self.address < 2 * s.pairs,
        number = paired ? self.address / 2 : self.address - s.pairs;
    if (paired && self.address % 2 == 1) {
        send_for(r->call, self.address - 1, r->data, bytes);
        number = -1;
    } else if (paired) {
        char *other = scratch(r->call, bytes);
        receive_exactly(r->call, self.address + 1, other, bytes);
        combine(r, r->data, other, 0, r->count);
    }
    if (number >= 0)
        swap_halves(r, &s, number);
    gather(r, &s, number, root);
}

void acl_reduce_by_tree(int root, void *array, size_t count, size_t element_bytes,
                        acl_operator *op) {
    reduction r = {"acl_reduce_by_tree", array, count, element_bytes, op};
    check_reduction(&r, root);
    by_tree(&r, root);
}

void acl_reduce_by_binary_swap(int root, void *array, size_t count, size_t element_bytes,
                               acl_operator *op) {
    reduction r = {"acl_reduce_by_binary_swap", array, count, element_bytes, op};
    check_reduction(&r, root);
    by_binary_swap(&r, root);
}

void acl_reduce(int root, void *array, size_t count, size_t element_bytes, acl_operator *op) {
    enum { kSwapBytesMin = 1 << 20 }; /* as src/acl/global.cc */

    reduction r = {"acl_reduce", array, count, element_bytes, op};
    check_reduction(&r, root);
    if (count * element_bytes >= kSwapBytesMin && count >= 2 * (size_t)self.size)
        by_binary_swap(&r, root);
    else
        by_tree(&r, root);
}
