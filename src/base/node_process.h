// NodeProcess: the number of a node process, an operating-system process that hosts ranks of the
// job (wireup/wireup.h). A type of its own, so that it is not mistaken for the number of a rank, of
// a node or of an entry in a list of processes.
#pragma once
#include <compare>
#include <cstddef>
#include <functional>

namespace thrum {

// Numbers begin at 0. Four bytes, which messages carry as they are.
class NodeProcess {
public:
    constexpr NodeProcess() = default; // no process

    constexpr explicit NodeProcess(int number) : number_(number) {}

    // For messages to users, and for arithmetic; -1: none.
    constexpr int number() const { return number_; }

    // For tables with an entry for each process.
    constexpr size_t index() const { return static_cast<size_t>(number_); }

    friend constexpr auto operator<=>(NodeProcess, NodeProcess) = default;

private:
    int number_ = -1;
};

inline constexpr NodeProcess no_process;

// The first `count` node processes, for loops.
class NodeProcesses {
public:
    constexpr explicit NodeProcesses(int count) : end_(count) {}

    struct Iterator {
        NodeProcess process;

        constexpr NodeProcess operator*() const { return process; }

        constexpr Iterator &operator++() {
            process = NodeProcess(process.number() + 1);
            return *this;
        }

        friend constexpr bool operator==(const Iterator &, const Iterator &) = default;
    };

    constexpr Iterator begin() const { return {NodeProcess(0)}; }

    constexpr Iterator end() const { return {NodeProcess(end_)}; }

private:
    int end_;
};

} // namespace thrum

template <>
struct std::hash<thrum::NodeProcess> {
    size_t operator()(thrum::NodeProcess process) const noexcept { return process.index(); }
};
