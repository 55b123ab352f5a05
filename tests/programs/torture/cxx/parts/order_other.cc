#include <string>
#include <vector>

// Constructed on first use, whichever file's initialisers run first.
std::vector<std::string> &initialisation_log() {
    static std::vector<std::string> log;
    return log;
}

static int note(const char *what) {
    initialisation_log().push_back(what);
    return 5;
}

int of_other_file = note("other");
int &reference_to_other = of_other_file;
