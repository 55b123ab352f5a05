#include "base/codec.h"
#include "base/testing/seed.h"

#include <gtest/gtest.h>
#include <random>
#include <string>
#include <variant>
#include <vector>

namespace thrum {
namespace {

using Item = std::variant<int64_t, std::string, std::vector<std::string>>;

std::string random_text(std::mt19937_64 &random) {
    std::string text(random() % 20, 0);
    for (char &c : text)
        c = static_cast<char>(random() % 4 == 0 ? "0;:1"[random() % 4] : random());
    return text;
}

std::vector<Item> random_items(std::mt19937_64 &random) {
    std::vector<Item> items;
    for (auto left = random() % 8; left > 0; --left) {
        const auto kind = random() % 3;
        if (kind == 0)
            items.emplace_back(static_cast<int64_t>(random() >> random() % 64));
        else if (kind == 1)
            items.emplace_back(random_text(random));
        else
            items.emplace_back(std::vector<std::string>(random() % 3, random_text(random)));
    }
    return items;
}

std::string encode(const std::vector<Item> &items) {
    Encoder encoder;
    for (const Item &item : items) {
        if (const auto *number = std::get_if<int64_t>(&item))
            encoder.put_number(*number);
        else if (const auto *text = std::get_if<std::string>(&item))
            encoder.put_text(*text);
        else
            encoder.put_texts(std::get<2>(item));
    }
    return encoder.text();
}

// Reads items of the same kinds as `like`.
std::vector<Item> decode(Decoder &decoder, const std::vector<Item> &like) {
    std::vector<Item> items;
    for (const Item &item : like) {
        if (item.index() == 0)
            items.emplace_back(decoder.take_number());
        else if (item.index() == 1)
            items.emplace_back(decoder.take_text());
        else
            items.emplace_back(decoder.take_texts());
    }
    return items;
}

TEST(Codec, TheFormIsWhatTheHeaderSays) {
    Encoder encoder;
    encoder.put_number(2);
    encoder.put_text("abc");
    encoder.put_list(std::vector<int>{0}, [&](int item) { encoder.put_number(item); });
    EXPECT_EQ(encoder.text(), "2;3:abc1;0;");
}

TEST(Codec, RandomItemsReadBack) {
    std::mt19937_64 random(testing::test_seed());
    for (int round = 0; round < 2000; ++round) {
        const std::vector<Item> items = random_items(random);
        const std::string text = encode(items);
        Decoder decoder(text);
        EXPECT_EQ(decode(decoder, items), items) << text;
        EXPECT_TRUE(decoder.finish()) << decoder.error() << " in " << text;
    }
}

TEST(Codec, EveryTruncationIsDetected) {
    std::mt19937_64 random(testing::test_seed());
    for (int round = 0; round < 200; ++round) {
        const std::vector<Item> items = random_items(random);
        const std::string text = encode(items);
        for (size_t size = 0; size < text.size(); ++size) {
            Decoder decoder(std::string_view(text).substr(0, size));
            (void)decode(decoder, items);
            EXPECT_FALSE(decoder.finish()) << size << " bytes of " << text;
            EXPECT_EQ(decoder.error().rfind("byte ", 0), 0u) << decoder.error();
        }
    }
}

// Changed bytes may give another valid text; what counts is that nothing is read that is not there.
TEST(Codec, ChangedBytesAreReadWithoutHarm) {
    std::mt19937_64 random(testing::test_seed());
    for (int round = 0; round < 5000; ++round) {
        const std::vector<Item> items = random_items(random);
        std::string text = encode(items);
        for (auto left = text.empty() ? 0 : 1 + random() % 3; left > 0; --left)
            text[random() % text.size()] = static_cast<char>(random());
        Decoder decoder(text);
        (void)decode(decoder, items);
        const bool is_valid = decoder.finish();
        EXPECT_EQ(is_valid, decoder.error().empty());
    }
}

TEST(Codec, ErrorsSayWhereAndWhatWasExpected) {
    const auto error_of = [](std::string_view text, auto take) {
        Decoder decoder(text);
        decoder.take_number();
        take(decoder);
        EXPECT_FALSE(decoder.finish()) << text;
        return decoder.error();
    };
    const auto take_small = [](Decoder &d) {
        EXPECT_EQ(d.take_number(1, 3), 1);
    };
    const auto take_text = [](Decoder &d) {
        EXPECT_EQ(d.take_text(), "");
    };
    const auto take_list = [](Decoder &d) {
        EXPECT_EQ(d.take_texts().size(), 0u);
    };
    const auto nothing = [](Decoder &) {
    };
    EXPECT_EQ(error_of("1;4;", take_small), "byte 2: expected a number from 1 to 3");
    EXPECT_EQ(error_of("1;0;", take_small), "byte 2: expected a number from 1 to 3");
    EXPECT_EQ(error_of("1;x;", take_small), "byte 2: expected a number from 1 to 3");
    EXPECT_EQ(error_of("1;2", take_small), "byte 2: expected a number from 1 to 3");
    EXPECT_EQ(error_of("1;99999999999999999999;", take_small),
              "byte 2: expected a number from 1 to 3");
    EXPECT_EQ(error_of("1;3:ab", take_text), "byte 2: expected a text");
    EXPECT_EQ(error_of("1;-1:ab", take_text), "byte 2: expected a text");
    EXPECT_EQ(error_of("1;3;", take_text), "byte 2: expected a text");
    EXPECT_EQ(error_of("1;9000000000;", take_list), "byte 2: expected a number from 0 to 5");
    EXPECT_EQ(error_of("1;-1;", take_list), "byte 2: expected a number from 0 to 1");
    EXPECT_EQ(error_of("1;2;", nothing), "byte 2: expected the end");
    EXPECT_EQ(error_of("x", take_text), "byte 0: expected a number");
}

} // namespace
} // namespace thrum
