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

// One row: an option of another launcher.
struct Habit {
    const char *names;  // without dashes, separated by blanks; one letter: one dash
    const char *source; // whose option it is
    int values;         // words that follow it
    HabitAction action;
    const char *text;
};

// Returns the row of `word` ("--mca", "-genv", "--rank-by=slot"), or nullptr. Rows of kind Same are
// only for the table, because the option is ours.
const Habit *find_habit(const std::string &word);

// Returns our words that a row of kind Translate stands for, with `values` filled in.
std::vector<std::string> translate(const Habit &habit, const std::vector<std::string> &values);

// Returns all names, for suggestions.
std::vector<std::string> names_of_habits();

// Returns the whole table as Markdown.
std::string table_of_habits();

} // namespace mpiexec
