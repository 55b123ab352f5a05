// Point-to-point messages between node processes (docs/between_processes.md).
#pragma once

namespace thrum {

// Registers the arrive functions of messages. Must be called before any other process may send.
// Idempotent.
void begin_remote_messages();

} // namespace thrum
