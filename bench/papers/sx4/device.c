#define _GNU_SOURCE
#include "device.h"

#include "pool.h"

#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* Two lines, since the hardware fetches them in pairs: nothing that different ranks write shares
 * one. */
enum { apart_bytes = 128, queue_cells = 64 };

enum packet_kind {
    kind_short,   /* the data follow the packet */
    kind_eager,   /* the data are in the pool of eager messages */
    kind_request, /* a rendezvous; in single copy with the address of the data */
    kind_grant,   /* the receiver is ready */
    kind_segment, /* a part of a rendezvous, in the pool of segments */
    kind_copied   /* single copy: the sender may use its buffer again */
};

enum packet_place { place_slot, place_queue, place_list };

/* Written by the sender, then read by the receiver. With the 8 bytes of a small message it is a
 * cache line. */
struct packet {
    _Atomic int full; /* of a slot: the receiver may read it; otherwise the sender may write it */
    int16_t kind, place;
    int source;
    uint64_t sequence;
    size_t size_bytes;   /* of the message; of the part */
    char *data;          /* where they are, unless they follow */
    struct packet *next; /* in a receiver's list */
    char payload[];
};

static_assert(sizeof(struct packet) <= 56, "8 bytes fit behind it into a cache line");

/* Cells are used in a circle. */
struct queue {
    struct lock lock;
    unsigned last; /* the next cell to be written; under the lock */
    _Alignas(apart_bytes) _Atomic unsigned count;
};

struct device {
    struct design design;
    int ranks, semaphores;
    size_t packet_bytes, size_bytes;
    char *slots, *cells;
    struct queue *queues;
    struct pool *eager, *segments;
};

/* What a rank keeps of each other rank. Only the rank itself uses it. */
struct peer {
    uint64_t sent, received;  /* packets: the next sequence numbers */
    size_t slot_out, slot_in; /* the next slots */
    struct packet *first, **last;
};

struct endpoint {
    struct device *device;
    int rank;
    unsigned queue_first; /* the cell to be read next */
    struct peer peers[];
};

/* Sections 4 to 7 of the paper, figures 1, 4, 5 and 6; then sections 9.1 and 9.2. */
static const struct {
    const char *name;
    enum lock_kind lock;
    int has_queue, slots, single_copy;
} steps[] = {
    {"semaphores", lock_of_semaphore, 1, 0, 0},
    {"slots-semaphores", lock_of_semaphore, 0, 1, 0},
    {"locked", lock_of_word, 1, 0, 0},
    {"slots", lock_of_word, 0, 1, 0},
    {"both", lock_of_word, 1, 1, 0},
    {"single-copy", lock_of_word, 1, 1, 1},
};

int design_of_step(const char *name, struct design *design) {
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        if (!strcmp(steps[i].name, name)) {
            *design = (struct design){.lock = steps[i].lock,
                                      .has_queue = steps[i].has_queue,
                                      .single_copy = steps[i].single_copy,
                                      .slots = (size_t)steps[i].slots,
                                      .short_bytes_max = 1024,
                                      .eager_bytes_max = steps[i].single_copy ? 1024 : 128 << 10,
                                      .segment_bytes = 3 << 20,
                                      .eager_pool_bytes = 8 << 20};
            return 1;
        }
    return 0;
}

static void end_with(const char *why) {
    fprintf(stderr, "sx4: %s\n", why);
    exit(2);
}

static size_t apart(size_t size_bytes) {
    return (size_bytes + apart_bytes - 1) / apart_bytes * apart_bytes;
}

static struct lock make_lock(const struct device *device, int number) {
    return (struct lock){.semaphores = device->semaphores, .number = number};
}

