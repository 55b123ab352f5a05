// The handlers that libstdc++ keeps once per process, but that each rank has of its own here. This
// file is compiled with the pass, so its variables are private. libstdc++ gets the handlers by
// these functions, so it calls the rank's.
#include <exception>
#include <new>

namespace {

std::terminate_handler terminate_of_rank = nullptr; // nullptr: libstdc++'s default
std::new_handler new_of_rank = nullptr;

template <class Handler>
Handler exchange(Handler &variable, Handler value) {
    Handler old = variable;
    variable = value;
    return old;
}

} // namespace

namespace std {

terminate_handler get_terminate() noexcept {
    return terminate_of_rank ? terminate_of_rank : __gnu_cxx::__verbose_terminate_handler;
}

terminate_handler set_terminate(terminate_handler handler) noexcept {
    terminate_handler old = get_terminate();
    terminate_of_rank = handler;
    return old;
}

new_handler get_new_handler() noexcept {
    return new_of_rank;
}

new_handler set_new_handler(new_handler handler) noexcept {
    return exchange(new_of_rank, handler);
}

} // namespace std
