"""Attacks on the operating system, as sources: each defines ``attack(world)``, true when it got what it wanted.

The same source runs inside the sandbox and, as the positive control, outside of it in a process of its own.
``world`` is a dictionary of plain values: where the canaries lie, which ports listen, which processes live.
"""

from __future__ import annotations

READING = {
    "read_etc_passwd": """
def attack(world):
    return "root" in open("/etc/passwd").read()
""",
    "read_a_key_in_home": """
def attack(world):
    return "canary" in open(world["key"]).read()
""",
    "read_a_hidden_test_file": """
def attack(world):
    return "canary" in open(world["hidden_test"]).read()
""",
    "list_the_users_folder": """
import os
def attack(world):
    return "key" in os.listdir(world["folder"])
""",
    "own_environment": """
import os
def attack(world):
    return world["secret"] in os.environ.values()
""",
    "environment_in_proc": """
import glob
def attack(world):
    for path in glob.glob("/proc/[0-9]*/environ"):
        try:
            if world["secret"].encode() in open(path, "rb").read():
                return True
        except OSError:
            continue
    return False
""",
    "memory_of_the_parent": """
import os
def attack(world):
    for number in (world["judge"], os.getppid()):
        try:
            open(f"/proc/{number}/mem", "rb").close()
            return True
        except OSError:
            continue
    return False
""",
    "stat_leaks": """
import os
def attack(world):
    return os.stat(world["key"]).st_size > 0
""",
}

NETWORK = {
    "connect_to_a_loopback_listener": """
import socket
def attack(world):
    with socket.socket() as link:
        link.settimeout(5)
        link.connect(("127.0.0.1", world["tcp"]))
        return True
""",
    "non_blocking_connect_to_a_far_address": """
import errno, socket
def attack(world):
    with socket.socket() as link:
        link.setblocking(False)
        return link.connect_ex(("192.0.2.1", 80)) in (0, errno.EINPROGRESS)
""",
    "send_a_datagram": """
import socket
def attack(world):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as link:
        return link.sendto(b"out", ("127.0.0.1", world["udp"])) == 3
""",
    "connect_to_an_abstract_socket": """
import socket
def attack(world):
    with socket.socket(socket.AF_UNIX) as link:
        link.connect("\\0" + world["abstract"])
        return True
""",
    "send_to_an_abstract_socket_from_a_pair": """
import socket
def attack(world):
    ours, _ = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    return ours.sendto(b"out", "\\0" + world["abstract_datagram"]) == 3
""",
    "message_with_an_address_from_a_pair": """
import socket
def attack(world):
    ours, _ = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    return ours.sendmsg([b"out"], [], 0, "\\0" + world["abstract_datagram"]) == 3
""",
}

WRITING = {
    "write_outside_the_scratch": """
def attack(world):
    with open(world["new_file"], "w") as file:
        return file.write("written") == 7
""",
    "overwrite_a_file": """
def attack(world):
    with open(world["key"], "r+") as file:
        return file.write("written") == 7
""",
    "truncate_a_file": """
import os
def attack(world):
    os.truncate(world["key"], 0)
    return True
""",
    "delete_a_file": """
import os
def attack(world):
    os.unlink(world["key"])
    return True
""",
    "write_a_pth_into_the_environment": """
def attack(world):
    with open(world["pth"], "w") as file:
        return file.write("# canary\\n") > 0
""",
    "chmod": """
import os
def attack(world):
    os.chmod(world["key"], 0o600)
    return True
""",
    "utime": """
import os
def attack(world):
    os.utime(world["key"], (1, 1))
    return True
""",
    "setxattr": """
import os
def attack(world):
    os.setxattr(world["key"], "user.canary", b"x")
    return True
""",
    "fill_the_disk": """
import os
def attack(world):
    written, left = 0, []
    for folder in (world["folder"], os.environ.get("TMPDIR", "/"), "/tmp", "/var/tmp", "/dev/shm", "."):
        try:
            for number in range(5):
                if written > 200 << 20:
                    break
                with open(f"{folder}/fill{number}", "wb") as file:
                    left.append(file.name)
                    for _ in range(48):
                        written += file.write(bytes(1 << 20))
        except OSError:
            continue
    for name in left:
        os.unlink(name)
    return written > 200 << 20
""",
}

