// The search for mpi4py's modules (start/mpi4py.h).
#include "start/mpi4py.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <vector>

namespace mpiexec {
namespace {

using std::filesystem::path;

std::string variable(const char *name) {
    const char *value = getenv(name);
    return value ? value : "";
}

// Appends DIRECTORY/lib/python3.X/site-packages and dist-packages, for the version of the
// interpreter or, if its name does not say that, for all.
void add_packages(std::vector<path> &places, const path &directory, const std::string &version) {
    std::error_code error;
    for (const auto &entry : std::filesystem::directory_iterator(directory / "lib", error)) {
        const std::string name = entry.path().filename();
        if (name != "python3" &&
            (version.empty() ? !name.starts_with("python3.") : name != version))
            continue;
        for (const char *packages : {"site-packages", "dist-packages"})
            places.push_back(entry.path() / packages);
    }
}

// Returns the directories in which Python looks for packages, in its order. A virtual environment
// hides those of the user and of the system.
std::vector<path> package_directories(const path &python) {
    std::vector<path> places;
    std::istringstream list(variable("PYTHONPATH"));
    for (std::string place; std::getline(list, place, ':');)
        if (!place.empty())
            places.emplace_back(place);
    std::error_code error;
    const path real = std::filesystem::canonical(python, error);
    std::string version = real.filename();
    if (version.find('.') == std::string::npos)
        version.clear();
    const path prefix = python.parent_path().parent_path();
    if (std::filesystem::exists(prefix / "pyvenv.cfg", error)) {
        add_packages(places, prefix, version);
        return places;
    }
    const std::string base = variable("PYTHONUSERBASE"), home = variable("HOME");
    if (!base.empty() || !home.empty())
        add_packages(places, base.empty() ? path(home) / ".local" : path(base), version);
    const path real_prefix = real.parent_path().parent_path();
    if (real_prefix == "/usr")
        add_packages(places, "/usr/local", version);
    add_packages(places, real_prefix, version);
    return places;
}

// Returns the module in the directory `package` whose name begins so; "": there is none.
std::string find_module(const path &package, const std::string &begin) {
    std::error_code error;
    for (const auto &entry : std::filesystem::directory_iterator(package, error)) {
        const std::string name = entry.path().filename();
        if (name.starts_with(begin) && name.ends_with(".so"))
            return entry.path();
    }
    return "";
}

} // namespace

bool is_python(const std::string &file) {
    const std::string name = path(file).filename();
    return name.starts_with("python") &&
           name.find_first_not_of("0123456789.", 6) == std::string::npos;
}

std::string mpi4py_module(const std::string &python) {
    std::string wanted = variable("MPI4PY_MPIABI");
    std::erase_if(wanted, [](char c) { return c == ' ' || c == '-' || c == '_'; });
    std::ranges::transform(wanted, wanted.begin(), [](char c) { return std::tolower(c); });
    if (wanted == "impi")
        wanted = "mpich";
    std::error_code error;
    for (const path &place : package_directories(python)) {
        const path package = place / "mpi4py";
        if (!std::filesystem::is_directory(package, error))
            continue;
        // This is the mpi4py that is imported: the wheel, or a build for one MPI.
        for (const char *interface : {"openmpi", "mpich"})
            if (const std::string module =
                    find_module(package, std::string("MPI.") + interface + ".");
                !module.empty() && (wanted.empty() || wanted == interface))
                return module;
        return find_module(package, "MPI.cpython-");
    }
    return "";
}

} // namespace mpiexec
