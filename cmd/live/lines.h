// A view as lines of text, for a terminal or a pipe.
#pragma once
#include "view.h"

#include <string>
#include <vector>

namespace live {

// The kind of a line, by which the terminal colours it.
enum class Tone : uint8_t { Plain, Title, Heading, Waiting, Computing, Held, Faint };

struct Line {
    Tone tone = Tone::Plain;
    std::string text; // ASCII, but for names of the program
};

// Returns at most `rows_max` lines (0: no limit) of at most `columns_max` characters (0: no limit).
// If there are more, the last one says how many are left out.
std::vector<Line> lines_of(const View &view, size_t rows_max, size_t columns_max);

// Returns the lines about queues.
std::vector<Line> lines_of(const Queues &queues, size_t rows_max, size_t columns_max);

// Returns a line for the terminal: without control characters, and shortened.
Line line_of(Tone tone, const std::string &text, size_t columns_max);

} // namespace live
