// The default memory resource of a rank, in a variable that is private because this file is
// compiled with the pass. The functions replace libstdc++'s.
#include <memory_resource>

namespace {

std::pmr::memory_resource *default_of_rank = nullptr;

} // namespace

namespace std::pmr {

memory_resource *get_default_resource() noexcept {
    return default_of_rank ? default_of_rank : new_delete_resource();
}

memory_resource *set_default_resource(memory_resource *resource) noexcept {
    memory_resource *old = get_default_resource();
    default_of_rank = resource;
    return old;
}

} // namespace std::pmr
