#!/bin/sh
# Makes the image of a registry from Debian's package docker-registry, without a container engine and without a hub:
# DIRECTORY/registry-2.8.3.tar, an archive that engines load, and the manifest that the panel reads beside it.
# Needs Debian with apt and dpkg, and no root. The same package makes the same image.
set -eu

NAME=registry:2.8.3
PROGRAM=usr/bin/docker-registry
CONFIG=etc/docker/registry/config.yml

if [ $# -ne 1 ]; then
  echo 'usage: registry.sh DIRECTORY' >&2
  exit 2
fi
mkdir -p "$1"
directory=$(cd "$1" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

# apt fetches as an account of its own, which could not write here.
apt-get download --quiet -o APT::Sandbox::User=root docker-registry >/dev/null
dpkg-deb -x docker-registry_*.deb package

mkdir -p root/tmp root/etc image
printf 'root:x:0:0::/:/none\n' >root/etc/passwd
libraries=$(ldd "package/$PROGRAM" | sed -n 's/^[^/]*\(\/[^ ]*\) (0x.*$/\1/p')
for file in "package/$PROGRAM" "package/$CONFIG" package/usr/share/doc/docker-registry/copyright $libraries; do
  inside=root/${file#package/}
  mkdir -p "$(dirname "$inside")"
  cp -L "$file" "$inside"
done

archive() {
  tar --create --sort=name --format=ustar --owner=0 --group=0 --numeric-owner --mtime=@0 --mode=u+rw,go-w "$@"
}
digest() {
  sha256sum "$1" | cut -d ' ' -f 1
}

archive --directory root --file image/layer.tar .
cat >config.json <<END
{"architecture":"$(dpkg --print-architecture)","os":"linux","created":"1970-01-01T00:00:00Z",
"config":{"Entrypoint":["/$PROGRAM","serve","/$CONFIG"]},
"rootfs":{"type":"layers","diff_ids":["sha256:$(digest image/layer.tar)"]}}
END
id=$(digest config.json)
mv config.json "image/$id.json"
printf '[{"Config":"%s.json","RepoTags":["%s"],"Layers":["layer.tar"]}]\n' "$id" "$NAME" >image/manifest.json

file=$directory/$(printf %s "$NAME" | tr /: --)
archive --directory image --file "$file.tar.part" .
# A panel that reads meanwhile finds no manifest, or the one of the archive.
rm -f "$file.json"
sum=$(digest "$file.tar.part")
mv "$file.tar.part" "$file.tar"
printf '{"name":"%s","id":"sha256:%s","sha256":"%s"}\n' "$NAME" "$id" "$sum" >"$file.json.part"
mv "$file.json.part" "$file.json"
echo "$file.tar"
