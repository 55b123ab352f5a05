// Thread-specific data: keys that belong to a rank.
#include "libc/keys.h"
#include "libc/testing/ranks.h"

#include <cerrno>
#include <climits>
#include <functional>
#include <gtest/gtest.h>
#include <pthread.h>

namespace thrum {
namespace {

using testing::override_of;

void run(int count, const std::function<void(Rank &)> &function) {
    testing::run_ranks_with_libc(count, function, nullptr, testing::own_thread_locals);
}

int create(pthread_key_t &key, void (*destructor)(void *) = nullptr) {
    return override_of<int(pthread_key_t *, void (*)(void *))>("pthread_key_create")(&key,
                                                                                     destructor);
}

int remove(pthread_key_t key) {
    return override_of<int(pthread_key_t)>("pthread_key_delete")(key);
}

int set(pthread_key_t key, const void *value) {
    return override_of<int(pthread_key_t, const void *)>("pthread_setspecific")(key, value);
}

void *get(pthread_key_t key) {
    return override_of<void *(pthread_key_t)>("pthread_getspecific")(key);
}

int calls = 0;
pthread_key_t endless_key;
int something = 0;

TEST(Keys, EachRankCountsItsOwn) {
    run(3, [](Rank &rank) {
        pthread_key_t first, second;
        EXPECT_EQ(create(first), 0);
        yield();
        EXPECT_EQ(create(second), 0);
        EXPECT_EQ(first, 0U);
        EXPECT_EQ(second, 1U);
        EXPECT_EQ(set(first, &rank), 0);
        yield();
        EXPECT_EQ(get(first), &rank);
        EXPECT_EQ(get(second), nullptr);
        run_key_destructors();
    });
}

TEST(Keys, AValueDoesNotOutliveItsKey) {
    run(1, [](Rank &) {
        pthread_key_t key, again;
        create(key);
        set(key, &something);
        EXPECT_EQ(remove(key), 0);
        EXPECT_EQ(get(key), nullptr);
        create(again);
        EXPECT_EQ(again, key);
        EXPECT_EQ(get(again), nullptr);
        run_key_destructors();
    });
}

TEST(Keys, OneThatDoesNotExistIsAnError) {
    run(1, [](Rank &) {
        EXPECT_EQ(set(7, &something), EINVAL);
        EXPECT_EQ(remove(7), EINVAL);
        EXPECT_EQ(get(7), nullptr);
    });
}

TEST(Keys, ARankHasAsManyAsAProcess) {
    run(1, [](Rank &) {
        pthread_key_t key;
        for (int i = 0; i < PTHREAD_KEYS_MAX; ++i)
            ASSERT_EQ(create(key), 0);
        EXPECT_EQ(create(key), EAGAIN);
        EXPECT_EQ(remove(5), 0);
        EXPECT_EQ(create(key), 0);
        EXPECT_EQ(key, 5U);
    });
}

TEST(Keys, DestructorsRunOnceForEachValue) {
    calls = 0;
    run(1, [](Rank &) {
        pthread_key_t with_value, without_value, without_destructor;
        auto count = [](void *value) {
            EXPECT_EQ(value, &something);
            ++calls;
        };
        create(with_value, count);
        create(without_value, count);
        create(without_destructor);
        set(with_value, &something);
        set(without_destructor, &something);
        run_key_destructors();
    });
    EXPECT_EQ(calls, 1);
}

TEST(Keys, DestructorsThatSetValuesAgainEndAfterSomeRounds) {
    calls = 0;
    run(1, [](Rank &) {
        create(endless_key, [](void *value) {
            ++calls;
            set(endless_key, value);
        });
        set(endless_key, &something);
        run_key_destructors();
    });
    EXPECT_EQ(calls, PTHREAD_DESTRUCTOR_ITERATIONS);
}

} // namespace
} // namespace thrum
