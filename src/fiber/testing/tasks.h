// For tests: runs a function in many tasks.
#pragma once
#include "fiber/testing/team.h"

#include <functional>
#include <memory>
#include <vector>

namespace thrum::testing {

inline void run_tasks(int count, const std::function<void(int)> &function,
                      const TeamOptions &options) {
    std::vector<std::unique_ptr<Task>> tasks;
    std::vector<Task *> pointers;
    for (int i = 0; i < count; ++i) {
        tasks.push_back(std::make_unique<Task>());
        pointers.push_back(tasks.back().get());
    }
    auto call = [](void *argument, int index) {
        (*static_cast<const std::function<void(int)> *>(argument))(index);
    };
    run_team(count, pointers.data(), call, const_cast<std::function<void(int)> *>(&function),
             options);
}

} // namespace thrum::testing
