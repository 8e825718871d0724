"""Keeps a Python program loaded: stops it before its first line, imports what it will import, and forks for each check.

This runs in the interpreter of the user's program, of whatever version, which finds it by PYTHONPATH under the name
that every interpreter imports last before it begins with its program. Here it waits. Each check is a fork that simply
goes on: the interpreter itself then runs the program, so arguments, tracebacks, exit status and the end are its own.

What was imported in advance is not in `sys.modules` but on a shelf. An import takes a module from there together with
all that this module imports itself, so a program sees what it has imported. For Python 3.8 and later, without imports.
"""

# Without annotations, which old interpreters would evaluate and do not all know; and it reaches into the interpreter.
# mypy: ignore-errors
# ruff: noqa: PTH123, SIM105

import sys

_CONTROL, _REPORT = 250, 251
"""Descriptors that no program is given by the system before it has opened as many files."""
_WRITING = ("os.remove", "os.rename", "os.mkdir", "os.rmdir", "os.link", "os.symlink", "os.truncate", "os.chmod")
_STARTING = ("subprocess.Popen", "os.system", "os.fork", "os.forkpty", "os.posix_spawn", "os.exec", "os.kill")
_TALKING = ("socket.connect", "socket.bind", "socket.sendto")


class _Recorder:
    """Sees every import, and which other modules each module imports while it is loaded."""

    def __init__(self, report=None):
        """`report` is called with what happens: the beginning and the end of each import, and what else it does."""
        import _frozen_importlib
        import builtins

        self.bootstrap, self.builtins = _frozen_importlib, builtins
        self.load, self.statement = _frozen_importlib._find_and_load_unlocked, builtins.__import__
        self.report = report
        self.loading = []
        self.used = [[]]
        self.uses = {}
        self.filters = {}

    def begin(self):
        """See imports from now on."""
        self.bootstrap._find_and_load_unlocked = self.see_load
        self.builtins.__import__ = self.see_statement

    def end(self):
        """See no imports any more."""
        self.bootstrap._find_and_load_unlocked = self.load
        self.builtins.__import__ = self.statement

    def see_load(self, name, import_):
        """Load a module as always."""
        if self.report:
            self.report("begin", name, "")
        there, filters = set(sys.modules), list(_filters())
        self.used.append([])
        self.loading.append(name)
        try:
            module = self.load(name, import_)
        except BaseException:
            self.used[-2].extend(self.used[-1])
            raise
        finally:
            used = self.used.pop()
            self.loading.pop()
        for other in [other for other in sys.modules if other not in there and other not in self.uses]:
            if other != name:  # such as those that a module makes up and puts there itself
                self.uses[other] = []
                used.append(other)
        self.uses[name] = used
        self.used[-1].append(name)
        known = {id(each) for each in filters}.union(*[map(id, self.filters.get(other, ())) for other in used])
        own = [each for each in _filters() if id(each) not in known]
        if own:
            self.filters[name] = own
        if self.report:
            self.report("end", name, _origin(module))
        return module

    def see_statement(self, name, globals=None, locals=None, fromlist=(), level=0):
        """Import as always; here are also seen the imports of what is loaded already."""
        module = self.statement(name, globals, locals, fromlist, level)
        if level:
            package = (globals or {}).get("__package__") or ""
            base = ".".join(package.split(".")[: len(package.split(".")) - level + 1])
            name = base + "." + name if name else base
        self.used[-1].append(name)
        self.used[-1].extend(
            whole for whole in (name + "." + str(each) for each in fromlist or ()) if whole in sys.modules
        )
        return module

    def see_deed(self, event, arguments):
        """Report what a module does to the world while it is loaded."""
        if not self.loading or event in ("import", "compile", "exec", "marshal.loads", "object.__getattr__"):
            return
        text = ""
        if event == "open":
            path, mode, flags = str(arguments[0]), arguments[1], arguments[2] or 0
            writes = flags & 3 if mode is None else any(sign in mode for sign in "wax+")
            if writes and "__pycache__" not in path and not path.startswith("/dev/"):
                text = "writes a file"
        elif event in _WRITING and "__pycache__" not in str(arguments[0]):
            text = "changes files"
        elif event in _STARTING:
            text = "starts a process"
        elif event in _TALKING:
            text = "uses the network"
        if text:
            self.report("deed", self.loading[-1], text)


