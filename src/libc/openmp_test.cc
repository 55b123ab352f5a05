// Tests the number of threads that OpenMP gets where ranks outnumber cores.
#include "base/environment_variables.h"
#include "base/settings.h"
#include "fiber/usable_cores.h"
#include "libc/openmp.h"

#include <gtest/gtest.h>
#include <initializer_list>
#include <string>
#include <vector>

namespace thrum {
namespace {

// The environment of a job of so many ranks, with room for two more entries.
class JobEnvironment {
public:
    JobEnvironment(int ranks, std::initializer_list<std::string> variables) : texts_(variables) {
        texts_.push_back("THRUM_RANKS=" + std::to_string(ranks));
        texts_.push_back("THRUM_PROGRAMS=as if mpiexec had started it");
        for (std::string &text : texts_)
            entries_.push_back(text.data());
        entries_.resize(entries_.size() + 3);
        read_settings(entries_.data());
    }

    std::string value_of(const char *name) const {
        const char *value = find_variable(entries_.data(), name);
        return value ? value : "";
    }

    void choose(int room = 2) { choose_openmp_defaults(entries_.data(), room); }

private:
    std::vector<std::string> texts_;
    std::vector<char *> entries_;
};

const int many = usable_cores() + 1;

TEST(OpenMpDefaults, AreOneThreadThatSleepsIfRanksOutnumberCores) {
    JobEnvironment job(many, {"HOME=/"});
    job.choose();
    EXPECT_EQ(job.value_of("OMP_NUM_THREADS"), "1");
    EXPECT_EQ(job.value_of("OMP_WAIT_POLICY"), "passive");
    EXPECT_EQ(job.value_of("HOME"), "/");
}

TEST(OpenMpDefaults, LeaveASingleRankAlone) {
    JobEnvironment job(1, {});
    job.choose();
    EXPECT_EQ(job.value_of("OMP_NUM_THREADS"), "");
    EXPECT_EQ(job.value_of("OMP_WAIT_POLICY"), "");
}

TEST(OpenMpDefaults, KeepWhatTheUserHasChosen) {
    JobEnvironment threads(many, {"OMP_NUM_THREADS=3"});
    threads.choose();
    EXPECT_EQ(threads.value_of("OMP_NUM_THREADS"), "3");
    EXPECT_EQ(threads.value_of("OMP_WAIT_POLICY"), "passive");
    for (const char *own : {"OMP_WAIT_POLICY=active", "GOMP_SPINCOUNT=9", "KMP_BLOCKTIME=1"}) {
        JobEnvironment waiting(many, {own});
        waiting.choose();
        EXPECT_EQ(waiting.value_of("OMP_NUM_THREADS"), "1") << own;
        EXPECT_NE(waiting.value_of("OMP_WAIT_POLICY"), "passive") << own;
    }
}

TEST(OpenMpDefaults, AddNoMoreEntriesThanThereIsRoomFor) {
    JobEnvironment one(many, {});
    one.choose(1);
    EXPECT_EQ(one.value_of("OMP_NUM_THREADS"), "1");
    EXPECT_EQ(one.value_of("OMP_WAIT_POLICY"), "");
    JobEnvironment none(many, {});
    none.choose(0);
    EXPECT_EQ(none.value_of("OMP_NUM_THREADS"), "");
}

} // namespace
} // namespace thrum
