// Tests counts, watermarks and events of one rank, and the tables that the linker collects.
#include "trace/recorder.h"

#include <gtest/gtest.h>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace thrum {

PERFORMANCE_VARIABLE(test_apples, .category = "all", .description = "apples");
PERFORMANCE_VARIABLE(test_pears, .category = "all", .description = "pears");

namespace {

constexpr const char *element_names[] = {"number"};
constexpr Enumeration elements = {"test", element_names, 1};

} // namespace

EVENT_TYPE(test_fall, .category = "all", .description = "an apple falls", .elements = &elements,
           .types = {ValueType::Int});
EVENT_TYPE(test_worm, .category = "all", .description = "a worm appears", .elements = &elements,
           .types = {ValueType::Int});

TEST(Variables, TheTableHasEachRegisteredObjectOnce) {
    std::set<std::string> names;
    for (const PerformanceVariable &variable : performance_variables()) {
        EXPECT_TRUE(
            names.insert(std::string(variable.name) + " " + std::to_string(variable.variable_class))
                .second)
            << variable.name;
        EXPECT_EQ(&performance_variables()[performance_variables().index_of(variable)], &variable);
    }
    EXPECT_TRUE(names.count("test_apples " + std::to_string(MPI_T_PVAR_CLASS_COUNTER)));
    EXPECT_TRUE(performance_variables().contains(0));
    EXPECT_FALSE(performance_variables().contains(-1));
    EXPECT_FALSE(performance_variables().contains(performance_variables().size()));
}

TEST(Recorder, CountsAreThoseOfTheRankAndOfTheirCommunicator) {
    Recorder recorder;
    recorder.count_in(7, test_apples); // nobody asks about communicator 7 yet
    Counts &seven = recorder.take_counts(7);
    Counts &again = recorder.take_counts(7);
    EXPECT_EQ(&seven, &again);
    Counts &eight = recorder.take_counts(8);
    recorder.count_in(7, test_apples, 10);
    recorder.count_in(8, test_apples, 100);
    recorder.count(test_apples, 1000);
    recorder.count_in(7, test_pears, 5);
    EXPECT_EQ(recorder.value(test_apples), 1111u);
    EXPECT_EQ(recorder.value(test_apples, &seven), 10u);
    EXPECT_EQ(recorder.value(test_apples, &eight), 100u);
    EXPECT_EQ(recorder.value(test_pears, &seven), 5u);
    recorder.drop_counts(seven);
    recorder.count_in(7, test_apples);
    EXPECT_EQ(recorder.value(test_apples, &again), 11u); // one handle is left
    recorder.drop_counts(again);
    recorder.drop_counts(eight);
}

TEST(Recorder, SeveralThreadsLoseNoCount) {
    Recorder recorder;
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i)
        threads.emplace_back([&] {
            for (int k = 0; k < 5000; ++k)
                recorder.count_in(1, test_apples, 2);
        });
    for (std::thread &thread : threads)
        thread.join();
    EXPECT_EQ(recorder.value(test_apples), 40000u);
}

TEST(Recorder, AWatermarkIsTheHighestLevelSinceItWasLowered) {
    Recorder recorder;
    for (uint64_t level : {3, 9, 4})
        recorder.raise_watermark(test_pears, level);
    EXPECT_EQ(recorder.lower_watermark(test_pears), 9u);
    recorder.raise_watermark(test_pears, 2);
    EXPECT_EQ(recorder.lower_watermark(test_pears), 2u);
    EXPECT_EQ(recorder.lower_watermark(test_pears), 0u);
}

TEST(Recorder, EventsThatNobodyWantsAreNotKept) {
    Recorder recorder;
    EventRecord event;
    recorder.note(test_fall_event, 0, 1);
    EXPECT_FALSE(recorder.has_news());
    recorder.change_interest(test_fall_event, 1);
    recorder.note(test_fall_event, 3, 2);
    recorder.note(test_worm_event, 3, 99);
    EXPECT_TRUE(recorder.has_news());
    ASSERT_TRUE(recorder.next_event(event));
    EXPECT_EQ(event.type, &test_fall_event);
    EXPECT_EQ(event.context, 3u);
    EXPECT_EQ(event.elements[0], 2);
    EXPECT_FALSE(event.after_loss);
    EXPECT_FALSE(recorder.next_event(event));
    EXPECT_FALSE(recorder.has_news());
}

TEST(Recorder, AFullQueueDropsTheNewestAndSaysSo) {
    Recorder recorder;
    recorder.change_interest(test_fall_event, 1);
    recorder.change_interest(test_worm_event, 1);
    const int many = 3000;
    for (int i = 0; i < many; ++i)
        recorder.note(i % 3 ? test_fall_event : test_worm_event, 0, i);
    EventRecord event;
    int told = 0;
    int64_t last_ns = 0;
    ASSERT_TRUE(recorder.next_event(event));
    EXPECT_EQ(event.elements[0], told++);
    recorder.note(test_fall_event, 0, many); // there is room for it, but others were lost before it
    while (recorder.next_event(event) && event.elements[0] < many) {
        EXPECT_EQ(event.elements[0], told++);
        EXPECT_FALSE(event.after_loss);
        EXPECT_GE(event.time_ns, last_ns);
        last_ns = event.time_ns;
    }
    EXPECT_EQ(event.elements[0], many);
    EXPECT_TRUE(event.after_loss);
    const uint64_t lost =
        recorder.take_dropped(test_fall_event) + recorder.take_dropped(test_worm_event);
    EXPECT_EQ(told + static_cast<int>(lost), many);
    EXPECT_EQ(recorder.take_dropped(test_fall_event), 0u);
    EXPECT_FALSE(recorder.next_event(event));
}

} // namespace thrum