class _Shelf:
    """What was imported in advance: finder and loader of it."""

    def __init__(self, modules, uses, filters):
        self.modules, self.uses, self.filters = modules, uses, filters
        self.spec = type(sys.__spec__)

    def find_spec(self, name, path=None, target=None):
        """Say that a module is here to whoever imports it, and not to one who only asks where it comes from."""
        if name in self.modules and sys._getframe(2).f_code.co_name == "_find_and_load_unlocked":
            return self.spec(name, self)
        return None

    def create_module(self, spec):
        """Have an empty module made, which is replaced at once."""

    def exec_module(self, module):
        """Put a module in the place of the empty one."""
        self.take(module.__name__)

    def take(self, name):
        """Take a module with all that it has imported."""
        module = self.modules.pop(name)
        sys.modules[name] = module
        for other in self.uses.get(name, ()):
            if other in self.modules and other not in sys.modules:
                self.take(other)
                _bind(other, sys.modules)
        sys.modules[name] = sys.modules.pop(name)  # in the order in which loading ended
        own = self.filters.get(name)
        if own:
            filters = _filters()
            filters[:0] = [each for each in own if not any(each is other for other in filters)]
            _filters_changed()


def _filters():
    return getattr(sys.modules.get("warnings"), "filters", [])


def _filters_changed():
    warnings = sys.modules.get("warnings")
    if hasattr(warnings, "_filters_mutated_lock_held"):
        with warnings._lock:
            warnings._filters_mutated_lock_held()
    elif warnings is not None:
        warnings._filters_mutated()


def _bind(name, modules):
    parent, _, own = name.rpartition(".")
    if parent in modules:
        setattr(modules[parent], own, modules[name])


def _origin(module):
    """Return where a module was loaded from; "?" when not in the usual way."""
    import _frozen_importlib_external as external

    spec = getattr(module, "__spec__", None)
    usual = (external.SourceFileLoader, external.ExtensionFileLoader, external.SourcelessFileLoader)
    if type(getattr(spec, "loader", None)) in usual or getattr(spec, "origin", None) in ("built-in", "frozen"):
        return str(spec.origin)
    return "" if spec is not None and getattr(spec, "submodule_search_locations", None) is not None else "?"


def _state(os):
    """Return what an import should leave as it is, by the words for it."""
    import _signal
    import builtins

    mask = os.umask(0)
    os.umask(mask)
    with open("/proc/self/limits") as file:
        limits = file.read()
    return {
        "changes the working directory": os.getcwd(),
        "changes the file mode mask": mask,
        "changes environment variables": dict(os.environ),
        "handles signals": [_signal.getsignal(number) for number in range(1, 32)],
        "changes resource limits": limits,
        "opens a socket or a file": _opened(os),
        "changes the import path": list(sys.path),
        "changes arguments": list(sys.argv),
        "changes what is printed for errors": (sys.excepthook, sys.displayhook),
        "replaces standard streams": (sys.stdin, sys.stdout, sys.stderr),
        "changes the recursion limit": sys.getrecursionlimit(),
        "changes built-in names": sorted(vars(builtins)),
    }


def _opened(os):
    """Return what is open, apart from devices, by its number."""
    found = {}
    for number in os.listdir("/proc/self/fd"):
        try:
            found[number] = os.readlink("/proc/self/fd/" + number)
        except OSError:
            pass
    return {number: path for number, path in found.items() if not path.startswith(("/dev/", "/proc/"))}


def _threads(os):
    """Tell whether something runs beside this thread that a fork would lose."""
    if len(sys._current_frames()) > 1:
        return True
    if len(os.listdir("/proc/self/task")) > 1:
        with open("/proc/self/maps") as file:  # OpenBLAS has threads, and begins them anew after a fork
            return "openblas" not in file.read()
    return False


def _load(os, wanted, apart, pristine):
    """Import in advance, and put all on a shelf; return why that must not be used, or nothing."""
    import gc

    before, filters = _state(os), list(_filters())
    said = os.memfd_create("said")
    kept = os.dup(1), os.dup(2)
    os.dup2(said, 1)
    os.dup2(said, 2)
    recorder = _Recorder()
    recorder.begin()
    try:
        for name, _ in wanted:
            if name not in sys.modules:
                try:
                    recorder.statement(name)
                except BaseException:  # it needs what is not there yet, and is left to the checks
                    sys.exc_info()
    finally:
        recorder.end()
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
        os.dup2(kept[0], 1)
        os.dup2(kept[1], 2)
        printed = os.fstat(said).st_size
        for descriptor in (said, *kept):
            os.close(descriptor)
    if printed:
        return "importing its modules prints something"
    if _threads(os):
        return "importing its modules starts threads"
    after = _state(os)
    for words, value in before.items():
        if after[words] != value:
            return "importing its modules " + words
    loaded = {name: module for name, module in sys.modules.items() if name not in pristine}
    for name, origin in wanted:
        if name in loaded and _origin(loaded[name]) != origin:
            return "the module " + name + " is found elsewhere in advance"
    for name in apart:
        if name in loaded:
            return "the module " + name + " belongs to the candidate"
    for name, module in loaded.items():
        parent, _, own = name.rpartition(".")
        holder = loaded.get(parent, sys.modules.get(parent, sys))
        if vars(holder).get(own) is module:
            delattr(holder, own)
        del sys.modules[name]
    _filters()[:] = filters
    _filters_changed()
    sys.meta_path.insert(0, _Shelf(loaded, recorder.uses, recorder.filters))
    gc.collect()
    return ""


