// The global locale of a rank: std::locale() and std::locale::global() on a variable that is
// private, because this file is compiled with the pass. They replace libstdc++'s.
#include <clocale>
#include <locale>
#include <new>

namespace {

alignas(std::locale) char storage[sizeof(std::locale)]; // never destroyed
std::locale *global_of_rank = nullptr;                  // nullptr: the classic one

const std::locale &current_global() {
    return global_of_rank ? *global_of_rank : std::locale::classic();
}

} // namespace

std::locale::locale() throw() : locale(current_global()) {}

// As the C++ standard asks, a named locale becomes that of C, too.
std::locale std::locale::global(const locale &other) {
    locale old = current_global();
    if (global_of_rank)
        *global_of_rank = other;
    else
        global_of_rank = new (storage) locale(other);
    if (other.name() != "*")
        std::setlocale(LC_ALL, other.name().c_str());
    return old;
}
