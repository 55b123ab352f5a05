// A job that is observed: reads the observations of its processes again and again, and writes into
// them to hold its ranks.
#pragma once
#include "observation/mapping.h"
#include "view.h"

#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace live {

class ObservedJob {
public:
    // `directory` may still be empty: the processes have not begun. `title` names the program; "":
    // as its process does.
    ObservedJob(std::string directory, std::string symbolizer, std::string title);
    ~ObservedJob();
    ObservedJob(const ObservedJob &) = delete;
    ObservedJob &operator=(const ObservedJob &) = delete;

    // Returns what the ranks do now. Without ranks: no process has begun yet.
    View look();

    // Returns whether the processes whose observations have been read have all ended.
    bool has_ended() const;

    // Hold the ranks at their next calls, and let them go on. While they are held, renew_hold()
    // must be called every second.
    void hold();
    void go_on();
    void renew_hold();

    bool is_held() const { return is_held_; }

    // Lets a rank make the call at which it is held; no_peer: the next one in the order of ranks
    // that is held. Returns a sentence about what has happened.
    std::string step(int rank);
    // Makes steps until a message has been sent or received.
    std::string step_message();

    // Returns what is in the queues of the ranks. Throws std::runtime_error if a process does not
    // answer.
    std::vector<QueueEntry> queues();

private:
    struct Process;

    struct Totals {
        double at = 0;
        uint64_t calls = 0, messages = 0, bytes = 0;
    };

    void find_processes();
    void read_places(Process &process);
    void read_process(Process &process, View &view);
    void read_rank(const Process &process, const observation::Clock &clock,
                   const observation::observe::RankRecord &record, RankView &rank) const;
    void set_rates(View &view);
    void tell(Process &process);
    int next_held(const View &view, int after) const;
    View await_held();
    enum class Step { None, Call, Message };
    // Returns a sentence, and how far it came.
    std::string make_step(int rank, Step &step);

    std::string directory_, symbolizer_, title_;
    std::map<std::string, std::unique_ptr<Process>> processes_; // by path
    std::vector<Site> sites_;
    std::map<std::pair<std::string, uint64_t>, int> site_of_place_; // by function, path and offset
    Totals before_;
    double calls_rate_ = -1, messages_rate_ = -1, bytes_rate_ = -1;
    bool is_held_ = false;
    int last_step_ = -1;
};

} // namespace live
