// TaskTray: where a task finds what others leave for it while it is awake (pt2pt/rank_tray.h).
// While it spins it looks there itself; before it suspends it closes the tray, so that from then
// on whoever has something for it wakes it.
#pragma once

namespace thrum {

struct Task;

class TaskTray {
public:
    // Takes in what has arrived; returns whether there was anything. Called by the task while it
    // spins.
    virtual bool look() = 0;
    // Takes in what has arrived, and lets nothing more be left. Any thread may call it.
    virtual void close() = 0;

protected:
    ~TaskTray() = default;
};

// Sets the function that a fiber calls which has waited settings().tray_after times for another
// core. It opens a tray (Task::tray), or does nothing.
using OpenTrayFunction = void(Task &);
void set_open_tray_function(OpenTrayFunction *function);

// Sets the function that a task with an OS thread calls before it suspends.
using BeforeSuspension = void(Task &);
void set_before_suspension(BeforeSuspension *function);

} // namespace thrum
