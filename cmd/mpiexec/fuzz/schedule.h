// A schedule of --fuzz: SEED or SEED:CHOICES, as --seed takes it.
#pragma once
#include <fmt/core.h>
#include <optional>
#include <string>
#include <vector>

namespace mpiexec {

struct Schedule {
    unsigned long long seed = 1;
    std::optional<unsigned long long> choices; // that follow the seed; the later ones do not

    std::string text() const {
        return choices ? fmt::format("{}:{}", seed, *choices) : std::to_string(seed);
    }

    // Returns the options of a run.
    std::vector<std::string> options() const { return {"--seed", text()}; }
};

} // namespace mpiexec
