// A job that is observed: reads the observations of its processes again and again.
#pragma once
#include "observation/ranks.h"
#include "observed_process.h"
#include "watched_job.h"

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace live {

class JobWithObservations : public WatchedJob {
public:
    // `directory` may still be empty: the processes have not begun. `title` names the program; "":
    // as its process does.
    JobWithObservations(std::string directory, std::string title);
    ~JobWithObservations() override;
    JobWithObservations(const JobWithObservations &) = delete;
    JobWithObservations &operator=(const JobWithObservations &) = delete;

    View look() override;
    bool has_ended() const override;

    const std::string &directory() const { return directory_; }

    // Looks for processes that have begun since the last time.
    void find_processes();

    // Returns those that have been found.
    const std::vector<ObservedProcess *> &processes() const { return processes_; }

    // A rank of the view, and where it was at the last look.
    struct RankInProcess {
        const ObservedProcess *process; // nullptr: in none that runs
        observation::observe::RankRecord *record;
    };

    RankInProcess find(int rank) const;

    // Returns the number in the view of the rank with this number in the observations; no_peer:
    // none.
    int number_in_view(int world_rank) const;

private:
    struct Found;

    void read_places(Found &found);
    void read_new_places(Found &found);
    void read_process(Found &found, View &view);
    void set_rates(View &view);
    void number_ranks();

    std::string directory_, symbolizer_, title_;
    std::map<std::string, std::unique_ptr<Found>> found_; // by path
    std::vector<ObservedProcess *> processes_;            // those of them that are mapped
    observation::RankNumbers numbers_;
    std::vector<Site> sites_;
    std::map<std::pair<std::string, uint64_t>, int> site_of_place_; // by function, path and offset
    // Rates, and the totals from which on the next ones are made.
    Totals before_;
    double before_s_ = 0;
    double calls_rate_ = -1, messages_rate_ = -1, bytes_rate_ = -1;
};

} // namespace live
