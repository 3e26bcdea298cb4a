#!/bin/sh
# Builds what a release publishes: FOLDER/packages with sdist and wheel, FOLDER/probatum.cdx.json, a CycloneDX list of what an
# installation of the wheel holds, and FOLDER/notes.md, the section of the changelog.
# Refuses a tag that is not the version of the package, and a version without a section.
# Usage: release.sh FOLDER [TAG]
set -eu

folder=${1:?usage: release.sh FOLDER [TAG]}
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
cd "$(dirname "$0")/.."

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

version=$(sed -n 's/^__version__ = "\(.*\)"$/\1/p' src/probatum/core/version.py)
tag=${2:-v$version}
if [ "$tag" != "v$version" ]; then
    echo "error: the tag is $tag, and src/probatum/core/version.py says $version." >&2
    exit 1
fi
sed -n "/^## \[$version\]/,/^## \[/p" CHANGELOG.md | sed '/^## \[/d' >"$folder/notes.md"
if [ ! -s "$folder/notes.md" ]; then
    echo "error: CHANGELOG.md has no section [$version]." >&2
    exit 1
fi

python3 -m venv "$work/tools"
"$work/tools/bin/python" -m pip --disable-pip-version-check --quiet install --require-hashes --requirement scripts/release.lock
# The build itself is bound to the versions of the lock.
sed 's/ \\$//; /--hash=/d' requirements.lock >"$work/constraints"
PIP_CONSTRAINT=$work/constraints "$work/tools/bin/python" -m build --outdir "$folder/packages" .

python3 -m venv --without-pip "$work/installed"
"$work/tools/bin/python" -m pip --python "$work/installed/bin/python" --disable-pip-version-check --quiet install \
    --constraint "$work/constraints" "$folder"/packages/*.whl
# The list names the version itself, which pyproject.toml leaves to the package.
sed "s/^dynamic = \\[\"version\"\]/version = \"$version\"/" pyproject.toml >"$work/pyproject.toml"
"$work/tools/bin/cyclonedx-py" environment --pyproject "$work/pyproject.toml" --output-reproducible \
    --output-format JSON --output-file "$folder/probatum.cdx.json" "$work/installed/bin/python"
