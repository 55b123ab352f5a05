// What execve() wants for its words.
#pragma once
#include <string>
#include <vector>

namespace mpiexec {

// Returns pointers to the words, and a null pointer behind them. The words must stay where they
// are.
inline std::vector<char *> exec_pointers(const std::vector<std::string> &words) {
    std::vector<char *> pointers;
    for (const std::string &word : words)
        pointers.push_back(const_cast<char *>(word.c_str()));
    pointers.push_back(nullptr);
    return pointers;
}

} // namespace mpiexec
