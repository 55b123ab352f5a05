// The test asks for the processor's features itself, so that its executable has the constructor.
#include "image/processor.h"

#include <cpuid.h>
#include <gtest/gtest.h>

// As libgcc's documents describe it, which hides the symbol in each object.
extern "C" struct {
    unsigned vendor, type, subtype, features[1];
} __cpu_model;

namespace thrum {
namespace {

int decoy_calls = 0;

// Has a guard and a cpuid, but does something else, too.
__attribute__((constructor)) void decoy() {
    if (decoy_calls)
        return;
    unsigned a = 0, b = 0, c = 0, d = 0;
    __cpuid(0, a, b, c, d);
    decoy_calls = a > 0 ? 1 : 2;
}

const Object &executable() {
    if (objects().empty())
        scan_objects(nullptr);
    return objects()[0];
}

TEST(Processor, OneConstructorIsRecognised) {
    EXPECT_TRUE(__builtin_cpu_supports("sse2"));
    int found = 0;
    for (uintptr_t entry : executable().init_array)
        found += asks_the_processor(executable(), reinterpret_cast<const unsigned char *>(entry),
                                    page_bytes);
    EXPECT_EQ(found, 1);
}

TEST(Processor, AnotherGuardedConstructorIsNot) {
    EXPECT_FALSE(asks_the_processor(executable(), reinterpret_cast<const unsigned char *>(&decoy),
                                    page_bytes));
}

TEST(Processor, FeaturesAreSetEarly) {
    unsigned vendor = __cpu_model.vendor;
    ASSERT_NE(vendor, 0u);
    __cpu_model.vendor = 0;
    ask_the_processor(executable());
    EXPECT_EQ(__cpu_model.vendor, vendor);
    EXPECT_EQ(decoy_calls, 1);
}

} // namespace
} // namespace thrum
