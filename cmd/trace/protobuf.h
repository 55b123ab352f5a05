// Writes messages in the encoding of Protocol Buffers (protobuf.dev/programming-guides/encoding):
// fields are a tag, which is number << 3 | kind, and a value.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace trace {

class Message {
public:
    void add(uint32_t field, uint64_t value) {
        varint(uint64_t{field} << 3 | varint_kind);
        varint(value);
    }

    // As an int32 or int64: negative ones take ten bytes.
    void add_signed(uint32_t field, int64_t value) { add(field, static_cast<uint64_t>(value)); }

    void add_fixed(uint32_t field, uint64_t value) {
        varint(uint64_t{field} << 3 | fixed_kind);
        for (int i = 0; i < 8; ++i)
            bytes_ += static_cast<char>(value >> 8 * i);
    }

    void add(uint32_t field, std::string_view text) {
        varint(uint64_t{field} << 3 | bytes_kind);
        varint(text.size());
        bytes_ += text;
    }

    void add(uint32_t field, const Message &message) { add(field, message.bytes()); }

    // Takes the memory of a message that is not needed any more.
    void clear() { bytes_.clear(); }

    std::string_view bytes() const { return bytes_; }

private:
    static constexpr uint64_t varint_kind = 0, fixed_kind = 1, bytes_kind = 2;

    void varint(uint64_t value) {
        for (; value >= 0x80; value >>= 7)
            bytes_ += static_cast<char>(value | 0x80);
        bytes_ += static_cast<char>(value);
    }

    std::string bytes_;
};

} // namespace trace
