// EnvelopeIndex: finds the oldest of many nodes with a given envelope in O(1), for queues that have
// become long. It is an intrusive hash table whose chains hold one node per distinct envelope, the
// oldest. Younger nodes with the same envelope form a ring with it, so neither a search nor a
// removal walks past nodes with an equal envelope.
//
// Node has `Envelope envelope`, `IndexHook<Node> index[n]` and `uint8_t oldest`, a bit for each of
// the hooks. An index uses hook number `slot`, and keys a node by its envelope generalized to
// wildcard class `slot`; slot 0 is the envelope itself.
//
// Invariants
// 1. Chains hold exactly the nodes whose bit `slot` of `oldest` is set, one for each distinct key.
// 2. A ring is in order of insertion, beginning with its oldest node.
// 3. There are at most as many keys as buckets.
#pragma once
#include "base/check.h"
#include "match/envelope.h"

#include <cstddef>
#include <cstdlib>

namespace thrum {

template <class Node>
struct IndexHook {
    Node *next; // ring of nodes with the same key; valid only while in an index
    Node *previous;
    Node *chain; // next key of the bucket; valid only in the oldest node of a key
};

template <class Node>
class EnvelopeIndex {
public:
    explicit EnvelopeIndex(unsigned slot) : slot_(slot) {}

    ~EnvelopeIndex() { ::free(buckets_); }

    EnvelopeIndex(const EnvelopeIndex &) = delete;
    EnvelopeIndex &operator=(const EnvelopeIndex &) = delete;

    // Returns the oldest node with this key, or nullptr.
    Node *find(const Envelope &key) const {
        if (keys_ == 0)
            return nullptr;
        Node *node = buckets_[bucket_of(key)];
        while (node && key_of(*node) != key)
            node = hook(*node).chain;
        return node;
    }

    // Adds a node as the youngest with its key. The caller has set node.envelope.
    void insert(Node &node) {
        const Envelope key = key_of(node);
        IndexHook<Node> &h = hook(node);
        if (Node *oldest = find(key)) {
            set_oldest(node, false);
            h.next = oldest;
            h.previous = hook(*oldest).previous;
            hook(*h.previous).next = &node;
            hook(*oldest).previous = &node;
            return;
        }
        if (keys_ == bucket_count_)
            grow();
        ++keys_;
        h.next = h.previous = &node;
        set_oldest(node, true);
        Node *&bucket = buckets_[bucket_of(key)];
        h.chain = bucket;
        bucket = &node;
    }

    // Removes a node that is in the index. The next older node of its key takes its place in the
    // chain.
    void remove(Node &node) {
        IndexHook<Node> &h = hook(node);
        Node *heir = h.next == &node ? nullptr : h.next;
        if (node.oldest >> slot_ & 1) {
            Node **link = &buckets_[bucket_of(key_of(node))];
            while (*link != &node)
                link = &hook(**link).chain;
            *link = heir ? heir : h.chain;
            if (heir) {
                set_oldest(*heir, true);
                hook(*heir).chain = h.chain;
            } else {
                --keys_;
            }
        }
        hook(*h.next).previous = h.previous;
        hook(*h.previous).next = h.next;
    }

private:
    static constexpr size_t buckets_min = 64;

    IndexHook<Node> &hook(Node &node) const { return node.index[slot_]; }

    void set_oldest(Node &node, bool value) const {
        const unsigned bit = 1u << slot_;
        node.oldest = static_cast<uint8_t>(value ? node.oldest | bit : node.oldest & ~bit);
    }

    Envelope key_of(const Node &node) const { return generalized(node.envelope, slot_); }

    size_t bucket_of(const Envelope &key) const {
        uint64_t x = static_cast<uint64_t>(static_cast<uint32_t>(key.tag)) << 32 |
                     static_cast<uint32_t>(key.source);
        x = (x ^ key.context * 0x9e3779b97f4a7c15u) * 0xd6e8feb86659fd93u;
        x = (x ^ x >> 32) * 0xd6e8feb86659fd93u;
        return (x ^ x >> 32) & (bucket_count_ - 1);
    }

    // Doubles the buckets: chains stay short, as there are never more keys than buckets.
    [[gnu::noinline]] void grow() {
        size_t old_count = bucket_count_;
        Node **old = buckets_;
        bucket_count_ = old_count ? old_count * 2 : buckets_min;
        buckets_ = static_cast<Node **>(::calloc(bucket_count_, sizeof(Node *)));
        CHECK(buckets_, "out of memory for a table of %zu envelopes", bucket_count_);
        for (size_t i = 0; i < old_count; ++i) {
            for (Node *node = old[i], *next; node; node = next) {
                next = hook(*node).chain;
                Node *&bucket = buckets_[bucket_of(key_of(*node))];
                hook(*node).chain = bucket;
                bucket = node;
            }
        }
        ::free(old);
    }

    unsigned slot_;
    size_t keys_ = 0;
    size_t bucket_count_ = 0; // a power of two
    Node **buckets_ = nullptr;
};

} // namespace thrum
