// Defines every figure, column and section: how it is computed, and in which unit. Shown by the "?" buttons and at the end.

const DEFINITION_GROUPS = {
  Summary: {
    ranks: ['Ranks', 'The number of ranks in MPI_COMM_WORLD.'],
    processes: ['Processes', 'The number of operating-system processes that hosted the ranks.'],
    workers: [
      'Workers',
      'The number of threads that ran ranks, in all processes. At most this many ranks run at the same time.',
    ],
    seconds: [
      'Time',
      'From the first MPI call of any rank to the end of the last one, by the clock on the wall.',
    ],
    mpi: [
      'Time in MPI',
      'The time that all ranks spent inside MPI functions, divided by the time of all ranks from their first MPI call to the end of their last one.',
    ],
    waiting: [
      'Waiting',
      'The time for which calls of MPI functions waited for other ranks, divided by the time of all ranks. It is a part of the time in MPI.',
    ],
    ready: [
      'Waiting for a worker',
      'The time from the moment at which what a call waited for had happened until the rank ran again, divided by the time of all ranks: all workers ran other ranks. It is a part of the time in MPI, and large if there are many more ranks than workers.',
    ],
    messages: ['Messages', 'The number of point-to-point messages that all ranks sent, each counted once, at its sender. Collective and one-sided operations are not messages.'],
    bytes: ['Bytes', 'The sizes of all messages sent, added up. 1 KiB is 1,024 bytes, 1 MiB 1,024 KiB.'],
    memory: ['Memory', 'The most memory that the job had resident at one time, in bytes (1 MiB is 1,048,576 bytes). Of several processes, the sum of what each of them had.'],
    findings: ['Findings', 'The warnings and reports of the job, in the words that mpiexec printed.'],
    ended: [
      'Ended',
      'How the job ended. A job is incomplete if ranks were still running when this page was written; all figures are those up to then.',
    ],
    imbalance: [
      'Imbalance',
      'The longest computing time of any rank, divided by the mean over all ranks, minus 1. At 0 % all ranks compute equally long; at 50 % the slowest rank takes half as long again as the mean.',
    ],
  },
  Timeline: {
    timeline: [
      'Timeline',
      'What each rank did when, from the first event of the job. A row is a rank, a bar an MPI call, an arrow a message. All times are those of one clock.',
    ],
    timeline_wait: [
      'Waiting',
      'The part of the call for which the rank did not run. It is drawn at the start of the bar, as long as all waits of the call together, whenever in the call the rank waited.',
    ],
    timeline_computing: [
      'Computing',
      'Between its first and its last call, a rank computes, sleeps or is ready to run where it has no bar.',
    ],
    timeline_message: [
      'Message',
      'An arrow from the moment at which the sender sent it, in the sender\u2019s row, to the moment at which the receiver had it, in the receiver\u2019s row. It belongs to the calls of these ranks at these moments.',
    ],
    timeline_group: [
      'Collective operation',
      'The calls of all members of one collective operation, joined from rank to rank. The left edge shows when each member came, the right one when it left.',
    ],
    timeline_region: ['Region', 'A part of the program to which the program itself gave a name.'],
    timeline_region_time: ['Time', 'From the start of the region to its end.'],
    timeline_open: [
      'Never ended',
      'A call that had begun, and not ended, when the job ended: by a deadlock, a crash or a signal. It is drawn up to the right end.',
    ],
    timeline_call: ['Call', 'The MPI function, and the place that called it.'],
    timeline_begin: ['Begin', 'When the call or the region began, since the first event.'],
    timeline_time: ['Time', 'From entering to leaving the call.'],
    timeline_messages: ['Messages', 'The number of messages that were sent or received during the call, by its rank.'],
    timeline_members: [
      'Members',
      'The number of calls that belong to the same collective operation, this one included.',
    ],
    timeline_source: ['From', 'The rank that sent the message.'],
    timeline_dest: ['To', 'The rank that received it.'],
    timeline_sent: ['Sent', 'When the sender sent the message, since the first event.'],
    timeline_received: ['Received', 'When the receiver had the message, since the first event.'],
    timeline_between: ['Between', 'The time from sending to receiving. It is long if the receiver was late.'],
    timeline_bytes: ['Bytes', 'The size of the message.'],
    timeline_tag: ['Tag', 'The tag of the message.'],
  },
  'Time in MPI': {
    time: [
      'Time in MPI',
      'Where the ranks spent their time inside MPI functions. All times are sums over ranks: 512 ranks that wait 1 s each have waited 512 s.',
    ],
    by_function: ['By function', 'The calls of each MPI function, added over all places in the program.'],
    by_site: [
      'By call site',
      'The calls of each place in the program: file, line and calling function. Without debug information the place is an offset in a file (compile with -g).',
    ],
    call_place: [
      'Call',
      'The MPI function, and the place that called it. A place without a line has no debug information.',
    ],
    call_sites: ['Places', 'The number of places in the program that call this function.'],
    call_calls: ['Calls', 'The number of calls, added over all ranks.'],
    call_ranks: ['Ranks', 'The number of ranks that called the function here.'],
    call_seconds: [
      'Time',
      'The time between entering and leaving these calls, added over all ranks. The bar shows it in proportion to the longest one of the table, with its waiting part in orange.',
    ],
    call_share: ['Share', 'The time of these calls, divided by the time of all MPI calls of the table.'],
    call_wait: ['Waiting', 'The part of the time for which the calls waited for other ranks, added over all ranks.'],
    call_ready: [
      'For a worker',
      'The part of the time from the moment at which what the call waited for had happened until the rank ran again.',
    ],
    call_bytes: ['Bytes sent', 'The bytes of the messages that these calls sent, added over all ranks.'],
    call_longest: ['Longest', 'The time of the longest single call.'],
    call_longest_rank: ['Its rank', 'The rank that made the longest call.'],
  },
  'Load balance, critical path and memory': {
    balance: [
      'Load balance',
      'How each rank\u2019s time, from its first MPI call to the end of its last one, is divided. If there are more ranks than columns, a column is the mean of neighbouring ranks, and the mark across it is the longest computing time of any of them.',
    ],
    computing: [
      'Computing',
      'A rank\u2019s time outside MPI functions. It includes time in calls of the C library that block, such as sleep.',
    ],
    in_mpi: [
      'In MPI, running',
      'A rank\u2019s time inside MPI functions for which it ran: copying, matching, reducing.',
    ],
    rank_waiting: ['Waiting', 'A rank\u2019s time inside MPI functions for which it waited for other ranks.'],
    rank_ready: [
      'Waiting for a worker',
      'A rank\u2019s time from the moment at which what it waited for had happened until it ran again: all workers ran other ranks.',
    ],
    rank_seconds: ['Total', 'A rank\u2019s time from its first MPI call to the end of its last one.'],
    rank_messages: ['Messages', 'The number of messages that the rank sent.'],
    rank_bytes: ['Bytes', 'The bytes of the messages that the rank sent.'],
    rank_unexpected: [
      'Longest queue',
      'The largest number of messages that waited in the rank\u2019s unexpected queue at the same time.',
    ],
    rank_memory: [
      'Memory',
      'The most bytes that the rank\u2019s program had allocated at one time (malloc, new, ALLOCATE). Its variables, its stack and what MPI needs for it are not counted. If the rank is a process of its own: the most memory that the process had resident.',
    ],
    balance_min: ['Least', 'The smallest value of any rank, and that rank.'],
    balance_mean: ['Mean', 'The sum over all ranks, divided by the number of ranks.'],
    balance_max: ['Most', 'The largest value of any rank, and that rank.'],
    path: [
      'Critical path',
      'The chain of computing and MPI calls that determines how long the job takes. Where a rank waits, the chain goes on with the rank that it waits for. Only what is on this chain makes the job shorter when it becomes faster. Each rank keeps the largest eight parts of its chain by rank and place; what has been pushed out is in the rest.',
    ],
    path_seconds: ['Time', 'The time that the critical path spends here.'],
    path_share: ['Share', 'The time here, divided by the time of the whole critical path.'],
    path_computing: ['Computing', 'The part of the critical path that is outside MPI functions.'],
    path_mpi: ['In MPI', 'The part of the critical path that is inside MPI functions.'],
    path_rest: [
      'Other ranks',
      'The part of the critical path on ranks that have no row of their own, inside or outside MPI functions.',
    ],
  },
  Waits: {
    waits: [
      'Waits',
      'The waiting time inside MPI calls, by the call that waited and the call that ended the wait: of several operations that a call waits for, the last one. It does not include waiting for a worker.',
    ],
    wait_kind: [
      'Kind',
      'Late sender: a receive waited for its message. Late receiver: a send waited for the matching receive. Collective: a rank waited for other members of the communicator, to the last one or to the root. Other: what ended the wait is unknown, as in non-blocking collective operations, files, and messages of other processes.',
    ],
    wait_site: ['Waiting call', 'The call that waited.'],
    wait_cause: ['Ended by', 'The call, usually of another rank, that ended the wait.'],
    wait_count: ['Waits', 'The number of waits of this kind at these places, over all ranks.'],
    wait_ranks: ['Ranks', 'The number of ranks that waited.'],
    wait_seconds: ['Time', 'The time that these ranks waited, added over all of them.'],
    wait_share: ['Share', 'This time, divided by the time of all waits of the table.'],
    wait_cause_rank: [
      'Caused most by',
      'The rank that caused most of the waiting time here, and the part of the time that it caused.',
    ],
  },
  'Collective operations': {
    collectives: [
      'Collective operations',
      'How far apart the members of a communicator arrive at each blocking collective call, by the place at which the last one arrives.',
    ],
    collective_place: ['Call', 'The collective function, and the place that called it.'],
    collective_members: ['Members', 'The number of members of the communicator.'],
    collective_calls: [
      'Operations',
      'The number of operations. All members of the communicator take part in each, so they are fewer than calls.',
    ],
    collective_spread: [
      'Spread',
      'The time from the first member\u2019s arrival to the last one\u2019s, added over all operations.',
    ],
    collective_mean: ['Mean', 'The spread, divided by the number of operations.'],
    collective_longest: ['Longest', 'The largest spread of a single operation.'],
    collective_last: [
      'Came last',
      'The ranks that arrived last: how often, and how long after the member before them, added over these operations. At most 16 ranks are recorded for each call; the page shows three, the others one click away.',
    ],
    stragglers: [
      'Ranks that come last',
      'The ranks that arrived last at collective operations, added over all calls above.',
    ],
    straggler_times: ['Times last', 'The number of operations at which the rank arrived last.'],
    straggler_seconds: [
      'Time',
      'How long after the member before it the rank arrived, added over the operations at which it was last.',
    ],
    straggler_places: [
      'Places',
      'The number of collective calls of the table above at which the rank is among those that came last.',
    ],
  },
  Communication: {
    communication: ['Communication', 'Which rank sent how much to which other rank, in point-to-point messages of which sizes.'],
    matrix: [
      'Communication matrix',
      'Rows are the ranks that sent, columns the ranks that received. A cell\u2019s colour shows its messages or bytes on a logarithmic scale from the least to the most of the visible cells; empty cells sent nothing. If a cell stands for several ranks, their figures are added.',
    ],
    matrix_sums: [
      'Sums',
      'The bars on the right are what each row sent to all ranks, the bars below what each column received from all ranks, on linear scales from 0 to the largest visible bar.',
    ],
    pair_source: ['From', 'The rank, or the block of neighbouring ranks, that sent.'],
    pair_dest: ['To', 'The rank, or the block of neighbouring ranks, that received.'],
    pair_messages: ['Messages', 'The number of messages from the one to the other.'],
    pair_bytes: ['Bytes', 'The bytes of these messages.'],
    pairs: ['Largest pairs', 'The pairs of ranks, or of blocks of ranks, with the most bytes; at most 500 of them.'],
    sizes: [
      'Message sizes',
      'Messages by their size. Each bar has the sizes from a power of 2 bytes to just below the next one; empty messages have a bar of their own.',
    ],
    size_range: ['Size', 'The sizes of the messages, in bytes (1 KiB is 1,024 bytes).'],
    size_messages: ['Messages', 'The number of messages of these sizes.'],
    size_bytes: ['Bytes', 'The bytes of all messages of these sizes.'],
    queue: [
      'Unexpected queue',
      'The largest number of messages that any one rank had in its unexpected queue, over time. A message is unexpected if it arrives before a matching receive is posted; it then occupies memory until it is received.',
    ],
    queue_from: ['From', 'The begin of the interval, from the start of the job.'],
    queue_most: [
      'Longest queue',
      'The largest number of messages in any one rank\u2019s unexpected queue in this interval.',
    ],
  },
  Files: {
    files: ['Files', 'The files that ranks opened with MPI_File_open, and what they read and wrote.'],
    file_name: ['File', 'The name that the program gave.'],
    file_reads: ['Reads', 'The number of calls that read from the file, over all ranks.'],
    file_writes: ['Writes', 'The number of calls that wrote to the file, over all ranks.'],
    file_bytes_read: ['Bytes read', 'The bytes that these calls read.'],
    file_bytes_written: ['Bytes written', 'The bytes that these calls wrote.'],
    file_seconds: ['Time', 'The time in the calls for this file, added over all ranks: in those that read and write, and in those that open, close, synchronize and resize it. The time in a later MPI_Wait is not counted.'],
  },
  Comparison: {
    ratio: ['Ratio', 'The second run\u2019s value, divided by the first one\u2019s. Below 1 the second run has less.'],
    compared_calls: [
      'Calls, before and after',
      'Calls of the two runs are the same if function, file and calling function are the same; the line may have moved. Calls of several lines in one caller are added.',
    ],
    compared_lines: [
      'Call',
      'The MPI function, its file, its line in the first and in the second run, and the caller.',
    ],
    compared_first: ['First', 'The time of these calls in the first run, added over its ranks.'],
    compared_second: ['Second', 'The time of these calls in the second run, added over its ranks.'],
    compared_change: [
      'Change',
      'The second time minus the first. The bar shows it in proportion to the largest change of the table: to the left the second run is faster, to the right slower.',
    ],
    compared_balance: ['Load balance', 'The division of each rank\u2019s time in both runs, on one scale.'],
    compared_waits: [
      'Waits, before and after',
      'Waits of the two runs are the same if the kind is the same and function, file and calling function of both calls are; the lines may have moved.',
    ],
  },
};

const DEFINITIONS = Object.assign({}, ...Object.values(DEFINITION_GROUPS));
