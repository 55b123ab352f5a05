#!/bin/bash
# Hosts without machines, as root: N nodes node0 ... on one switch, each with a network, host name, process numbers,
# /dev/shm and sshd of its own, in Linux namespaces. No traffic leaves them. Everything lies in DIRECTORY.
# Usage: namespaces.sh up DIRECTORY N | exec DIRECTORY NODE COMMAND... | cut|plug DIRECTORY NODE
#        | crash DIRECTORY NODE | down DIRECTORY     NODE: its name; cut: unplugs it; crash: ends all its processes
set -euo pipefail
action=${1:-} directory=${2:-}
network=10.77.0

pid_of() { cat "$directory/$1.pid"; }
in_switch() { nsenter -t "$(pid_of switch)" -n -- "$@"; }
in_node() { nsenter -t "$(pid_of "$1")" -n -u -i -m -p -- "${@:2}"; }

# A process that keeps namespaces alive, and reaps what is left to it: NAME, options of unshare.
hold() {
    local fifo=$directory/ready
    mkfifo "$fifo"
    setsid unshare "${@:2}" --fork --kill-child sh -c "echo >'$fifo'; while :; do sleep 1000000 & wait; done" \
        </dev/null >/dev/null 2>&1 &
    read -r _ <"$fifo"
    rm "$fifo"
    cut -d' ' -f1 "/proc/$!/task/$!/children" >"$directory/$1.pid"
}

# sshd where it is not installed: from its package, without installing it.
find_sshd() {
    [ ! -x /usr/sbin/sshd ] || { echo /usr/sbin/sshd; return; }
    mkdir -p "$directory/packages"
    (cd "$directory/packages" && apt-get -qq download openssh-server libwrap0 >/dev/null 2>&1 &&
        for package in *.deb; do dpkg -x "$package" .; done) || return 0
    echo "$directory/packages/usr/sbin/sshd"
}

write_ssh_configuration() {
    local home=$directory/home
    mkdir -p -m 700 "$home/.ssh"
    ssh-keygen -q -t ed25519 -N '' -f "$home/.ssh/id_ed25519"
    ssh-keygen -q -t ed25519 -N '' -f "$directory/host_key"
    cp "$home/.ssh/id_ed25519.pub" "$home/.ssh/authorized_keys"
    printf 'StrictHostKeyChecking no\nUserKnownHostsFile /dev/null\nLogLevel ERROR\n' >"$home/.ssh/config"
    printf '%s\n' "HostKey $directory/host_key" 'PidFile none' 'UsePAM no' 'StrictModes no' 'PermitRootLogin yes' \
        'PasswordAuthentication no' >"$directory/sshd_config"
    { awk -F: -v OFS=: -v home="$home" '$1 == "root" { $6 = home } { print }' /etc/passwd
      grep -q ^sshd: /etc/passwd || echo sshd:x:100:65534::/run/sshd:/usr/sbin/nologin; } >"$directory/passwd"
}

begin_node() { # NAME NUMBER
    hold "$1" --net --uts --ipc --mount --pid --mount-proc
    in_switch ip link add "p$2" type veth peer name eth0 netns "$(pid_of "$1")"
    in_switch ip link set "p$2" master bridge up
    in_node "$1" sh -ec "ip link set lo up; ip addr add $network.$(($2 + 1))/24 dev eth0; ip link set eth0 up
        hostname $1; mount -t tmpfs -o size=256m,mode=1777 tmpfs /dev/shm; mount -t sysfs sysfs /sys
        mount --bind '$directory/hosts' /etc/hosts; mount --bind '$directory/passwd' /etc/passwd
        mount -t tmpfs tmpfs /run; mkdir /run/sshd"
    [ -z "$sshd" ] || in_node "$1" setsid env LD_LIBRARY_PATH="$directory/packages/usr/lib/$(uname -m)-linux-gnu" \
        "$sshd" -f "$directory/sshd_config" -E "$directory/sshd.$1.log" </dev/null >/dev/null 2>&1
}

up() { # N
    local i sshd
    [ "$(id -u)" = 0 ] || { echo "network namespaces need root" >&2; exit 1; }
    mkdir -p "$directory"
    chmod 755 "$directory"
    sshd=$(find_sshd)
    write_ssh_configuration
    { echo 127.0.0.1 localhost
      for ((i = 0; i < $1; i++)); do echo "$network.$((i + 1)) node$i"; done
      echo "$network.250 unplugged"; } >"$directory/hosts"
    hold switch --net --pid
    in_switch ip link set lo up
    in_switch ip link add bridge type bridge
    in_switch ip link set bridge up
    for ((i = 0; i < $1; i++)); do begin_node "node$i" "$i"; done
    printf '#!/bin/sh\nhost=$1\nexec "%s" exec "%s" "$host" sh -c "$2"\n' "$(realpath "$0")" "$directory" >"$directory/reach"
    chmod +x "$directory/reach"
    if [ -n "$sshd" ]; then touch "$directory/has_sshd"; fi
}

down() {
    local file
    for file in "$directory"/*.pid; do
        [ ! -e "$file" ] || kill -9 "$(cat "$file")" 2>/dev/null || true
    done
    rm -rf "$directory"
}

case $action in
up) up "${3:?N}" ;;
exec) exec nsenter -t "$(pid_of "$3")" -n -u -i -m -p -- "${@:4}" ;;
cut) in_switch ip link set "p${3#node}" nomaster ;;
plug) in_switch ip link set "p${3#node}" master bridge ;;
crash) kill -9 "$(pid_of "$3")" ;;
down) down ;;
*) sed -n '2,5p' "$0" && exit 2 ;;
esac
