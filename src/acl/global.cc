// Broadcast by a tree from the root; reduction by the same tree in reverse, or by binary swap
// ("Parallel volume rendering using binary-swap compositing", as the paper cites it).
//
// Reductions combine neighbours first: in phase i the results of 2^i PEs with neighbouring
// addresses, lower op higher. So the order is that of the addresses, whatever the root.
#include "acl/global.h"

#include "acl/synchronous.h"

#include <algorithm>
#include <bit>

namespace thrum {
namespace {

// Arrays of at least this size are reduced by binary swap. There it costs no more than the tree
// where two cores do the work of all, and less where there are more: with few cores a tree keeps
// them busy, too, and needs no final gather. The limits are the same everywhere, because the choice
// determines the order of the combinations. Measured: docs/papers/aclmpl.md.
constexpr size_t binary_swap_bytes_min = 1 << 20;
constexpr int binary_swap_elements_min = 2; // that each PE combines in the last phase

[[gnu::cold]] Error different_sizes(int peer, size_t its_bytes, size_t own_bytes) {
    return fail(MPI_ERR_COUNT,
                "PEs disagree on the size of the data: rank %d has %zu bytes where the caller has "
                "%zu",
                peer, its_bytes, own_bytes);
}

// Receives a message of a global operation, which must have exactly the expected size.
Error receive_exactly(ProcessingElement &self, int source, void *buffer,
                      size_t size_bytes) MAY_SUSPEND {
    size_t message_bytes = 0;
    if (Error error = synchronous_receive(self, {source, buffer, size_bytes}, message_bytes))
        return message_bytes > size_bytes ? different_sizes(source, message_bytes, size_bytes)
                                          : error;
    return message_bytes == size_bytes ? success
                                       : different_sizes(source, message_bytes, size_bytes);
}

// Sends and receives at the same time with one peer, likewise.
Error exchange(ProcessingElement &self, int peer, const void *out, size_t out_bytes, void *in,
               size_t in_bytes) MAY_SUSPEND {
    size_t message_bytes = 0;
    Error error =
        send_and_receive(self, {peer, out, out_bytes}, {peer, in, in_bytes}, message_bytes);
    if (message_bytes != in_bytes)
        return different_sizes(peer, message_bytes, in_bytes);
    return error;
}

// Part of an array: elements [begin, end).
struct Range {
    size_t begin, end;

    size_t count() const { return end - begin; }
};

// Binary swap among a number of PEs that need not be a power of two. Of the first ones, neighbours
// combine their arrays beforehand, so that a power of two remain active, numbered in the order of
// addresses.
class Swappers {
public:
    explicit Swappers(int partition_size)
        : count_(static_cast<int>(std::bit_floor(static_cast<unsigned>(partition_size)))),
          pairs_(partition_size - count_) {}

    int count() const { return count_; }

    // Addresses below 2 * pairs_ are pairs; of each the even one remains active.
    bool is_paired(int address) const { return address < 2 * pairs_; }

    bool is_active(int address) const { return !is_paired(address) || address % 2 == 0; }

    int number(int address) const { return is_paired(address) ? address / 2 : address - pairs_; }

    int address(int number) const { return number < pairs_ ? 2 * number : number + pairs_; }

