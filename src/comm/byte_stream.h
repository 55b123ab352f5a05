// Values as bytes, for messages to other node processes (mpi/creation.h, io/file_decision.h). All
// processes of a job run the same library on the same kind of machine, so numbers need no
// conversion. The reader does not check sizes: both ends call the same sequence of functions.
#pragma once
#include "comm/group.h"
#include "comm/process.h"

#include <cstring>
#include <string>
#include <vector>

namespace thrum {

// Appends values to a string of bytes.
class ByteWriter {
public:
    // Appends a trivially copyable value.
    template <class T>
    void number(T value) {
        bytes_.append(reinterpret_cast<const char *>(&value), sizeof value);
    }

    // Lengths precede texts and arrays.
    void text(const std::string &value) {
        number(value.size());
        bytes_.append(value);
    }

    void numbers(const int *values, size_t count) {
        number(count);
        for (size_t i = 0; i < count; ++i)
            number(values[i]);
    }

    // Appends the numbers of the members; nullptr is kept.
    void group(const Group *group) { // or nullptr
        number(group ? group->size : -1);
        for (int rank = 0; group && rank < group->size; ++rank)
            number((*group)[rank].number);
    }

    const std::string &bytes() const { return bytes_; }

private:
    std::string bytes_;
};

// Reads the values back, in the same order.
class ByteReader {
public:
    explicit ByteReader(const char *bytes) : next_(bytes) {}

    template <class T>
    T number() {
        T value;
        std::memcpy(&value, next_, sizeof value);
        next_ += sizeof value;
        return value;
    }

    std::string text() {
        const auto length = number<size_t>();
        std::string value(next_, length);
        next_ += length;
        return value;
    }

    std::vector<int> numbers() {
        std::vector<int> values(number<size_t>());
        for (int &value : values)
            value = number<int>();
        return values;
    }

    // Returns a group with a reference for the caller.
    Group *group() {
        const int size = number<int>();
        if (size < 0)
            return nullptr;
        std::vector<Process *> members;
        for (int rank = 0; rank < size; ++rank)
            members.push_back(&known_process(number<int>()));
        return new_group(std::move(members));
    }

private:
    const char *next_;
};

} // namespace thrum
