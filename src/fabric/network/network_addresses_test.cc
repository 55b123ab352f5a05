#include "fabric/network/network_addresses.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace thrum {
namespace {

std::string all_bytes() {
    std::string bytes;
    for (int byte = 0; byte < 256; ++byte)
        bytes += static_cast<char>(byte);
    return bytes;
}

TEST(NetworkAddresses, AnyBytesReadBack) {
    for (const NetworkAddresses &addresses :
         {NetworkAddresses{}, NetworkAddresses{"tcp;ofi_rxm", all_bytes(), "1 2:3;"},
          NetworkAddresses{"tcp", all_bytes() + all_bytes(), ""}})
        EXPECT_EQ(parse_addresses(encode_addresses(addresses)), addresses);
}

TEST(NetworkAddresses, OtherTextsNameNoProvider) {
    const std::string good = encode_addresses({"tcp", all_bytes(), "watch"});
    for (size_t size = 0; size < good.size(); ++size)
        EXPECT_EQ(parse_addresses(good.substr(0, size)).provider, "") << size;
    EXPECT_EQ(parse_addresses(good + "x").provider, "");
    EXPECT_EQ(parse_addresses("tcp 4 abcdwatch").provider, "");
}

TEST(NetworkAddresses, PublishedAddressesArePrintable) {
    const std::vector<std::string> addresses{all_bytes(), "", "x"};
    const std::string text = encode_printable(addresses);
    EXPECT_TRUE(std::ranges::all_of(text, [](char c) { return c > 32 && c < 127; })) << text;
    EXPECT_EQ(parse_printable(text), addresses);
    for (size_t size = 0; size < text.size(); ++size)
        EXPECT_TRUE(parse_printable(text.substr(0, size)).empty()) << size;
}

TEST(NetworkAddresses, DigitsThatAreNoneGiveNoBytes) {
    EXPECT_EQ(parse_printable("2;2:6g2:61"), (std::vector<std::string>{"", "a"}));
    EXPECT_EQ(parse_printable("1;3:616"), (std::vector<std::string>{""}));
}

} // namespace
} // namespace thrum
