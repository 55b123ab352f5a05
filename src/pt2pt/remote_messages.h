// Point-to-point messages between node processes (docs/between_processes.md).
#pragma once

namespace thrum {

// Makes this process take in messages; before any of the others may send. Idempotent.
void begin_remote_messages();

} // namespace thrum
