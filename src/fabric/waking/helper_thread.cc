// The helper thread is an epoll loop. A pipe ends its sleep.
#include "fabric/waking/helper_thread.h"

#include "base/descriptor.h"
#include "base/own_threads.h"
#include "fiber/library_threads.h"

#include <csignal>
#include <fcntl.h>
#include <sys/epoll.h>
#include <unistd.h>

namespace thrum {

bool HelperThread::open() {
    stopping_.store(false, std::memory_order_relaxed);
    epoll_ = move_descriptor_up(::epoll_create1(EPOLL_CLOEXEC));
    if (epoll_ < 0 || ::pipe2(stop_pipe_, O_CLOEXEC | O_NONBLOCK) != 0)
        return false;
    for (int &end : stop_pipe_)
        end = move_descriptor_up(end);
    epoll_event event{EPOLLIN, {nullptr}};
    return ::epoll_ctl(epoll_, EPOLL_CTL_ADD, stop_pipe_[0], &event) == 0;
}

bool HelperThread::start() {
    sigset_t all, old;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &old); // signals are for ranks
    started_ = create_own_thread(&thread_, nullptr, &run, this) == 0;
    ::pthread_sigmask(SIG_SETMASK, &old, nullptr);
    return started_;
}

void HelperThread::stop() {
    if (started_) {
        stopping_.store(true, std::memory_order_relaxed);
        nudge();
        join_own_thread(thread_);
    }
    started_ = false;
    for (int fd : {epoll_, stop_pipe_[0], stop_pipe_[1]})
        if (fd >= 0)
            ::close(fd);
    epoll_ = stop_pipe_[0] = stop_pipe_[1] = -1;
}

bool HelperThread::watch(int fd, Callback function, void *argument, int number, bool once) {
    Watched *watched;
    {
        LockGuard guard(lock_);
        watched_.push_back({fd, function, argument, number, once});
        watched = &watched_.back();
    }
    epoll_event event{EPOLLIN, {watched}};
    return ::epoll_ctl(epoll_, EPOLL_CTL_ADD, fd, &event) == 0;
}

void HelperThread::set_before_sleep(int (*function)(void *argument), void *argument) {
    before_sleep_argument_ = argument;
    before_sleep_.store(function, std::memory_order_release); // release [helper-1]
    nudge();
}

void HelperThread::set_watched(int fd, bool on) {
    LockGuard guard(lock_);
    for (Watched &watched : watched_)
        if (watched.fd == fd) {
            epoll_event event{on ? uint32_t{EPOLLIN} : 0U, {&watched}};
            ::epoll_ctl(epoll_, EPOLL_CTL_MOD, fd, &event);
        }
}

void HelperThread::nudge() {
    (void)!::write(stop_pipe_[1], "", 1);
}

void *HelperThread::run(void *self) {
    add_library_thread();
    static_cast<HelperThread *>(self)->serve();
    return nullptr;
}

// Runs the callbacks of readable descriptors until it is stopped.
void HelperThread::serve() {
    constexpr int events_max = 16;
    epoll_event events[events_max];
    while (!stopping_.load(std::memory_order_relaxed)) {
        auto *before_sleep = before_sleep_.load(std::memory_order_acquire); // [helper-1]
        int timeout_ms = before_sleep ? before_sleep(before_sleep_argument_) : -1;
        int n = ::epoll_wait(epoll_, events, events_max, timeout_ms);
        for (int i = 0; i < n; ++i) {
            if (!events[i].data.ptr) { // nudge() or stop()
                char bytes[64];
                (void)!::read(stop_pipe_[0], bytes, sizeof bytes);
                continue;
            }
            lock_.lock(); // orders this after watch()
            const Watched watched = *static_cast<Watched *>(events[i].data.ptr);
            lock_.unlock();
            if (watched.once)
                ::epoll_ctl(epoll_, EPOLL_CTL_DEL, watched.fd, nullptr);
            watched.function(watched.argument, watched.number);
        }
    }
}

} // namespace thrum
