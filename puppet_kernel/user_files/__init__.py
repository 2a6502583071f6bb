"""Files of the user: facts and other data, the history of inputs, and the cache."""

from __future__ import annotations

import os


def find_cache_folder() -> str:
    """Return the folder for compiled modules: below XDG_CACHE_HOME, by default ~/.cache."""
    return os.path.join(find_user_folder("XDG_CACHE_HOME", ".cache"), "puppet-kernel")


def find_user_folder(variable: str, *default: str) -> str:
    """Return the folder that a variable names, by default one below the user's home.

    As the XDG specification says, a path that is not absolute is ignored: it would lead into the folder of whatever
    notebook is opened. That of HOME is ignored, too; the home is then that of the user's account.
    """
    path = os.environ.get(variable, "")
    if os.path.isabs(path):
        return path
    home = os.environ.get("HOME", "")
    if not os.path.isabs(home):
        home = _find_home_of_account()
    return os.path.join(home if os.path.isabs(home) else os.devnull, *default)


def _find_home_of_account() -> str:
    """Return the home of the user's account; "" if the system knows none."""
    try:
        import pwd  # it does not exist everywhere

        return pwd.getpwuid(os.geteuid()).pw_dir
    except (ImportError, KeyError):
        return ""


def split_path(path: str) -> list[str]:
    """Return the directories of a path in which colons separate them."""
    return [part for part in path.split(":") if part]
