#!/bin/sh
# make.sh BUILD DIST: makes the Debian packages of the checkout, in the folder DIST. The build is one of its own, in BUILD/deb.
set -eu
checkout=$(readlink -f "$(dirname "$0")/../..")
build=$(readlink -f "$1")
mkdir -p "$2"
dist=$(readlink -f "$2")
version=$(sed -n 's/^project(thrum VERSION \([0-9.]*\).*/\1/p' "$checkout/CMakeLists.txt")
source=$build/deb/thrum-$version

rm -rf "$source" "$build"/deb/*.deb
mkdir -p "$source"
(cd "$checkout" && git ls-files -z | tar --null --files-from=- --create) | tar --extract --directory "$source"
cp -r "$source/packaging/debian" "$source/debian"
rm "$source/debian/make.sh"
cat >"$source/debian/changelog" <<END
thrum ($version) unstable; urgency=medium

  * Version $version.

 -- $(sed -n 's/^Maintainer: //p' "$source/debian/control")  $(cd "$checkout" && git log -1 --format=%cD)
END
cd "$source"
DEB_BUILD_OPTIONS="parallel=$(nproc) noautodbgsym ${DEB_BUILD_OPTIONS-}" dpkg-buildpackage --build=binary --no-sign >"$build/deb/log" 2>&1 || {
    tail -n 60 "$build/deb/log" >&2
    echo "The packages could not be built; see $build/deb/log" >&2
    exit 1
}
rm -f "$dist"/*.deb
cp "$build"/deb/*.deb "$dist"
echo "Made $(cd "$dist" && ls "$dist"/*.deb | tr '\n' ' ')"
