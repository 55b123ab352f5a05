// NodeWatch: how processes of different nodes notice each other's end, whoever has started them and
// also while nobody sends anything: connections (TCP) on which nothing is said. The kernel closes
// those of a process that ends, in whatever way, and answers for one that is stopped or computes;
// when a node is gone nobody answers (keep-alive). Who waits pays nothing.
//
//   node 0   node 1   node 2   node 3      Each process has connections with one process of the
//   nodes
//      a ---> c ---> e ---> f              at the distances 1, 2, 4 ... (or with several, where
//      these b ---> d      |      |              have more); both ends watch.
//      +-------------+ ...
//
// Invariants
// 1. Among the processes that are not known to be lost each has a connection with one of another
//    node: what is lost is made up for (watch_targets() is computed again).
// 2. Who connects is known by words that only the processes of the job have been told.
// 3. Best effort: a process that cannot be reached so (a firewall) is not watched. Its loss is seen
//    when something that is sent to it fails, or told by the launcher.
#pragma once
#include "base/sleeping_lock.h"
#include "fabric/helper_thread.h"
#include "fabric/transport.h"

#include <deque>
#include <span>
#include <string>
#include <vector>

namespace thrum {

// Of which processes `process` seeks the connection. `nodes`: of all processes; -1: it is lost.
std::vector<int> watch_targets(int process, std::span<const int> nodes);

class NodeWatch {
public:
    NodeWatch(HelperThread &helper, PacketSink &sink) : helper_(helper), sink_(sink) {}

    // Called with what others need in order to connect with this process; "": they cannot.
    std::string open();
    // What other processes' open() have returned. Before begin().
    void set_address(int process, std::string address);
    // `nodes`: of all processes.
    void begin(int this_process, std::vector<int> nodes);
    // `process` is lost, as somebody has found out. Any thread, does not wait.
    void note_loss(int process);
    // When the helper thread has been stopped. Idempotent.
    void close();

    // Around fork(): the child must not keep the connections of this process open.
    void before_fork() { lock_.lock(); }

    void after_fork() { lock_.unlock(); }

    void leave_in_child();

private:
    // Proves that both ends are of the job.
    struct Words {
        uint64_t of_accepting = 0;
        uint64_t of_connecting = 0;
    };

    struct Greeting {
        uint64_t word;
        int32_t process;
        int32_t reserved;
    };

    struct Address {
        Words words;
        int port = 0;
        std::vector<std::string> hosts;
    };

    struct Link {
        enum class State : uint8_t { Connecting, Accepted, Up, Closed } state;
        int fd = -1;
        int process = -1;       // Accepted: not known yet
        size_t next_host = 0;   // Connecting, as the next
        bool was_there = false; // somebody has accepted, and ended without a word
    };

    static void on_connection(void *self, int);
    static void on_link(void *self, int number);
    void accept_connections();
    int serve(Link &link);
    void seek_connections();
    bool connect_with(int process, size_t host, bool was_there);
    void add_link(const Link &link);
    static void close_link(Link &link);

    Greeting greeting(uint64_t word) const { return {word, this_process_, 0}; }

    HelperThread &helper_;
    PacketSink &sink_;
    SleepingLock lock_; // guards the rest
    int this_process_ = -1;
    Words words_;
    int listener_ = -1;
    std::vector<int> nodes_; // of all processes; -1: lost
    std::vector<Address> addresses_;
    std::deque<Link> links_; // these stay, and are known by their numbers
};

} // namespace thrum