PROCESSES = {
    "fork_bomb": """
import os
def attack(world):
    children, (reading, writing) = [], os.pipe()
    while len(children) < world["forks"]:
        child = os.fork()
        if child == 0:
            os.close(writing)
            os.read(reading, 1)
            os._exit(0)
        children.append(child)
    os.close(writing)
    for child in children:
        os.waitpid(child, 0)
    return len(children) >= 20
""",
    "three_hundred_threads": """
import threading
def attack(world):
    free = threading.Event()
    threading.stack_size(64 * 1024)
    threads = [threading.Thread(target=free.wait, daemon=True) for _ in range(300)]
    try:
        for thread in threads:
            thread.start()
        return sum(thread.is_alive() for thread in threads) == 300
    finally:
        free.set()
""",
    "exec": """
import os
def attack(world):
    os.execv("/bin/echo", ["echo", "SUCCEEDED"])
""",
    "posix_spawn": """
import os
def attack(world):
    child = os.posix_spawn("/bin/true", ["true"], {})
    return os.waitpid(child, 0)[1] == 0
""",
    "fork_exec_of_the_interpreter": """
import _posixsubprocess, inspect, os, subprocess
def attack(world):
    return subprocess.run(["/bin/true"]).returncode == 0
""",
    "fork_exec_directly": """
import _posixsubprocess, os, subprocess
def attack(world):
    subprocess._USE_POSIX_SPAWN = subprocess._USE_VFORK = False
    return subprocess.run(["/bin/true"], start_new_session=True).returncode == 0
""",
    "daemon_by_double_fork": """
import os
def attack(world):
    reading, writing = os.pipe()
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            open(world["new_file"], "w").write("daemon")
        os._exit(0)
    os.close(writing)
    os.read(reading, 1)
    return True
""",
    "signal_to_the_parent": """
import os
def attack(world):
    os.kill(world["judge"], 0)
    return True
""",
    "signal_to_another_process": """
import os, signal
def attack(world):
    os.kill(world["victim"], signal.SIGKILL)
    return True
""",
    "signal_to_every_process_there_is": """
import os
def attack(world):
    os.kill(-1 if world["inside"] else world["victim"], 9)
    return True
""",
    "signal_by_file_ownership": """
import fcntl, os, signal
def attack(world):
    reading, writing = os.pipe()
    fcntl.fcntl(reading, fcntl.F_SETOWN, world["victim"])
    fcntl.fcntl(reading, 10, signal.SIGKILL)
    fcntl.fcntl(reading, fcntl.F_SETFL, fcntl.fcntl(reading, fcntl.F_GETFL) | os.O_ASYNC)
    os.write(writing, b"x")
    return True
""",
    "signal_by_process_descriptor": """
import os, signal
def attack(world):
    signal.pidfd_send_signal(os.pidfd_open(world["victim"]), signal.SIGKILL)
    return True
""",
    "limits_of_another_process": """
import resource
def attack(world):
    resource.prlimit(world["victim"], resource.RLIMIT_CORE, (0, 0))
    return True
""",
}

_SYSCALL = """
import ctypes, os, platform
LIBC = ctypes.CDLL(None, use_errno=True)
X86 = platform.machine() == "x86_64"
def call(x86, aarch64, *arguments):
    return LIBC.syscall(x86 if X86 else aarch64, *arguments)
"""

