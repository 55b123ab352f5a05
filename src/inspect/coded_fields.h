// Values of several fields as parts of a coded text (base/codec.h). A type lists its fields once,
// and both directions follow the list:
//
//   template <> constexpr auto fields_of<Point> = std::tuple(&Point::x, &Point::y);
//
// A field is a number, a truth value, an enumerator, a text, a list of such, or of such a type.
#pragma once
#include "base/codec.h"

#include <cstdint>
#include <limits>
#include <string>
#include <tuple>
#include <type_traits>

namespace thrum {

template <class T>
constexpr auto fields_of = std::tuple();

template <class T>
void encode(Encoder &to, const T &value) {
    if constexpr (std::is_enum_v<T>)
        encode(to, static_cast<std::underlying_type_t<T>>(value));
    else if constexpr (std::is_integral_v<T>)
        to.put_number(static_cast<int64_t>(value));
    else if constexpr (std::is_same_v<T, std::string>)
        to.put_text(value);
    else if constexpr (requires { value.begin(); })
        to.put_list(value, [&to](const auto &item) { encode(to, item); });
    else
        std::apply([&](auto... field) { (encode(to, value.*field), ...); }, fields_of<T>);
}

// Reads what encode() has written for a T. After a mistake in the text, `from` says so, and the
// remaining fields have their least or empty values.
template <class T>
T decode(Decoder &from) {
    T value{};
    if constexpr (std::is_enum_v<T>)
        value = static_cast<T>(decode<std::underlying_type_t<T>>(from));
    else if constexpr (std::is_same_v<T, uint64_t>)
        value = static_cast<T>(from.take_number());
    else if constexpr (std::is_integral_v<T>)
        value = static_cast<T>(
            from.take_number(std::numeric_limits<T>::min(), std::numeric_limits<T>::max()));
    else if constexpr (std::is_same_v<T, std::string>)
        value = from.take_text();
    else if constexpr (requires { value.begin(); })
        value = from.take_list([&from] { return decode<typename T::value_type>(from); });
    else
        std::apply(
            [&](auto... field) {
                ((value.*field = decode<std::remove_cvref_t<decltype(value.*field)>>(from)), ...);
            },
            fields_of<T>);
    return value;
}

} // namespace thrum
