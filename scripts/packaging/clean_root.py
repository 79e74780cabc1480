"""A clean Debian in a temporary folder, and a program in it, started as a service manager would."""
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import time

#: What is published there, for Maya.
EVENT = {"type": "room_liked", "actor": {"id": "user-123", "username": "pete", "firstName": "Pete"},
         "to": {"owner": ["maya"]}, "data": {"room": {"id": "room-789", "name": "Italy Trip"}}}


def run_apart(arguments: list[str]) -> int:
    """Runs this script again where its mounts, processes and addresses are its own; what it starts ends with it.

    - Returns: its exit code.
    """
    return subprocess.run(["unshare", "--mount", "--pid", "--net", "--fork", "--kill-child", sys.executable, sys.argv[0],
                           *arguments]).returncode


class CleanRoot:
    """The folder of the new system. Commands run in it, and are shown with what they print."""

    def __init__(self, folder: pathlib.Path):
        self.folder = folder

    @staticmethod
    def make(folder: pathlib.Path, packages: list[str], mirror: str, suite: str) -> "CleanRoot":
        """With the network, so before `run_apart`.

        - Parameter packages: what is installed beyond the least that there can be.
        """
        further = ["--include=" + ",".join(packages)] if packages else []
        subprocess.run(["debootstrap", "--variant=minbase", *further, suite, str(folder), mirror], check=True,
                       stdout=subprocess.DEVNULL)
        # Answers of the machine's own resolver and roots, for apt.
        shutil.copy("/etc/resolv.conf", folder / "etc/resolv.conf")
        return CleanRoot(folder)

    def mount(self):
        """Gives it its own /proc, and the loopback its address. Only where everything is apart."""
        subprocess.run(["mount", "--make-rprivate", "/"], check=True)
        subprocess.run(["mount", "-t", "proc", "proc", str(self.folder / "proc")], check=True)
        subprocess.run(["ip", "link", "set", "lo", "up"], check=True)

    def path(self, name: str) -> pathlib.Path:
        return self.folder / name.lstrip("/")

    def run(self, command: str, shown: bool = True, code: int = 0, quiet: bool = False) -> str:
        """Runs a shell's line in it.

        - Parameter quiet: show the line, and what it prints only if it fails.
        - Returns: what it printed, without the last line end.
        """
        if shown:
            print(f"# {command}", flush=True)
        done = subprocess.run(["chroot", str(self.folder), "/bin/sh", "-c", command], text=True, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "DEBIAN_FRONTEND": "noninteractive",
                                   "LC_ALL": "C.UTF-8", "HOME": "/root", "TERM": "dumb"})
        output = done.stdout.rstrip("\n")
        failed = done.returncode != code
        if output and (failed or (shown and not quiet)):
            print(output, flush=True)
        if failed:
            sys.exit(f"FAILED with {done.returncode}: {command}")
        return output


def expect(condition, what: str):
    if not condition:
        sys.exit(f"FAILED: {what}")


def unit(text: str) -> dict[str, list[str]]:
    """What a unit says: the values of each key, in their order."""
    values: dict[str, list[str]] = {}
    for line in text.splitlines():
        name, separator, value = line.partition("=")
        if separator and not line.startswith("#"):
            values.setdefault(name.strip(), []).append(value.strip())
    return values


