#include "datatype/layout.h"
#include "datatype/layout_bytes.h"
#include "datatype/testing/random_datatype.h"

#include <gtest/gtest.h>

using namespace thrum;
using thrum::testing::RandomDatatypes;
using thrum::testing::test_seed;

namespace {

Datatype *travelled(const Datatype &type) {
    std::string bytes;
    write_layout(type, bytes);
    return read_layout(bytes.data(), bytes.size());
}

} // namespace

TEST(LayoutBytes, ADatatypePacksTheSameElsewhere) {
    RandomDatatypes random(test_seed());
    for (int round = 0; round < 2000; ++round) {
        Datatype *type = random.make(5);
        Datatype *copy = travelled(*type);
        ASSERT_EQ(copy->size_bytes, type->size_bytes);
        const Count count = random.number(1, 4);
        // Everything that the elements touch, and the address of the first of them.
        const Count low = std::min<Count>(0, type->true_lower_bound +
                                                 std::min<Count>(0, (count - 1) * type->extent));
        const Count high = std::max<Count>(0, type->true_lower_bound + type->true_extent +
                                                  std::max<Count>(0, (count - 1) * type->extent));
        std::vector<unsigned char> memory(static_cast<size_t>(high - low) + 1);
        for (unsigned char &byte : memory)
            byte = static_cast<unsigned char>(random.number(0, 255));
        const unsigned char *begin = memory.data() - low;
        const size_t size_bytes = data_bytes(count, *type);
        std::vector<unsigned char> packed(size_bytes), packed_elsewhere(size_bytes);
        pack_bytes(begin, count, *type, 0, size_bytes, packed.data());
        pack_bytes(begin, count, *copy, 0, size_bytes, packed_elsewhere.data());
        EXPECT_EQ(packed, packed_elsewhere) << "round " << round << ", seed " << test_seed();
        release(*copy);
        release(*type);
    }
}

// Each level uses the one below twice; shared parts are written once.
TEST(LayoutBytes, SharedPartsAreWrittenOnce) {
    Datatype *type = nullptr;
    const Count lengths[] = {1, 1, 1}, places[] = {0, 5, 7};
    ASSERT_FALSE(new_indexed(3, lengths, places, *find_datatype(MPI_INT), type));
    for (int level = 0; level < 12; ++level) {
        Datatype *next = nullptr;
        ASSERT_FALSE(new_hvector(2, 1, type->extent * 3 + 4, *type, next));
        release(*type);
        type = next;
    }
    std::string bytes;
    write_layout(*type, bytes);
    EXPECT_LT(bytes.size(), 4096u);
    release(*type);
}
