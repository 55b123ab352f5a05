// List: an intrusive, doubly linked, circular list. Insertion and removal are O(1) anywhere, and a
// node can leave without knowing its list. A node is in at most one list per hook. Not thread-safe.
#pragma once
#include "base/check.h"

#include <cstddef>

namespace thrum {

// A node's link in one list. It unlinks without the list, because its neighbours point to each
// other.
struct ListHook {
    ListHook *next = nullptr;
    ListHook *previous = nullptr;

    bool linked() const { return next != nullptr; }

    void unlink() {
        next->previous = previous;
        previous->next = next;
        next = previous = nullptr;
    }
};

template <class Node, ListHook Node::*hook>
class List {
public:
    List() { head_.next = head_.previous = &head_; }

    List(const List &) = delete;
    List &operator=(const List &) = delete;

    bool empty() const { return head_.next == &head_; }

    void push_back(Node &node) { insert_before(head_, node.*hook); }

    void push_front(Node &node) { insert_before(*head_.next, node.*hook); }

    Node *front() const { return empty() ? nullptr : owner(head_.next); }

    Node *pop_front() {
        Node *node = front();
        if (node)
            (node->*hook).unlink();
        return node;
    }

    // Returns the node after `node`, or nullptr at the end.
    Node *next(Node &node) const {
        ListHook *h = (node.*hook).next;
        return h == &head_ ? nullptr : owner(h);
    }

    static void remove(Node &node) { (node.*hook).unlink(); }

private:
    static void insert_before(ListHook &position, ListHook &h) {
        CHECK(!h.linked());
        h.next = &position;
        h.previous = position.previous;
        position.previous->next = &h;
        position.previous = &h;
    }

    static Node *owner(ListHook *h) {
        // never dereferenced: only gives an offset
        const auto *probe = reinterpret_cast<Node *>(4096);
        auto offset =
            reinterpret_cast<const char *>(&(probe->*hook)) - reinterpret_cast<const char *>(probe);
        return reinterpret_cast<Node *>(reinterpret_cast<char *>(h) - offset);
    }

    ListHook head_;
};

} // namespace thrum