    // Returns what swapper `number` has to combine after the phases of all bits below `bit`: each
    // phase halves the range, by one bit of the number.
    Range range(int number, int bit, size_t count) const {
        Range range{0, count};
        for (int b = 1; b < bit; b *= 2) {
            size_t middle = range.begin + range.count() / 2;
            (number & b ? range.begin : range.end) = middle;
        }
        return range;
    }

private:
    int count_;
    int pairs_;
};

// Combines `range` of two arrays, lower op higher, into this PE's array.
void combine(const ReduceArray &array, const Range &range, const char *lower, const char *higher) {
    if (range.count() > 0)
        array.function(lower, higher, array.at(range.begin), range.count());
}

// Of two neighbours the higher one sends its array, and the lower one combines.
Error combine_pair(ProcessingElement &self, const ReduceArray &array) MAY_SUSPEND {
    if (self.address % 2 == 1)
        return synchronous_send(self, {self.address - 1, array.data, array.size_bytes()});
    char *other = self.scratch(array.size_bytes());
    if (Error error = receive_exactly(self, self.address + 1, other, array.size_bytes()))
        return error;
    combine(array, {0, array.count}, array.data, other);
    return success;
}

// Runs all phases: each pair exchanges halves of what both have combined. The caller ends with
// range(number, count) combined.
Error swap_halves(ProcessingElement &self, const Swappers &swappers,
                  const ReduceArray &array) MAY_SUSPEND {
    const int number = swappers.number(self.address);
    for (int bit = 1; bit < swappers.count(); bit *= 2) {
        const Range keep = swappers.range(number, 2 * bit, array.count);
        const Range give = swappers.range(number ^ bit, 2 * bit, array.count);
        char *other = self.scratch(keep.count() * array.element_bytes);
        if (Error error = exchange(self, swappers.address(number ^ bit), array.at(give.begin),
                                   give.count() * array.element_bytes, other,
                                   keep.count() * array.element_bytes))
            return error;
        if (number & bit)
            combine(array, keep, other, array.at(keep.begin));
        else
            combine(array, keep, array.at(keep.begin), other);
    }
    return success;
}

// Sends the combined ranges to the root, which may be inactive itself.
Error gather_ranges(ProcessingElement &self, const Swappers &swappers, int root,
                    const ReduceArray &array) MAY_SUSPEND {
    auto range_of = [&](int number) {
        return swappers.range(number, swappers.count(), array.count);
    };
    if (self.address != root) {
        if (!swappers.is_active(self.address))
            return success;
        Range mine = range_of(swappers.number(self.address));
        return synchronous_send(self,
                                {root, array.at(mine.begin), mine.count() * array.element_bytes});
    }
    for (int number = 0; number < swappers.count(); ++number) {
        int source = swappers.address(number);
        Range range = range_of(number);
        if (source == root)
            continue;
        if (Error error = receive_exactly(self, source, array.at(range.begin),
                                          range.count() * array.element_bytes))
            return error;
    }
    return success;
}

} // namespace

// "In the i-th phase, PEs which have received the data forward the data onto the PE whose number
// differs only in the (log(P) - i)th bit": numbers count from the root.
Error broadcast_by_tree(ProcessingElement &self, int root, void *buffer, size_t size_bytes) {
    const int size = self.partition.size;
    auto address = [&](int number) {
        return (number + root) % size;
    };
    const int number = (self.address - root + size) % size;
    int step = static_cast<int>(std::bit_ceil(static_cast<unsigned>(size)));
    if (number != 0) {
        step = number & -number;
        if (Error error = receive_exactly(self, address(number - step), buffer, size_bytes))
            return error;
    }
    for (step /= 2; step > 0; step /= 2)
        if (number + step < size)
            if (Error error = synchronous_send(self, {address(number + step), buffer, size_bytes}))
                return error;
    return success;
}

// The result arises at address 0, whatever the root, so that the order is that of the addresses.
// From there it goes to the root.
Error reduce_by_tree(ProcessingElement &self, int root, const ReduceArray &array) {
    const size_t size_bytes = array.size_bytes();
    for (int bit = 1; bit < self.partition.size; bit *= 2) {
        if (self.address & bit) {
            if (Error error = synchronous_send(self, {self.address - bit, array.data, size_bytes}))
                return error;
            break;
        }
        if (self.address + bit >= self.partition.size)
            continue;
        char *other = self.scratch(size_bytes);
        if (Error error = receive_exactly(self, self.address + bit, other, size_bytes))
            return error;
        combine(array, {0, array.count}, array.data, other);
    }
    if (root == 0)
        return success;
    if (self.address == 0)
        return synchronous_send(self, {root, array.data, size_bytes});
    return self.address == root ? receive_exactly(self, 0, array.data, size_bytes) : success;
}

Error reduce_by_binary_swap(ProcessingElement &self, int root, const ReduceArray &array) {
    const Swappers swappers(self.partition.size);
    if (swappers.is_paired(self.address))
        if (Error error = combine_pair(self, array))
            return error;
    if (swappers.is_active(self.address))
        if (Error error = swap_halves(self, swappers, array))
            return error;
    return gather_ranges(self, swappers, root, array);
}

Error reduce(ProcessingElement &self, int root, const ReduceArray &array) {
    const bool large =
        array.size_bytes() >= binary_swap_bytes_min &&
        array.count / static_cast<size_t>(self.partition.size) >= binary_swap_elements_min;
    return large ? reduce_by_binary_swap(self, root, array) : reduce_by_tree(self, root, array);
}

} // namespace thrum
