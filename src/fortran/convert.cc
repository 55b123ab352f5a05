// Strings between Fortran and C (convert.h).
#include "fortran/convert.h"

#include <algorithm>
#include <cstring>
#include <vector>

namespace thrum::fortran {
namespace {

constexpr char not_written = '\1'; // marks an OutString until the call writes it

// Returns the length of a string without the blanks that pad it.
size_t length_without_blanks(const char *text, size_t length) {
    while (length > 0 && text[length - 1] == ' ')
        --length;
    return length;
}

// Returns a new C string with these characters.
char *new_string(const char *text, size_t length) {
    auto *string = new char[length + 1];
    std::memcpy(string, text, length);
    string[length] = 0;
    return string;
}

} // namespace

// Short strings need no allocation.
InString::InString(const char *text, size_t length, Blanks stripped) {
    length = length_without_blanks(text, length);
    while (stripped == Blanks::Both && length > 0 && *text == ' ')
        ++text, --length;
    if (length < sizeof short_) {
        std::memcpy(short_, text, length);
        short_[length] = 0;
        string_ = short_;
    } else {
        string_ = new_string(text, length);
    }
}

InString::~InString() {
    if (string_ != short_)
        delete[] string_;
}

OutString::OutString(char *text, size_t length, size_t size_bytes, MPI_Fint *resultlen)
    : text_(text), length_(length), resultlen_(resultlen),
      string_(size_bytes <= sizeof short_ ? short_ : new char[size_bytes]) {
    string_[0] = not_written;
}

// Copies the C string to the program's variable and pads it. Without a string nothing is stored, so
// a call that fails leaves the variable as it was.
OutString::~OutString() {
    if (string_[0] != not_written) {
        size_t used = std::min(std::strlen(string_), length_);
        std::memcpy(text_, string_, used);
        std::memset(text_ + used, ' ', length_ - used);
        if (resultlen_)
            *resultlen_ = static_cast<MPI_Fint>(used);
    }
    if (string_ != short_)
        delete[] string_;
}

// Ends at the first blank string if the caller does not know the count. The result ends with a null
// pointer, as in C.
StringArray::StringArray(const char *first, size_t length, size_t stride, int count,
                         const FortranProgram *of) {
    if (is_null_argv(first, of))
        return;
    std::vector<char *> strings;
    for (int i = 0; i != count; ++i) {
        const char *text = first + static_cast<size_t>(i) * stride * length;
        size_t used = length_without_blanks(text, length);
        if (count == until_blank && used == 0)
            break;
        for (; used > 0 && *text == ' '; --used)
            ++text;
        strings.push_back(new_string(text, used));
    }
    strings.push_back(nullptr);
    strings_ = new char *[strings.size()];
    std::copy(strings.begin(), strings.end(), strings_);
}

StringArray::~StringArray() {
    for (char **string = strings_; string && *string; ++string)
        delete[] *string;
    delete[] strings_;
}

} // namespace thrum::fortran
