#!/bin/bash
# A throw-away Slurm on this machine, for tests: slurmctld, N slurmd (a port of 127.0.0.1 each, which Debian's
# build allows) and munge, as root. Everything lies in DIRECTORY; SLURM_CONF=DIRECTORY/slurm.conf makes srun use it.
# Usage: slurm.sh up DIRECTORY N CPUS | slurm.sh down DIRECTORY
set -euo pipefail
directory=${2:?directory}
conf=$directory/slurm.conf

write_configuration() { # N CPUS
    local host i
    host=$(hostname -s)
    cat <<CONF
ClusterName=test
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$port
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$directory/munge/socket
CredType=cred/munge
StateSaveLocation=$directory/state
SlurmctldPidFile=$directory/slurmctld.pid
SlurmctldLogFile=$directory/log/slurmctld
SlurmdPidFile=$directory/slurmd.%n.pid
SlurmdSpoolDir=$directory/spool.%n
TmpFS=$directory/tmp.%n
SlurmdLogFile=$directory/log/slurmd.%n
SlurmdParameters=config_overrides
MpiDefault=none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SwitchType=switch/none
ReturnToService=2
PropagateResourceLimits=NONE
KillWait=2
SlurmdTimeout=10
MessageTimeout=10
CONF
    for ((i = 0; i < $1; i++)); do
        echo "NodeName=node$i NodeHostname=$host NodeAddr=127.0.0.1 Port=$((port + 1 + i)) CPUs=$2 RealMemory=1000"
    done
    echo "PartitionName=test Nodes=ALL Default=YES MaxTime=60 State=UP OverSubscribe=YES"
}

up() { # N CPUS
    local i
    port=$((20000 + $$ % 10000))
    mkdir -p "$directory"/{state,log,munge}
    chmod 755 "$directory" "$directory/munge"
    dd if=/dev/urandom of="$directory/munge/key" bs=128 count=1 status=none
    chmod 400 "$directory/munge/key"
    munged --force --key-file="$directory/munge/key" --socket="$directory/munge/socket" --pid-file="$directory/munge.pid" \
        --log-file="$directory/log/munged" --seed-file="$directory/munge/seed" --num-threads=2
    write_configuration "$1" "$2" >"$conf"
    # slurmd looks for cgroups even where it uses none; version 1 needs no more than this.
    echo CgroupPlugin=cgroup/v1 >"$directory/cgroup.conf"
    setsid slurmctld -f "$conf" </dev/null >/dev/null 2>"$directory/log/slurmctld.err"
    for ((i = 0; i < $1; i++)); do
        mkdir -p "$directory/spool.node$i" "$directory/tmp.node$i" # PMIx must not meet the other node's files
        chmod 1777 "$directory/tmp.node$i"
        setsid slurmd -N "node$i" -f "$conf" </dev/null >/dev/null 2>"$directory/log/slurmd.node$i.err"
    done
    for ((i = 0; i < 300; i++)); do
        [ "$(SLURM_CONF=$conf sinfo -h -t idle -o %D 2>/dev/null | head -1)" = "$1" ] && return 0
        sleep 0.1
    done
    tail -n 5 "$directory"/log/* >&2
    echo "the nodes are not idle after 30 s" >&2
    return 1
}

down() {
    local file i
    for file in "$directory"/slurmd.*.pid "$directory/slurmctld.pid" "$directory/munge.pid"; do
        [ ! -e "$file" ] || kill "$(cat "$file")" 2>/dev/null || true
    done
    for ((i = 0; i < 50; i++)); do
        compgen -G "$directory/*.pid" >/dev/null || break
        sleep 0.1
    done
    rm -rf "$directory"
}

case ${1:-} in
up) up "${3:?nodes}" "${4:?CPUs}" ;;
down) down ;;
*) sed -n '2,4p' "$0" && exit 2 ;;
esac
