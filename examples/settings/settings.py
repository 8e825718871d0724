"""A small reader of settings: sections of `name = value`, in which ${section.name} stands for another value.

    python3 settings.py FILE      prints every setting with its value

It has a bug: values that stand for each other in a circle send it round until Python gives up.
"""

import re
import sys


def read(lines):
    settings, section = {}, ""
    for line in lines:
        line = line.split("#")[0].strip()
        if line.startswith("[") and line.endswith("]"):
            section = line[1:-1] + "."
        elif "=" in line:
            name, value = line.split("=", 1)
            settings[section + name.strip()] = value.strip()
    return settings


def resolve(settings, value):
    return re.sub(r"\$\{([^}]*)\}", lambda found: resolve(settings, settings[found[1]]), value)


def main():
    with open(sys.argv[1], encoding="utf-8") as file:  # noqa: PTH123
        settings = read(file)
    for name, value in settings.items():
        print(name, "=", resolve(settings, value))


if __name__ == "__main__":
    main()
