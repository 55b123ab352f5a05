// Texts of addresses (base/codec.h), and hexadecimal digits where texts must be printable.
#include "fabric/network/network_addresses.h"

#include "base/codec.h"

namespace thrum {
namespace {

constexpr std::string_view digits = "0123456789abcdef";

std::string to_digits(const std::string &bytes) {
    std::string text;
    for (char c : bytes) {
        text += digits[static_cast<unsigned char>(c) >> 4];
        text += digits[static_cast<unsigned char>(c) & 15];
    }
    return text;
}

// Returns "" if `text` does not consist of pairs of digits.
std::string from_digits(const std::string &text) {
    std::string bytes;
    if (text.size() % 2 || text.find_first_not_of(digits) != std::string::npos)
        return bytes;
    for (size_t i = 0; i < text.size(); i += 2)
        bytes += static_cast<char>(digits.find(text[i]) << 4 | digits.find(text[i + 1]));
    return bytes;
}

} // namespace

std::string encode_addresses(const NetworkAddresses &addresses) {
    Encoder encoder;
    encoder.put_text(addresses.provider);
    encoder.put_text(addresses.network);
    encoder.put_text(addresses.watch);
    return encoder.text();
}

NetworkAddresses parse_addresses(const std::string &text) {
    Decoder decoder(text);
    NetworkAddresses addresses;
    addresses.provider = decoder.take_text();
    addresses.network = decoder.take_text();
    addresses.watch = decoder.take_text();
    return decoder.finish() ? addresses : NetworkAddresses{};
}

std::string encode_printable(const std::vector<std::string> &addresses) {
    Encoder encoder;
    encoder.put_list(addresses, [&](const std::string &a) { encoder.put_text(to_digits(a)); });
    return encoder.text();
}

std::vector<std::string> parse_printable(const std::string &text) {
    Decoder decoder(text);
    auto addresses = decoder.take_list([&] { return from_digits(decoder.take_text()); });
    if (!decoder.finish())
        addresses.clear();
    return addresses;
}

} // namespace thrum
