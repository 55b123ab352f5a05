// The options of other launchers (Open MPI's mpirun, MPICH's Hydra and gforker, Intel MPI's mpirun,
// Slurm's srun) and what mpiexec does with each. docs/coming_from_other_mpis.md shows the table.
#pragma once
#include <string>
#include <vector>

namespace mpiexec {

enum class HabitAction {
    Same,      // our option of this name means the same; `text` says what
    Translate, // `text` is our spelling: blanks separate words, $1 and $2 stand for the values
    Accept,    // leaving it out changes nothing; `text` says why
    Ignore,    // what it asks for does not happen: the job says so once; `text` says why
    Refuse     // the job would not be what was asked for; `text` says what to do instead
};

struct Habit {
    const char *names;  // without dashes, separated by blanks; one letter: one dash
    const char *source; // whose option it is
    int values;         // words that follow it
    HabitAction action;
    const char *text;
};

// The row of `word` ("--mca", "-genv", "--rank-by=slot"), or nullptr. Rows of kind Same are only
// for the table.
const Habit *find_habit(const std::string &word);

// The words of ours that a row of kind Translate stands for.
std::vector<std::string> translate(const Habit &habit, const std::vector<std::string> &values);

std::vector<std::string> names_of_habits();

// The whole table as Markdown.
std::string table_of_habits();

} // namespace mpiexec