/* Divides the memory at `at`, or counts how much there must be. */
static size_t lay_out(struct device *device, char *at) {
    const struct design *design = &device->design;
    size_t ranks = (size_t)device->ranks, offset = apart(sizeof *device);
    size_t segments_bytes = 2 * (design->segment_bytes + apart_bytes) * ranks;
    size_t parts[] = {ranks * sizeof *device->queues,
                      ranks * queue_cells * device->packet_bytes,
                      ranks * ranks * design->slots * device->packet_bytes,
                      sizeof *device->eager,
                      sizeof *device->segments,
                      design->eager_pool_bytes,
                      segments_bytes};
    char *where[7];
    for (int i = 0; i < 7; i++) {
        where[i] = at ? at + offset : NULL;
        offset += apart(parts[i]);
    }
    if (at) {
        device->queues = (struct queue *)where[0];
        device->cells = where[1];
        device->slots = where[2];
        device->eager = (struct pool *)where[3];
        device->segments = (struct pool *)where[4];
        for (int i = 0; i < device->ranks; i++)
            device->queues[i].lock = make_lock(device, i);
        pool_create(device->eager, make_lock(device, device->ranks), where[5], parts[5]);
        pool_create(device->segments, make_lock(device, device->ranks + 1), where[6], parts[6]);
    }
    return offset;
}

