// The terminal on which a view is drawn: its whole screen, or its last rows, above which the output
// of the program scrolls.
//
// Each picture is one write(): what others write to the terminal comes before or after it.
#pragma once
#include "lines.h"

#include <string>
#include <termios.h>
#include <vector>

namespace live {

class Terminal {
public:
    enum class Use { WholeScreen, LastRows };

    // `descriptor` is a terminal. With the whole screen, keys are read from standard input if that
    // is one, too.
    Terminal(int descriptor, Use use);
    // Restores the terminal.
    ~Terminal();
    Terminal(const Terminal &) = delete;
    Terminal &operator=(const Terminal &) = delete;

    // Returns how many rows and columns a picture may have; 0 rows: the terminal is too small.
    size_t rows() const;

    size_t columns() const { return columns_; }

    // Reads the size of the terminal, which may have changed.
    void measure();
    void draw(const std::vector<Line> &lines);
    // Restore the terminal and take it again, when the process is stopped and continued.
    void leave();
    void take();

    // Returns the key that was pressed; 0: none.
    char key() const;

    bool reads_keys() const { return reads_keys_; }

private:
    void put(const std::string &text) const;

    int descriptor_;
    Use use_;
    bool reads_keys_ = false, is_taken_ = false;
    size_t rows_ = 0, columns_ = 0; // of the terminal
    size_t region_rows_ = 0;        // LastRows: how many are ours now
    termios before_{};
};

} // namespace live
