// A program that replaces operator new and delete and installs a new handler.
// ranks: 8 64
// flags: -Wno-mismatched-new-delete
#include "torture.h"

#include <cstdlib>
#include <new>
#include <string>
#include <vector>

static long news, deletes, handled;
static bool refuse_next;

void *operator new(std::size_t size) {
    ++news;
    while (true) {
        void *p = refuse_next ? nullptr : std::malloc(size ? size : 1);
        if (p)
            return p;
        std::new_handler handler = std::get_new_handler();
        if (!handler)
            throw std::bad_alloc();
        handler();
    }
}

void operator delete(void *p) noexcept {
    deletes += p != nullptr;
    std::free(p);
}

void operator delete(void *p, std::size_t) noexcept {
    operator delete(p);
}

static void relent() {
    ++handled;
    refuse_next = false;
}

static void give_up() {
    ++handled;
    throw std::bad_alloc();
}

static std::vector<int> early(100, 7);

int main(int argc, char **argv) {
    CHECK(news >= 1 && handled == 0 && early[99] == 7 && !std::get_new_handler());
    int rank = start(&argc, &argv);
    long before = news, deleted = deletes;
    for (int i = 0; i <= rank; ++i)
        ::operator delete(::operator new(sizeof(int) + size_t(i))); // which may not be left out
    let_others_run();
    CHECK_EQUAL(news - before, rank + 1);
    CHECK_EQUAL(deletes - deleted, rank + 1);
    std::set_new_handler(rank & 1 ? relent : give_up);
    let_others_run();
    CHECK(std::get_new_handler() == (rank & 1 ? relent : give_up));
    refuse_next = true;
    bool thrown = false;
    try {
        std::string text(1000, 'x');
        CHECK(text.size() == 1000 && rank & 1);
    } catch (const std::bad_alloc &) {
        thrown = true;
    }
    refuse_next = false;
    let_others_run();
    CHECK(thrown == !(rank & 1) && handled == 1);
    std::set_new_handler(nullptr);
    return finish();
}
