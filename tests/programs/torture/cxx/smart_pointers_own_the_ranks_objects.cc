// unique_ptr, shared_ptr, weak_ptr, custom deleters, enable_shared_from_this, atomic shared_ptr.
// ranks: 8 64
#include "torture.h"

#include <atomic>
#include <memory>
#include <string>
#include <vector>

static int living, deleted;

struct Node : std::enable_shared_from_this<Node> {
    int value;
    std::shared_ptr<Node> next;
    std::weak_ptr<Node> previous;

    explicit Node(int v) : value(v) { ++living; }

    ~Node() { --living; }
};

struct Deleter {
    int *count;

    void operator()(int *p) const {
        ++*count;
        delete p;
    }
};

static std::unique_ptr<int> number = std::make_unique<int>(5);
static std::unique_ptr<int, Deleter> watched(new int(6), Deleter{&deleted});
static std::shared_ptr<Node> head = std::make_shared<Node>(1);
static std::weak_ptr<Node> watcher = head;
static std::unique_ptr<int[]> array(new int[4]{1, 2, 3, 4});
static std::shared_ptr<int> aliasing(head, &head->value);
static std::atomic<std::shared_ptr<Node>> published;
static const std::shared_ptr<std::string> text =
    std::make_shared<std::string>("shared text on the heap");

int main(int argc, char **argv) {
    CHECK(*number == 5 && *watched == 6 && head.use_count() == 2 && !watcher.expired() &&
          living == 1);
    CHECK(array[3] == 4 && *aliasing == 1 && !published.load() && text.use_count() == 1 &&
          deleted == 0);
    int rank = start(&argc, &argv);
    head->next = std::make_shared<Node>(rank);
    head->next->previous = head->shared_from_this();
    published = head->next;
    *number += rank, array[1] = rank, *aliasing += rank;
    let_others_run();
    CHECK(living == 2 && published.load()->value == rank && head->next->previous.lock() == head);
    CHECK(*number == 5 + rank && array[1] == rank && head->value == 1 + rank);
    watched.reset(new int(rank));
    let_others_run();
    CHECK(deleted == 1 && *watched == rank && head.use_count() == 2);
    {
        auto taken = std::move(head);
        aliasing.reset();
    }
    let_others_run();
    CHECK(watcher.expired() && living == 1 && published.load().use_count() == 2 && !head);
    published = std::shared_ptr<Node>();
    *text += std::to_string(rank);
    let_others_run();
    CHECK(living == 0 && *text == "shared text on the heap" + std::to_string(rank));
    return finish();
}
