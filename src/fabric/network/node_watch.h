// NodeWatch: how processes of different nodes notice each other's end, whatever launcher started
// them and even while nothing is sent. They use silent TCP connections. The kernel closes those of
// a process that ends in any way, and answers for one that is stopped or computes. When a node is
// gone nothing answers (keep-alive). Waiting costs nothing.
//
//   node 0   node 1   node 2   node 3      Each process is connected with one process of the
//      a ---> c ---> e ---> f              nodes at the distances 1, 2, 4 ... (or with several
//      b ---> d      |      |              where these have more); both ends watch.
//      +-------------+     ...
//
// Invariants
// 1. Among the processes that are not known to be lost each has a connection with one of another
//    node: lost connections are replaced (watch_targets() is computed again).
// 2. Connecting processes identify themselves by secret words that only the processes of the job
//    know.
// 3. Best effort: a process that cannot be reached this way (a firewall) is not watched. Its loss
//    is detected when a send to it fails, or reported by the launcher.
#pragma once
#include "base/sleeping_lock.h"
#include "fabric/packet/transport.h"
#include "fabric/waking/helper_thread.h"

#include <deque>
#include <span>
#include <string>
#include <vector>

namespace thrum {

// Returns the processes to which `process` should connect. `nodes`: node of each process; -1: it is
// lost.
std::vector<NodeProcess> watch_targets(NodeProcess process, std::span<const int> nodes);

// The watch of one process. Its connections are served by the helper thread.
class NodeWatch {
public:
    NodeWatch(HelperThread &helper, PacketSink &sink) : helper_(helper), sink_(sink) {}

    // Opens the listening socket. Returns the data that others need in order to connect; "": they
    // cannot.
    std::string open();
    // Sets what another process's open() has returned. Call it before begin().
    void set_address(NodeProcess process, std::string address);
    // Starts watching. `nodes`: node of each process.
    void begin(NodeProcess this_process, std::vector<int> nodes);
    // Records that `process` is lost, as detected elsewhere. Any thread may call this; it does not
    // wait.
    void note_loss(NodeProcess process);
    // Closes all connections. Call it when the helper thread has been stopped. Idempotent.
    void close();

    // Called around fork(): the child must not keep the connections of this process open.
    void before_fork() { lock_.lock(); }

    void after_fork() { lock_.unlock(); }

    void leave_in_child();

private:
    // Secret words, by which both ends prove that they belong to the job.
    struct Words {
        uint64_t of_accepting = 0;
        uint64_t of_connecting = 0;
    };

    // The first and only data on a connection, from each side.
    struct Greeting {
        uint64_t word;
        NodeProcess process;
        int32_t reserved;
    };

    // What a process has published: open() of another process.
    struct Address {
        Words words;
        int port = 0;
        std::vector<std::string> hosts;
    };

    // A connection.
    struct Link {
        enum class State : uint8_t { Connecting, Accepted, Up, Closed } state;
        int fd = -1;
        NodeProcess process;    // Accepted: not known yet
        size_t next_host = 0;   // Connecting, like the next
        bool was_there = false; // a process has accepted, and ended silently
    };

    static void on_connection(void *self, int);
    static void on_link(void *self, int number);
    // The following are called by the helper thread, or with lock_ held.
    void accept_connections();
    NodeProcess serve(Link &link);
    void seek_connections();
    bool connect_with(NodeProcess process, size_t host, bool was_there);
    void add_link(const Link &link);
    static void close_link(Link &link);

    Greeting greeting(uint64_t word) const { return {word, this_process_, 0}; }

    HelperThread &helper_;
    PacketSink &sink_;
    SleepingLock lock_; // guards the rest
    NodeProcess this_process_;
    Words words_;
    int listener_ = -1;
    std::vector<int> nodes_; // node of each process; -1: lost
    std::vector<Address> addresses_;
    std::deque<Link> links_; // these do not move, and are identified by their numbers
};

} // namespace thrum