class _Line:
    """The connection to the check runner."""

    def __init__(self, descriptor):
        import _socket
        import marshal

        self.code, self.kind = marshal, _socket
        self.socket = _socket.socket(fileno=descriptor)

    def say(self, message):
        """Send a message."""
        data = self.code.dumps(message, 2)
        self.socket.sendall(len(data).to_bytes(8, "little") + data)

    def hear(self):
        """Return the next message and the descriptors that came with it; no message when nobody is left to send one."""
        data, more, _, _ = self.socket.recvmsg(8, self.kind.CMSG_SPACE(6 * 4))
        raw = b"".join(content for level, kind, content in more if kind == self.kind.SCM_RIGHTS)
        descriptors = [int.from_bytes(raw[at : at + 4], sys.byteorder) for at in range(0, len(raw), 4)]
        data = self.exactly(data, 8)
        if data is None:
            return None, []
        data = self.exactly(b"", int.from_bytes(data, "little"))
        return (None if data is None else self.code.loads(data)), descriptors

    def exactly(self, data, length):
        """Return data with as much after it as is needed to make it so long."""
        while len(data) < length:
            piece = self.socket.recv(length - len(data))
            if not piece:
                return None
            data += piece
        return data


def _fork(os):
    """Fork a process that is a child of the check runner; return its number, and 0 in it."""
    read, write = os.pipe()
    between = os.fork()
    if not between:
        child = os.fork()
        if child:
            os.setpgid(child, child)
            os.write(write, str(child).encode())
            os._exit(0)
        os.close(read)
        os.close(write)
        return 0
    os.close(write)
    os.waitpid(between, 0)
    child = int(os.read(read, 32) or b"0")
    os.close(read)
    return child


def _become(os, message, descriptors):
    """Be a check from here on."""
    _, folder, environment = message
    os.read(descriptors[3], 1)  # until it has its limits
    for number in range(3):
        os.dup2(descriptors[number], number)
    if len(descriptors) > 4:
        os.dup2(descriptors[4], _REPORT, inheritable=False)
    for descriptor in {*descriptors, _CONTROL}:
        os.close(descriptor)
    os.chdir(folder)
    for name, value in environment.items():
        if os.environb.get(name) != value:
            os.environb[name] = value
    for path in [path for path in sys.path_importer_cache if not path.startswith("/") or path.startswith(folder)]:
        del sys.path_importer_cache[path]
    shelf = sys.meta_path[0] if type(sys.meta_path[0]) is _Shelf else None
    if shelf is not None and "numpy.random" in shelf.modules:
        shelf.modules["numpy.random"].seed()
    if len(descriptors) > 4:
        recorder = _Recorder(lambda *words: os.write(_REPORT, ("\t".join(words) + "\n").encode("utf-8", "replace")))
        sys.addaudithook(recorder.see_deed)
        recorder.begin()


def _keep_loaded():
    """Serve the check runner; return in a process that is to be a check."""
    import os

    pristine = set(sys.modules)
    descriptor, _, paths = os.environ.pop("MINREPRO_WARM").partition(":")
    if paths:
        os.environ["PYTHONPATH"] = paths
    else:
        del os.environ["PYTHONPATH"]
    os.dup2(int(descriptor), _CONTROL, inheritable=False)
    os.close(int(descriptor))
    line = _Line(_CONTROL)
    line.say((os.getpid(), sys.implementation.name))
    os.chdir("/")
    while True:
        message, descriptors = line.hear()
        if message is None:
            os._exit(0)
        if message[0] == "load":
            line.say((_load(os, message[1], message[2], pristine),))
            continue
        child = _fork(os)
        if not child:
            for name in [name for name in sys.modules if name not in pristine]:
                del sys.modules[name]  # what only this file needed
            line.socket.detach()
            _become(os, message, descriptors)
            return
        for descriptor in descriptors:
            os.close(descriptor)
        line.say((child,))


_own = __file__.rpartition("/")[0]
sys.path[:] = [path for path in sys.path if path != _own]
sys.path_importer_cache.pop(_own, None)
if "MINREPRO_WARM" in sys.modules["os"].environ:
    _keep_loaded()
sys.modules.pop("sitecustomize", None)
import sitecustomize  # noqa: E402, F401 - the user's, or an error that is expected
