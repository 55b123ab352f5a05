// Image: a rank's private copy of the program's globals, made by cloning what ld.so has loaded
// (docs/images.md). The originals are rank 0's; every other rank has a clone of each private
// object: text mapped again from the same file, writable pages copied from a template that was
// taken before any constructor ran, and each relocated slot that leads into a private object moved
// along.
//
// A program compiled with --privatize needs no clones: an image then is a block of private data
// (privatized.h).
//
// Order of calls: capture() in the library's constructor; reserve_images() and make_image() from
// __libc_start_main; run_constructors() .. run_destructors() on the rank's own task.
#pragma once
#include <cstddef>
#include <cstdint>

namespace thrum {

struct FrontLibraries;
struct Image;

// A C-library function whose slot in private objects gets `function` instead.
struct FunctionOverride {
    const char *name;
    void *function;
};

// A C-library variable of which each rank has its own: at `offset` of the memory that the rank
// gives to make_image(). If the executable holds the variable as a COPY, that copy is used instead.
struct VariableOverride {
    const char *name;
    size_t offset;
};

// The functions and variables of the C library that ranks have of their own (src/libc). The arrays
// stay alive.
struct Overrides {
    const FunctionOverride *functions;
    size_t function_count;
    const VariableOverride *variables;
    size_t variable_count;
};

// Examines what ld.so has loaded, takes the template, and writes the overrides into the originals.
// Must run before any constructor of the program. What cannot be cloned is refused: a message names
// the object, the reason and the remedy, and the exit code is 2. `shared_list`: further libraries
// of which all ranks share one instance, by the beginning of their file names, separated by colons;
// or nullptr.
void capture(const Overrides &overrides, const char *shared_list = nullptr);

// Puts profiling tools before libmpi. This is all that a process of one rank needs; capture() does
// it, too.
void let_tools_intercept(const char *shared_list);

// Returns the bytes of memory that an image of `program` needs at once: the pages that are written
// when it is made.
size_t image_bytes(int program);
// Returns false if images are blocks of variables (--privatize), which are smaller than clones.
bool images_are_clones();

// Reserves address space for counts[p] clones of each program p, and takes into the template what
// the C library's constructor has set since capture(). Refuses (exit code 2) a job that needs more
// mappings than the kernel allows.
void reserve_images(const int *counts, int program_count);

// Makes the next of the reserved clones; `number` (> 0) is its number in reports.
// `variables` is the rank's memory for VariableOverride; it lives as long as the image. Ends the
// process with a message when the kernel refuses a mapping.
Image *make_image(int number, void *variables, int program = 0);

// The next functions are for ranks that are added to a running job. The caller makes one such call
// at a time. Announces, before reserve_images(), that ranks may be added: with --privatize at most
// about `count` at a time (clones have no such limit).
void keep_room_for_more_images(int count);
// Reserves room for `count` more images of a program. Returns false, and the reason in `message`,
// if that fails.
bool reserve_more_images(int count, int program, char *message, size_t message_bytes);
// Returns the number that make_image() was given; 0 for the originals (nullptr).
int image_number(const Image *image);
// Frees an image, whose memory the next image may use. No code of the image may run any longer.
void remove_image(Image *image);

// Returns whether a private object that the process has loaded refers to one of these functions.
// May be called before the C library's constructor and before capture().
bool refers_to(const char *const *functions, size_t count, const char *shared_list);

// Which MPI the executable needs, itself or by its libraries, so that it is not only preloaded.
struct NeededMpi {
    bool libmpi = false;                   // libmpi_abi, not through a front
    const FrontLibraries *front = nullptr; // nullptr: none
};

// May be called when refers_to() may.
NeededMpi mpi_needed_by_program();

// Loads the executable at `path` beside the process's own, for ranks that run another program, or
// finds it if it is loaded already. Returns its number; the process's own is number 0. Refuses
// (exit code 2) what cannot be loaded like this. `start_main`: the function that its _start calls
// as __libc_start_main. Call after capture() and the constructors of the originals, and before
// ranks run.
int load_program(const char *path, void *start_main);

// Does the same while ranks run. Returns -1, and the reason in `message`, if the program is
// refused.
int load_more_program(const char *path, void *start_main, char *message, size_t message_bytes);

// Returns the _start of `image` if that is an image of a program other than the process's own; else
// nullptr.
void *entry_point(const Image *image);
// Looks up `name` in the global scope of such an image; nullptr: not found. Finds the real
// functions of the C library.
void *find_global(const Image *image, const char *name);
// Looks up `name` in the program of any image (nullptr: the process's own), for translate(). Safe
// in a signal handler.
const void *original_global(const Image *image, const char *name);
// Returns how many libraries ranks may have loaded with dlopen(), by number.
int late_library_count();
// Looks up `name` in the copy that `image` has of such a library; nullptr: it has none, or the name
// is not defined there. Safe in a signal handler.
void *global_of_late_library(const Image *image, int number, const char *name);

// Returns whether the process or a further program has loaded a library whose path passes `test`.
bool is_loaded_at_start(bool (*test)(const char *path));

// Shows the images to gdb, if they are few enough for it. Call when all images of the start are
// made.
void publish_images();

// Sets the image of the calling task. Called at the start of each task and thread of a rank, before
// any code of the program runs there; until then a new thread has the originals (nullptr). Calls of
// shared libraries into the program (its own malloc, say) and dl_iterate_phdr depend on it. It sets
// gs base, too; code that switches tasks must keep gs base at gs_base_of(image).
void set_current_image(const Image *image);
// Returns the image of the calling task; nullptr for the originals.
const Image *current_image();
// Returns why a program that was compiled with --privatize is cloned all the same, for messages;
// otherwise nullptr.
const char *why_cloned();
// Returns the distance to the image's private data in a program compiled with --privatize;
// otherwise 0.
uintptr_t gs_base_of(const Image *image);

// Returns the address in `image` of what is at `address` in the originals (nullptr image: the
// originals). An address outside of the program's private objects is returned as it is.
void *translate(const Image *image, const void *address);
// Returns the address in the original of what is at `address`, in whichever image; `address` itself
// if it is in none.
const void *original_of(const void *address);
// Returns whether the address is in the calling rank's block of variables (--privatize).
bool is_in_block(const void *address);
// Returns the COPY of C-library variable `name` in `image`, or nullptr if the executable has none.
void *copied_variable(const Image *image, const char *name);

// Runs DT_PREINIT_ARRAY, DT_INIT and DT_INIT_ARRAY of a clone's objects, dependencies first. Calls
// functions of the program on the calling task.
void run_constructors(const Image &image, int argc, char **argv, char **environment);
// Runs the destructors in the reverse order; nullptr: those of the originals.
void run_destructors(const Image *image);
// Keeps ld.so from running the originals' destructors again when the process exits.
void disarm_original_destructors();

// Copies the image's own thread-local initial values (they may hold addresses of its globals) into
// the static TLS block of a new thread whose FS base is `thread_pointer`.
void initialise_tls(const Image *image, void *thread_pointer);

// The place of an address in a file, for reports and the unwinder.
struct Location {
    const char *path = nullptr; // of the object's file; nullptr: in none
    uintptr_t offset = 0;       // address as the file numbers it (what addr2line wants)
    int clone = 0;              // number of the clone; 0: an original or a shared object
};

// Returns the object and offset of `address`. Safe in a signal handler.
Location locate(const void *address);

} // namespace thrum
