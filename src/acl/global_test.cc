// Broadcast and reduction: any root, any number of PEs, any size; operators that do not commute.
#include "acl/global.h"
#include "acl/testing/partition.h"

#include <bit>
#include <cstring>
#include <gtest/gtest.h>
#include <string>
#include <vector>

using namespace thrum;

namespace {

void ok(Error error) {
    EXPECT_EQ(error.code(), 0) << error_detail(error.code());
}

// x -> a x + b modulo 2^32: composition is associative and does not commute.
struct Affine {
    uint32_t a, b;

    bool operator==(const Affine &) const = default;
};

Affine compose(const Affine &lower, const Affine &higher) {
    return {lower.a * higher.a, higher.a * lower.b + higher.b};
}

void compose_all(const void *lower, const void *higher, void *result, size_t count) {
    for (size_t i = 0; i < count; ++i)
        static_cast<Affine *>(result)[i] =
            compose(static_cast<const Affine *>(lower)[i], static_cast<const Affine *>(higher)[i]);
}

Affine contribution(int address, size_t i) {
    auto number = static_cast<uint32_t>(address) * 1000003u + static_cast<uint32_t>(i) * 97u;
    return {2 * number + 3, number * number + 11};
}

Affine expected(int size, size_t i) {
    Affine result = contribution(0, i);
    for (int address = 1; address < size; ++address)
        result = compose(result, contribution(address, i));
    return result;
}

using Algorithm = Error(ProcessingElement &, int, const ReduceArray &);

void reduce_to_every_root(Algorithm *algorithm, int size, size_t count) {
    run_partition(size,
                  [&](ProcessingElement &self) {
                      std::vector<Affine> array(count);
                      for (int root = 0; root < size; ++root) {
                          for (size_t i = 0; i < count; ++i)
                              array[i] = contribution(self.address, i);
                          ok(algorithm(self, root,
                                       {reinterpret_cast<char *>(array.data()), count,
                                        sizeof(Affine), compose_all}));
                          if (self.address == root) {
                              for (size_t i = 0; i < count; ++i)
                                  ASSERT_EQ(array[i], expected(size, i))
                                      << size << " PEs, root " << root << ", element " << i
                                      << " of " << count;
                          }
                      }
                  },
                  {2, false});
}

TEST(Reduce, TheTreeCombinesInTheOrderOfAddressesForEveryRoot) {
    for (int size = 1; size <= 17; ++size)
        for (size_t count : {0u, 1u, 5u, 100u})
            reduce_to_every_root(reduce_by_tree, size, count);
}

TEST(Reduce, BinarySwapCombinesInTheOrderOfAddressesForEveryRoot) {
    for (int size = 1; size <= 17; ++size)
        for (size_t count : {0u, 1u, 5u, 100u})
            reduce_to_every_root(reduce_by_binary_swap, size, count);
}

TEST(Reduce, LargeArraysAndManyElementsAgreeWithTheModel) {
    for (int size : {2, 6, 32})
        reduce_to_every_root(reduce, size, 3000);
    reduce_to_every_root(reduce, 6, 140000); // more than a MiB: by binary swap
}

void add_doubles(const void *lower, const void *higher, void *result, size_t count) {
    for (size_t i = 0; i < count; ++i)
        static_cast<double *>(result)[i] =
            static_cast<const double *>(lower)[i] + static_cast<const double *>(higher)[i];
}

TEST(Reduce, BothAlgorithmsPlaceBracketsAlikeForPowersOfTwo) {
    constexpr size_t count = 1000;
    for (int size : {2, 4, 8, 16}) {
        run_partition(size, [&](ProcessingElement &self) {
            std::vector<double> by_tree(count), by_swap(count);
            for (size_t i = 0; i < count; ++i)
                by_tree[i] = by_swap[i] = 1.0 / static_cast<double>(1 + i + 7 * self.address);
            auto array = [&](std::vector<double> &data) {
                return ReduceArray{reinterpret_cast<char *>(data.data()), count, sizeof(double),
                                   add_doubles};
            };
            ok(reduce_by_tree(self, 0, array(by_tree)));
            ok(reduce_by_binary_swap(self, 0, array(by_swap)));
            if (self.address == 0) {
                EXPECT_EQ(std::memcmp(by_tree.data(), by_swap.data(), count * sizeof(double)), 0);
            }
        });
    }
}

TEST(Broadcast, EveryRootReachesAll) {
    for (int size : {1, 2, 3, 5, 8, 13}) {
        run_partition(size,
                      [&](ProcessingElement &self) {
                          for (int root = 0; root < size; ++root) {
                              std::string data(static_cast<size_t>(1000 * root), '?');
                              if (self.address == root)
                                  data.assign(data.size(), static_cast<char>('a' + root));
                              ok(broadcast_by_tree(self, root, data.data(), data.size()));
                              EXPECT_EQ(data,
                                        std::string(data.size(), static_cast<char>('a' + root)));
                          }
                      },
                      {2, false});
    }
}

TEST(Broadcast, DifferentSizesAreFoundOut) {
    run_partition(2, [](ProcessingElement &self) {
        char data[16] = {};
        Error error = broadcast_by_tree(self, 0, data, self.address == 0 ? 8 : 16);
        if (self.address == 1) {
            EXPECT_EQ(error.code(), MPI_ERR_COUNT);
            EXPECT_STREQ(error_detail(error.code()),
                         "PEs disagree on the size of the data: rank 0 has 8 bytes where the "
                         "caller has 16");
        }
    });
}

} // namespace
