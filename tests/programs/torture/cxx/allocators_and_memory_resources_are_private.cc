// pmr resources and the default resource, allocators with static counters, aligned and placement
// new.
// ranks: 8 64
#include "torture.h"

#include <cstdint>
#include <map>
#include <memory_resource>
#include <new>
#include <string>
#include <vector>

static int allocations, bytes_living;

template <class T>
struct Counting {
    using value_type = T;
    Counting() = default;

    template <class U>
    Counting(const Counting<U> &) {}

    T *allocate(std::size_t n) {
        ++allocations, bytes_living += int(n * sizeof(T));
        return static_cast<T *>(::operator new(n * sizeof(T)));
    }

    void deallocate(T *p, std::size_t n) {
        bytes_living -= int(n * sizeof(T));
        ::operator delete(p);
    }

    bool operator==(const Counting &) const { return true; }
};

class Tracking : public std::pmr::memory_resource {
public:
    int calls = 0;

private:
    void *do_allocate(std::size_t n, std::size_t a) override {
        ++calls;
        return std::pmr::new_delete_resource()->allocate(n, a);
    }

    void do_deallocate(void *p, std::size_t n, std::size_t a) override {
        std::pmr::new_delete_resource()->deallocate(p, n, a);
    }

    bool do_is_equal(const memory_resource &other) const noexcept override {
        return this == &other;
    }
};

static std::vector<int, Counting<int>> counted(10, 1);
static char storage[4096];
static std::pmr::monotonic_buffer_resource pool(storage, sizeof storage);
static std::pmr::vector<int> in_pool({1, 2, 3}, &pool);
static Tracking tracking;

struct alignas(64) Line {
    int values[16];
};

int main(int argc, char **argv) {
    CHECK(allocations == 1 && bytes_living == 40 && tracking.calls == 0 && in_pool[2] == 3);
    CHECK((char *)in_pool.data() >= storage && (char *)in_pool.data() < storage + sizeof storage);
    CHECK(std::pmr::get_default_resource() == std::pmr::new_delete_resource());
    int rank = start(&argc, &argv);
    auto *before = std::pmr::get_default_resource();
    if (rank & 1)
        std::pmr::set_default_resource(&tracking);
    let_others_run();
    CHECK(std::pmr::get_default_resource() == (rank & 1 ? &tracking : before));
    std::pmr::string text(100, 'x');
    std::pmr::map<int, int> map;
    map[rank] = 1;
    CHECK_EQUAL(tracking.calls, rank & 1 ? 2 : 0);
    for (int i = 0; i < rank + 10; ++i)
        counted.push_back(i);
    in_pool.push_back(rank);
    std::vector<int, Counting<int>> another(rank + 1u);
    let_others_run();
    CHECK_EQUAL(bytes_living, int(counted.capacity() + another.size()) * 4);
    CHECK(in_pool.back() == rank && (char *)in_pool.data() >= storage);
    auto *line = new Line{};
    line->values[15] = rank;
    alignas(Line) static char place[sizeof(Line)];
    auto *placed = new (place) Line(*line);
    let_others_run();
    CHECK(reinterpret_cast<std::uintptr_t>(line) % 64 == 0 && placed->values[15] == rank);
    delete line;
    return finish();
}
