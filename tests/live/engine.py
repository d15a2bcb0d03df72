"""A private dockerd: no systemd, no bridge, no iptables, everything below one folder that is removed at the end."""
import http.client
import io
import json
import os
import shutil
import signal
import socket
import subprocess
import tarfile
import time
import urllib.parse


class Unavailable(Exception):
    """No engine can run here; the reason is the message."""


class UnixConnection(http.client.HTTPConnection):
    def __init__(self, path, timeout=60):
        super().__init__("docker", timeout=timeout)
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self.path)


class Engine:
    def __init__(self, folder):
        self.folder = folder
        self.socket = os.path.join(folder, "docker.sock")
        self.log = os.path.join(folder, "dockerd.log")
        self.process = None
        self.containers = []

    @property
    def host(self):
        return "unix://" + self.socket

    def start(self):
        program = shutil.which("dockerd") or shutil.which("dockerd", path="/usr/sbin:/usr/local/sbin:/sbin")
        if program is None:
            raise Unavailable("dockerd is not installed (docker.io)")
        if os.geteuid() != 0:
            raise Unavailable("dockerd needs root")
        for driver in ("overlay2", "vfs"):
            if self._start(program, driver):
                return
            self.stop()
        with open(self.log, errors="replace") as log:
            raise Unavailable("dockerd does not start: " + (log.read().strip().splitlines() or ["no word"])[-1])

    def _start(self, program, driver):
        with open(self.log, "w") as log:
            self.process = subprocess.Popen(
                [program, "--data-root", os.path.join(self.folder, "data"), "--exec-root", os.path.join(self.folder, "exec"),
                 "--pidfile", os.path.join(self.folder, "docker.pid"), "-H", self.host, "--iptables=false", "--ip6tables=false",
                 "--ip-forward=false", "--bridge=none", "--storage-driver", driver],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True)
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline and self.process.poll() is None:
            try:
                if self.ask("GET", "/_ping")[0] == 200:
                    return True
            except OSError:
                time.sleep(0.1)
        return False

    def ask(self, method, path, body=None, kind="application/json"):
        connection = UnixConnection(self.socket)
        try:
            data = json.dumps(body) if isinstance(body, dict) else body
            connection.request(method, path, data, {"Content-Type": kind} if data is not None else {})
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()

    def image(self, files, name):
        """Imports an image that holds these files (path -> bytes), all executable."""
        archive = io.BytesIO()
        with tarfile.open(fileobj=archive, mode="w") as tar:
            for path in ("dev", "proc", "sys", "tmp", "etc"):
                entry = tarfile.TarInfo(path)
                entry.type, entry.mode = tarfile.DIRTYPE, 0o755
                tar.addfile(entry)
            for path, data in files.items():
                entry = tarfile.TarInfo(path)
                entry.size, entry.mode = len(data), 0o755
                tar.addfile(entry, io.BytesIO(data))
        status, text = self.ask("POST", "/images/create?fromSrc=-&repo=" + name, archive.getvalue(), "application/x-tar")
        if status != 200 or b'"error"' in text:
            raise Unavailable("the image cannot be made: " + text.decode(errors="replace")[:200])

    def run(self, name, image, command, limits):
        """Creates and starts; what the start says is not judged: some of these cannot start."""
        config = {"Image": image, "Cmd": command, "HostConfig": {"NetworkMode": "none", **limits}}
        status, text = self.ask("POST", "/containers/create?name=" + urllib.parse.quote(name), config)
        if status != 201:
            raise RuntimeError("create " + name + ": " + text.decode(errors="replace"))
        self.containers.append(name)
        return self.ask("POST", "/containers/" + name + "/start")

    def wait(self, name, seconds=20):
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            state = json.loads(self.ask("GET", "/containers/" + name + "/json")[1])["State"]
            if not state["Running"]:
                return state
            time.sleep(0.1)
        raise RuntimeError(name + " does not end")

    def stop(self):
        """Ends everything that was started here, and only that."""
        for name in self.containers:
            try:
                self.ask("DELETE", "/containers/" + name + "?force=1")
            except OSError:
                pass
        self.containers = []
        children = self._pids()
        if self.process is not None and self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(20)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        for pid in children:   # containerd outlives a dockerd that was killed
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        self.process = None
        with open("/proc/self/mountinfo") as mounts:
            points = [line.split()[4] for line in mounts]
        for point in sorted(points, reverse=True):
            if point.startswith(self.folder + "/"):
                subprocess.run(["umount", "-l", point], check=False)

    def _pids(self):
        """containerd and its shims: their command lines name our folder."""
        found = []
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open("/proc/" + pid + "/cmdline", "rb") as file:
                    words = file.read().decode(errors="replace").split("\0")
            except OSError:
                continue
            ours = any(word.startswith(self.folder + "/exec/") for word in words)
            if ours and int(pid) not in (os.getpid(), self.process.pid if self.process else 0):
                found.append(int(pid))
        return found
