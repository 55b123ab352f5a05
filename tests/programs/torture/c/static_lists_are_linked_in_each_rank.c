// Lists, rings and trees that initialisers have linked.
// ranks: 8 64
#include "torture.h"

struct node {
    int value;
    struct node *next, *previous;
};
extern struct node second;
static struct node third;
struct node first = {1, &second, &third};
struct node second = {2, &third, &first};
static struct node third = {3, &first, &second};
static struct node *head = &first;

struct list {
    struct list *next, *previous;
} empty = {&empty, &empty};

struct tree {
    const char *name;
    struct tree *children[2], *parent;
    int *weight;
};

static int weights[3] = {10, 20, 30};
extern struct tree root;
static struct tree leaves[2] = {{"left", {0, 0}, &root, weights},
                                {"right", {0, 0}, &root, weights + 1}};
struct tree root = {"root", {&leaves[0], &leaves[1]}, 0, weights + 2};

int main(int argc, char **argv) {
    int sum = 0;
    struct node *p = head;
    CHECK(empty.next == &empty && empty.previous == empty.next);
    CHECK(root.children[1]->parent == &root && *root.children[1]->weight == 20 &&
          *root.weight == 30);
    do
        sum += p->value, p = p->next;
    while (p != head);
    CHECK_EQUAL(sum, 6);
    int rank = start(&argc, &argv);
    do {
        p->value += rank;
        let_others_run();
        p = p->next;
    } while (p != head);
    sum = 0;
    do
        sum += p->value, p = p->previous;
    while (p != head);
    CHECK_EQUAL(sum, 6 + 3 * rank);
    struct node inserted = {10 + rank, head, head->previous};
    head->previous->next = &inserted;
    head->previous = &inserted;
    struct list own = {&empty, &empty};
    empty.next = empty.previous = &own;
    *root.children[0]->weight += rank;
    root.children[1] = &leaves[0];
    let_others_run();
    CHECK_EQUAL(third.next->value, 10 + rank);
    CHECK(first.previous == &inserted && empty.next == &own && empty.next->next == &empty);
    CHECK_EQUAL(*root.children[1]->weight, 10 + rank);
    CHECK_EQUAL(weights[1], 20);
    return finish();
}
