// Looks for mpi4py beside a Python interpreter (command_line/python_hint.h).
#include "command_line/python_hint.h"

#include <cstdlib>
#include <filesystem>
#include <fmt/core.h>

namespace mpiexec {
namespace {

namespace fs = std::filesystem;

// Which modules of mpi4py are installed: PyPI's wheel has one for each of two other MPIs.
struct Modules {
    bool of_others = false, any_other = false;

    // Looks into PREFIX/lib/python3.N/site-packages, and Debian's dist-packages.
    void look_into(const fs::path &prefix) {
        std::error_code error;
        for (const fs::directory_entry &version : fs::directory_iterator(prefix / "lib", error))
            if (version.path().filename().string().starts_with("python3"))
                for (const char *packages : {"site-packages", "dist-packages"})
                    look_at(version.path() / packages / "mpi4py");
    }

private:
    void look_at(const fs::path &package) {
        std::error_code error;
        for (const fs::directory_entry &file : fs::directory_iterator(package, error)) {
            const std::string name = file.path().filename().string();
            if (!name.starts_with("MPI.") || !name.ends_with(".so"))
                continue;
            const bool of_other = name.starts_with("MPI.mpich") || name.starts_with("MPI.openmpi");
            of_others |= of_other;
            any_other |= !of_other;
        }
    }
};

} // namespace

std::string hint_for_python(const Options &options) {
    for (const ProgramSpec &spec : options.programs) {
        const fs::path program = spec.path;
        if (!program.filename().string().starts_with("python"))
            continue;
        // The interpreter of a virtual environment is a link in its bin folder.
        Modules modules;
        modules.look_into(program.parent_path().parent_path());
        std::error_code error;
        if (!modules.of_others)
            modules.look_into(fs::canonical(program, error).parent_path().parent_path());
        if (const char *home = getenv("HOME"); home && !modules.of_others)
            modules.look_into(fs::path(home) / ".local");
        if (modules.of_others && !modules.any_other)
            return fmt::format(
                "this Python's mpi4py is PyPI's wheel, which works only with MPICH and Open MPI; "
                "if the program imports it, build it for this MPI: MPI4PY_BUILD_MPIABI=1 MPICC={} "
                "{} -m pip install --force-reinstall --no-cache-dir --no-binary=mpi4py mpi4py",
                (fs::read_symlink("/proc/self/exe", error).parent_path() / "mpicc").string(),
                spec.path);
    }
    return "";
}

} // namespace mpiexec