class Service:
    """A program in a clean root: its user, folders, variables and sockets are those that its units name."""

    def __init__(self, root: CleanRoot, service: dict[str, list[str]], sockets: list[dict[str, list[str]]]):
        self.root, self.service = root, service
        self.process = None
        self._sockets = [(each["FileDescriptorName"][0], self._open(each)) for each in sockets]
        self._notify = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        root.path("/run/notify").unlink(missing_ok=True)
        self._notify.bind(str(root.path("/run/notify")))
        os.chmod(root.path("/run/notify"), 0o777)
        self._notify.settimeout(60)

    def _ids(self, user: str, group: str) -> tuple[int, int]:
        def number(file, name):
            return next(int(line.split(":")[2]) for line in self.root.path(file).read_text().splitlines()
                        if line.startswith(name + ":"))
        return number("/etc/passwd", user), number("/etc/group", group)

    def _open(self, described):
        path = self.root.path(described["ListenStream"][0])
        path.parent.mkdir(mode=0o755, exist_ok=True)
        opened = socket.socket(socket.AF_UNIX)
        # The kernel keeps the name as it was given, and the program tells it: so it is given within the root.
        outside = os.open("/", os.O_RDONLY)
        os.chroot(self.root.folder)
        opened.bind(described["ListenStream"][0])
        os.fchdir(outside)
        os.chroot(".")
        os.close(outside)
        os.chown(path, *self._ids(described["SocketUser"][0], described["SocketGroup"][0]))
        os.chmod(path, int(described["SocketMode"][0], 8))
        opened.listen(128)
        return opened

    def _variables(self) -> dict[str, str]:
        words = [word for line in self.service.get("Environment", []) for word in line.split()]
        for file in self.service.get("EnvironmentFile", []):
            path = self.root.path(file.removeprefix("-"))
            if path.exists():
                words += [line for line in path.read_text().splitlines() if "=" in line and not line.startswith("#")]
        return dict(word.split("=", 1) for word in words)

    def start(self):
        """Returns once the program has said that it serves."""
        said = {name: values[-1] for name, values in self.service.items()}
        user, group = self._ids(said["User"], said["Group"])
        for base, name in (("/var/lib", "State"), ("/run", "Runtime")):
            if f"{name}Directory" in said:
                folder = self.root.path(f"{base}/{said[name + 'Directory']}")
                folder.mkdir(exist_ok=True)
                os.chmod(folder, int(said[f"{name}DirectoryMode"], 8))
                os.chown(folder, user, group)
        descriptors = [opened.fileno() for _, opened in self._sockets]

        def become():
            copies = [os.dup(number) for number in descriptors]
            for place, copy in enumerate(copies):
                os.dup2(copy, 3 + place, inheritable=True)
            os.chroot(self.root.folder)
            os.chdir(said.get("WorkingDirectory", "/"))
            os.umask(int(said.get("UMask", "0022"), 8))
            os.setgroups([])
            os.setgid(group)
            os.setuid(user)

        words = said["ExecStart"].split()
        print(f"# as {said['User']}: {' '.join(words)}", flush=True)
        environment = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin", "NOTIFY_SOCKET": "/run/notify",
                       **self._variables()}
        if self._sockets:
            # The number of the process is known only in it: a shell puts it into LISTEN_PID.
            environment |= {"LISTEN_FDS": str(len(self._sockets)),
                            "LISTEN_FDNAMES": ":".join(name for name, _ in self._sockets)}
            words = ["/bin/sh", "-c", 'export LISTEN_PID=$$; exec "$@"', "sh", *words]
        self.process = subprocess.Popen(words, env=environment, preexec_fn=become, stdin=subprocess.DEVNULL,
                                        close_fds=False)
        while b"READY=1" not in self._notify.recv(4096):
            pass

    def stop(self):
        """As `systemctl stop`: asks, and waits for a good end."""
        print("# kill -TERM $MAINPID", flush=True)
        self.process.send_signal(signal.SIGTERM)
        expect(self.process.wait(60) == 0, f"the program ended with {self.process.returncode}")

    def close(self):
        """Its sockets go, as with `systemctl stop` of their units."""
        for _, opened in self._sockets:
            opened.close()
        self._notify.close()


def older(deb: pathlib.Path, folder: pathlib.Path) -> pathlib.Path:
    """A package of the same program as the version before, whose conffiles were others."""
    tree = folder / "older"
    subprocess.run(["dpkg-deb", "--raw-extract", str(deb), str(tree)], check=True)
    control = tree / "DEBIAN/control"
    lines = control.read_text().splitlines()
    control.write_text("\n".join(line + "~before" if line.startswith("Version:") else line for line in lines) + "\n")
    for name in ("belfry.yaml", "catalogs/rooms.yaml"):
        with open(tree / "etc/belfry" / name, "a") as file:
            file.write("# A line of the version before.\n")
    made = folder / "belfry-before.deb"
    subprocess.run(["dpkg-deb", "-Zgzip", "-z1", "--root-owner-group", "--build", str(tree), str(made)], check=True,
                   stdout=subprocess.DEVNULL)
    shutil.rmtree(tree)
    return made


def waiting_for(root: CleanRoot, command: str):
    """Starts a command in it whose answer comes later."""
    print(f"# {command} &", flush=True)
    begun = subprocess.Popen(["chroot", str(root.folder), "/bin/sh", "-c", command], text=True, stdout=subprocess.PIPE,
                             stderr=subprocess.STDOUT)
    time.sleep(1)
    expect(begun.poll() is None, f"it was answered though nobody serves: {command}")
    return begun
