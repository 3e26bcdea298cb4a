"""Version numbers of packages."""


def next_version(version, change):
    """Return the version after a change, which is "major", "minor" or "patch"."""
    major, minor, patch = (int(part) for part in version.split("."))
    if change == "major":
        return f"{major + 1}.0.0"
    if change == "minor":
        return f"{major}.{minor + 1}.0"
    if change == "patch":
        return f"{major}.{minor}.{patch + 1}"
    raise ValueError(f"unknown change: {change}")
