"""The files of the source tree, as the sanity checks see it.

Git may be absent (a release archive, a bare machine), so "tracked" means: in the tree, and not where
.gitignore says that built things lie.
"""

import pathlib

IGNORED_FOLDERS = {".git", ".cache", "build", "__pycache__"}
# In a worktree .git is a file that says where the repository lies.
IGNORED_FILES = {".git", "compile_commands.json"}


def files(root, *folders):
    """All files under root (or under these folders of it), sorted, as paths relative to root."""
    root = pathlib.Path(root)
    found = []
    pending = [root / folder for folder in folders] if folders else [root]
    while pending:
        folder = pending.pop()
        if not folder.is_dir():
            continue
        for entry in folder.iterdir():
            if entry.is_dir() and not entry.is_symlink():
                if entry.name not in IGNORED_FOLDERS:
                    pending.append(entry)
            elif entry.name not in IGNORED_FILES:
                found.append(entry.relative_to(root))
    return sorted(found)


def sources(root, *folders):
    """The C++ files among them."""
    return [path for path in files(root, *folders) if path.suffix in (".cpp", ".hpp")]
