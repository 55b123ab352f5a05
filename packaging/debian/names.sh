#!/bin/sh
# names.sh TREE: in a folder with the installed TREE, gives the commands and their man pages names that no other MPI has
# (mpicc.thrum), as Debian's MPICH and Open MPI do; alternatives lead to them.
set -eu
tree=$1
mkdir -p usr/bin usr/share/man/man1
for page in "$tree"/share/man/man1/*; do
    name=$(basename "$page" .1)
    [ -L "$page" ] && target=$(basename "$(readlink "$page")" .1)
    case $name in
    thrum) mv "$page" usr/share/man/man1/ ;;
    *)
        if [ -L "$page" ]; then
            ln -s "$target.thrum.1" "usr/share/man/man1/$name.thrum.1"
            rm "$page"
        else
            mv "$page" "usr/share/man/man1/$name.thrum.1"
        fi ;;
    esac
done
for name in mpic++ mpiCC; do
    ln -s mpicxx.thrum.1 "usr/share/man/man1/$name.thrum.1"
done
for command in "$tree"/bin/*; do
    name=$(basename "$command")
    [ "$name" = thrum ] || name=$name.thrum
    ln -s "../${command#usr/}" "usr/bin/$name"
done
rm -r "$tree/share/doc" "$tree/share/man"