struct device *create_device(const struct design *design, int ranks) {
    struct device device = {.design = *design, .ranks = ranks, .semaphores = -1};
    if (!design->slots && !design->has_queue)
        end_with("packets need slots or a queue");
    if (!design->segment_bytes || design->eager_pool_bytes < apart_bytes)
        end_with("a segment needs 1 byte, the pool of eager messages 128 bytes");
    device.packet_bytes = apart(sizeof(struct packet) + design->short_bytes_max);
    device.size_bytes = lay_out(&device, NULL);
    char *memory = mmap(NULL, device.size_bytes, PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
    if (memory == MAP_FAILED) {
        perror("sx4: cannot map the memory of the device");
        exit(2);
    }
    if (design->lock == lock_of_semaphore)
        device.semaphores = create_semaphores(ranks + 2);
    lay_out(&device, memory);
    return memcpy(memory, &device, sizeof device);
}

void destroy_device(struct device *device) {
    if (device->semaphores >= 0)
        remove_semaphores();
    munmap(device, device->size_bytes);
}

struct endpoint *open_endpoint(struct device *device, int rank) {
    struct endpoint *endpoint =
        calloc(1, sizeof *endpoint + (size_t)device->ranks * sizeof *endpoint->peers);
    if (!endpoint)
        end_with("cannot allocate an endpoint");
    endpoint->device = device;
    endpoint->rank = rank;
    for (int i = 0; i < device->ranks; i++)
        endpoint->peers[i].last = &endpoint->peers[i].first;
    return endpoint;
}

void close_endpoint(struct endpoint *endpoint) {
    for (int i = 0; i < endpoint->device->ranks; i++)
        for (struct packet *p = endpoint->peers[i].first, *next; p; p = next) {
            next = p->next;
            free(p);
        }
    free(endpoint);
}

static struct packet *slot_of(const struct device *device, int source, int dest, size_t number) {
    size_t pair = (size_t)source * (size_t)device->ranks + (size_t)dest;
    return (struct packet *)(device->slots +
                             (pair * device->design.slots + number) * device->packet_bytes);
}

static struct packet *cell_of(const struct device *device, int dest, unsigned number) {
    return (struct packet *)(device->cells + ((size_t)dest * queue_cells + number % queue_cells) *
                                                 device->packet_bytes);
}

/* Leaves `full` alone. */
static void fill(struct packet *p, const struct packet *head, enum packet_place place,
                 const void *payload) {
    p->kind = head->kind;
    p->place = (int16_t)place;
    p->source = head->source;
    p->sequence = head->sequence;
    p->size_bytes = head->size_bytes;
    p->data = head->data;
    if (payload)
        memcpy(p->payload, payload, head->size_bytes);
}

static int into_slot(struct endpoint *endpoint, int dest, const struct packet *head,
                     const void *payload) {
    const struct device *device = endpoint->device;
    struct peer *peer = &endpoint->peers[dest];
    if (!device->design.slots)
        return 0;
    struct packet *p = slot_of(device, endpoint->rank, dest, peer->slot_out);
    /* acquire [sx4-empty-1]: the receiver has read what was here. */
    if (atomic_load_explicit(&p->full, memory_order_acquire))
        return 0;
    fill(p, head, place_slot, payload);
    /* release [sx4-full-1]: the packet, and what it points to. */
    atomic_store_explicit(&p->full, 1, memory_order_release);
    peer->slot_out = (peer->slot_out + 1) % device->design.slots;
    return 1;
}

static int into_queue(const struct device *device, int dest, const struct packet *head,
                      const void *payload) {
    struct queue *queue = &device->queues[dest];
    /* Looks first, so that a full queue costs no lock. */
    if (!device->design.has_queue ||
        atomic_load_explicit(&queue->count, memory_order_relaxed) == queue_cells)
        return 0;
    take(&queue->lock);
    unsigned count = atomic_load_explicit(&queue->count, memory_order_relaxed);
    if (count < queue_cells) {
        fill(cell_of(device, dest, queue->last++), head, place_queue, payload);
        /* release [sx4-count-1]: the packet, and what it points to. */
        atomic_store_explicit(&queue->count, count + 1, memory_order_release);
    }
    leave(&queue->lock);
    return count < queue_cells;
}

/* Returns the packet that arrived and is the next of its pair, or NULL. */
static struct packet *arrived(struct endpoint *endpoint) {
    const struct device *device = endpoint->device;
    for (int i = 0; device->design.slots && i < device->ranks; i++) {
        struct peer *peer = &endpoint->peers[i];
        if (i == endpoint->rank)
            continue;
        struct packet *p = slot_of(device, i, endpoint->rank, peer->slot_in);
        /* acquire [sx4-full-1]: the packet. */
        if (atomic_load_explicit(&p->full, memory_order_acquire) && p->sequence == peer->received)
            return p;
    }
    if (!device->design.has_queue)
        return NULL;
    /* acquire [sx4-count-1]: the packets that are counted. */
    if (!atomic_load_explicit(&device->queues[endpoint->rank].count, memory_order_acquire))
        return NULL;
    struct packet *p = cell_of(device, endpoint->rank, endpoint->queue_first);
    return p->sequence == endpoint->peers[p->source].received ? p : NULL;
}

/* Gives back the place of a packet that has been read. */
static void retire(struct endpoint *endpoint, struct packet *p) {
    struct peer *peer = &endpoint->peers[p->source];
    if (p->place == place_list) {
        free(p);
        return;
    }
    peer->received++;
    if (p->place == place_slot) {
        /* release [sx4-empty-1]: this rank has read it. */
        atomic_store_explicit(&p->full, 0, memory_order_release);
        peer->slot_in = (peer->slot_in + 1) % endpoint->device->design.slots;
        return;
    }
    struct queue *queue = &endpoint->device->queues[endpoint->rank];
    take(&queue->lock); /* orders the reads above before the next writer's */
    atomic_store_explicit(&queue->count,
                          atomic_load_explicit(&queue->count, memory_order_relaxed) - 1,
                          memory_order_relaxed);
    leave(&queue->lock);
    endpoint->queue_first++;
}

/* Moves a packet into the list of its source. */
static void keep(struct endpoint *endpoint, struct packet *p) {
    size_t payload_bytes = p->kind == kind_short ? p->size_bytes : 0;
    struct packet *copy = malloc(sizeof *copy + payload_bytes);
    struct peer *peer = &endpoint->peers[p->source];
    if (!copy)
        end_with("cannot allocate a packet");
    fill(copy, p, place_list, payload_bytes ? p->payload : NULL);
    copy->source = p->source;
    copy->next = NULL;
    retire(endpoint, p);
    *peer->last = copy;
    peer->last = &copy->next;
}

static void keep_what_arrives(struct endpoint *endpoint, unsigned *tries) {
    struct packet *p = arrived(endpoint);
    if (p)
        keep(endpoint, p);
    else
        back_off(tries);
}

static void send_packet(struct endpoint *endpoint, int dest, enum packet_kind kind,
                        size_t size_bytes, const void *data) {
    int is_short = kind == kind_short;
    struct packet head = {.kind = (int16_t)kind,
                          .source = endpoint->rank,
                          .sequence = endpoint->peers[dest].sent++,
                          .size_bytes = size_bytes,
                          .data = is_short ? NULL : (char *)data};
    const void *payload = is_short && size_bytes ? data : NULL;
    unsigned tries = 0;
    while (!into_slot(endpoint, dest, &head, payload) &&
           !into_queue(endpoint->device, dest, &head, payload))
        keep_what_arrives(endpoint, &tries);
}

/* Messages that arrive while a rank waits for an answer stay in the list. */
static int is_answer(int kind) {
    return kind == kind_grant || kind == kind_copied;
}

static struct packet *from_list(struct peer *peer, int answer) {
    struct packet **place = &peer->first;
    while (*place && is_answer((*place)->kind) != answer)
        place = &(*place)->next;
    struct packet *found = *place;
    if (found) {
        *place = found->next;
        if (peer->last == &found->next)
            peer->last = place;
    }
    return found;
}

/* Waits for the next message, or answer, of `source`. The caller retires the packet. */
static struct packet *wait_for(struct endpoint *endpoint, int source, int answer) {
    struct packet *p = from_list(&endpoint->peers[source], answer);
    for (unsigned tries = 0; !p;) {
        struct packet *next = arrived(endpoint);
        if (!next)
            back_off(&tries);
        else if (next->source == source && is_answer(next->kind) == answer)
            p = next;
        else
            keep(endpoint, next);
    }
    return p;
}

static void send_segments(struct endpoint *endpoint, int dest, const char *data,
                          size_t size_bytes) {
    struct device *device = endpoint->device;
    for (size_t at = 0, part; at < size_bytes; at += part) {
        part = size_bytes - at;
        if (part > device->design.segment_bytes)
            part = device->design.segment_bytes;
        char *segment;
        for (unsigned tries = 0; !(segment = pool_allocate(device->segments, part));)
            keep_what_arrives(endpoint, &tries);
        memcpy(segment, data + at, part);
        send_packet(endpoint, dest, kind_segment, part, segment);
    }
}

void send_message(struct endpoint *endpoint, int dest, const void *data, size_t size_bytes) {
    const struct design *design = &endpoint->device->design;
    if (dest == endpoint->rank)
        end_with("a rank has no slot or queue for its own messages");
    if (size_bytes <= design->short_bytes_max) {
        send_packet(endpoint, dest, kind_short, size_bytes, data);
        return;
    }
    char *eager = NULL;
    if (size_bytes <= design->eager_bytes_max)
        eager = pool_allocate(endpoint->device->eager, size_bytes);
    if (eager) {
        memcpy(eager, data, size_bytes);
        send_packet(endpoint, dest, kind_eager, size_bytes, eager);
        return;
    }
    send_packet(endpoint, dest, kind_request, size_bytes, design->single_copy ? data : NULL);
    retire(endpoint, wait_for(endpoint, dest, 1));
    if (!design->single_copy)
        send_segments(endpoint, dest, data, size_bytes);
}

static void receive_segments(struct endpoint *endpoint, int source, char *buffer,
                             size_t size_bytes) {
    for (size_t at = 0; at < size_bytes;) {
        struct packet *p = wait_for(endpoint, source, 0);
        char *segment = p->data;
        size_t part = p->size_bytes;
        if (p->kind != kind_segment || part > size_bytes - at)
            end_with("a rendezvous has got something else than its segments");
        retire(endpoint, p);
        memcpy(buffer + at, segment, part);
        pool_free(endpoint->device->segments, segment);
        at += part;
    }
}

size_t receive_message(struct endpoint *endpoint, int source, void *buffer, size_t capacity) {
    struct packet *p = wait_for(endpoint, source, 0);
    size_t size_bytes = p->size_bytes;
    int kind = p->kind;
    char *data = p->data;
    if (size_bytes > capacity)
        end_with("a message is longer than the buffer of its receiver");
    if (kind == kind_short && size_bytes)
        memcpy(buffer, p->payload, size_bytes);
    retire(endpoint, p);
    if (kind == kind_eager) {
        memcpy(buffer, data, size_bytes);
        pool_free(endpoint->device->eager, data);
    } else if (kind == kind_request && endpoint->device->design.single_copy) {
        memcpy(buffer, data, size_bytes);
        send_packet(endpoint, source, kind_copied, 0, NULL);
    } else if (kind == kind_request) {
        send_packet(endpoint, source, kind_grant, 0, NULL);
        receive_segments(endpoint, source, buffer, size_bytes);
    }
    return size_bytes;
}
