// The default memory resource of a rank.
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
