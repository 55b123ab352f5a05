// A plug-in that brings the C++ runtime into a C program (cxx_plugin_in_c.c).
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

static std::vector<std::string> words;

extern "C" int remember(const char *word) {
    words.emplace_back(word);
    std::ostringstream all;
    for (const std::string &w : words)
        all << w << " ";
    try {
        if (words.size() > 3)
            throw std::length_error(all.str());
    } catch (const std::exception &e) {
        return -static_cast<int>(std::string(e.what()).size());
    }
    std::cout << word << std::endl;
    return static_cast<int>(words.size());
}