KERNEL = {
    "ptrace": _SYSCALL
    + """
def attack(world):
    return call(101, 117, 0x4206, world["victim"], None, None) == 0
""",
    "read_the_memory_of_another_process": _SYSCALL
    + """
def attack(world):
    buffer = ctypes.create_string_buffer(8)
    local = (ctypes.c_size_t * 2)(ctypes.addressof(buffer), 8)
    remote = (ctypes.c_size_t * 2)(world["address"], 8)
    return call(310, 270, world["victim"], local, 1, remote, 1, 0) == 8
""",
    "mount": """
import ctypes
LIBC = ctypes.CDLL(None, use_errno=True)
def attack(world):
    place = (world["empty"] if not world["inside"] else ".").encode()
    if LIBC.mount(b"tmpfs", place, b"tmpfs", 0, None) != 0:
        return False
    LIBC.umount2(place, 2)
    return True
""",
    "unshare": """
import ctypes
def attack(world):
    return ctypes.CDLL(None).unshare(0x10000000) == 0
""",
    "clone_into_a_new_user_namespace": _SYSCALL
    + """
def attack(world):
    child = call(56, 220, 0x10000000 | 17, 0, 0, 0, 0)
    if child == 0:
        os._exit(0)
    return child > 0 and os.waitpid(child, 0)[0] == child
""",
    "setuid": """
import os
def attack(world):
    os.setuid(1)
    return os.getuid() == 1
""",
    "setuid_to_root": """
import os
def attack(world):
    os.setresuid(0, 0, 0)
    return os.getuid() == 0
""",
    "io_uring": _SYSCALL
    + """
def attack(world):
    return call(425, 425, 8, ctypes.create_string_buffer(256)) >= 0
""",
    "open_by_handle": _SYSCALL
    + """
def attack(world):
    handle = ctypes.create_string_buffer((128).to_bytes(4, "little") + bytes(132), 136)
    mount = ctypes.c_int()
    if call(303, 264, -100, world["folder"].encode(), handle, ctypes.byref(mount), 0) != 0:
        return False
    root = os.open("/", os.O_RDONLY)
    return call(304, 265, root, handle, 0) >= 0
""",
    "bpf_program": _SYSCALL
    + """
def attack(world):
    attributes = (ctypes.c_uint32 * 32)(2, 4, 4, 1)
    return call(321, 280, 0, attributes, 128) >= 0
""",
    "file_in_memory": """
import os
def attack(world):
    return os.memfd_create("canary") >= 0
""",
    "change_of_priority": """
import os
def attack(world):
    os.setpriority(os.PRIO_PROCESS, world["victim"] if not world["inside"] else 0, 5)
    return True
""",
}

MEMORY = {
    "bytearrays": """
def attack(world):
    kept = [bytearray(b"x" * (1 << 20)) for _ in range(768)]
    return len(kept) == 768
""",
    "memory_files": """
import os
def attack(world):
    file = os.memfd_create("canary")
    return sum(os.write(file, bytes(1 << 20)) for _ in range(768)) == 768 << 20
""",
    "shared_mappings": """
import mmap
def attack(world):
    kept = [mmap.mmap(-1, 256 << 20) for _ in range(3)]
    return all(part.write(b"x" * (256 << 20)) for part in kept)
""",
    "three_processes": """
import os
def attack(world):
    children = []
    for _ in range(3):
        child = os.fork()
        if child == 0:
            kept = bytearray(b"x" * (256 << 20))
            os._exit(0)
        children.append(child)
    return [os.waitpid(child, 0)[1] for child in children] == [0, 0, 0]
""",
}

ATTACKS = READING | NETWORK | WRITING | PROCESSES | KERNEL | MEMORY

NOT_CLAIMED = {("landlock", "stat_leaks")}
"""What the documentation says a tier does not stop."""

CONTROL_NEEDS_PRIVILEGE = {
    "memory_of_the_parent", "mount", "setuid", "setuid_to_root", "ptrace", "read_the_memory_of_another_process",
    "open_by_handle", "bpf_program", "io_uring", "unshare", "clone_into_a_new_user_namespace", "setxattr",
    "write_a_pth_into_the_environment", "non_blocking_connect_to_a_far_address", "environment_in_proc",
    "chmod", "utime", "change_of_priority", "limits_of_another_process",
}  # fmt: skip
"""Attacks that a machine may deny to an ordinary process as well: without a control they prove nothing there."""
