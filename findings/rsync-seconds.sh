#!/usr/bin/env bash
# rsync, twice, of a store that is at rest both times.
#
# rsync passes over a file whose size and time are those of its copy. It sets the time of a copy to the nanosecond, so
# one would expect that it compares it to the nanosecond, too: then a save right after a run is found by the next run.
# It compares whole seconds, unless --modify-window=-1 is given. A database keeps its size when a page changes, so a
# save in the second in which the file was copied is in no later copy, until the file changes once more. Where a store
# has two files, one may be passed over and the other not: the copy of a sound SQLite store that rested during both
# runs has the log of today beside the database of before, and its check reports damage. Nothing is said, status 0.
#
# Who backs up sessions with rsync gives it --modify-window=-1 (--checksum finds it as well), or copies by other means.
set -euo pipefail

python3 -m pip install -q --no-deps --only-binary :all: --target lib apsw==3.54.1.0 >pip.log 2>&1 || {
    cat pip.log
    ! grep -q 'No matching distribution' pip.log || exit 77
    exit 1
}
version=3.5.0+ds1-0+deb12u1
download() { apt-get download -q "$@" >apt.log 2>&1; }
packages=(rsync=$version libpopt0 libxxhash0)
download "${packages[@]}" || { apt-get update >update.log 2>&1 && download "${packages[@]}"; } ||
    { echo "rsync $version is not offered"; exit 77; }
for package in *.deb; do dpkg -x "$package" root; done
libraries=$(echo "$PWD"/root/usr/lib/*)
export PYTHONPATH=$PWD/lib LD_LIBRARY_PATH=$libraries PATH=$PWD/root/usr/bin:$PATH

cat >copies.py <<'END_OF_COPIES'
import os, shutil, subprocess, sys, time
import apsw

def rsync(source, copy, *options):
    subprocess.run(["rsync", "-a", *options, source + "/", copy], check=True)

def second(path):
    return os.stat(path).st_mtime_ns // 1_000_000_000

def next_second():
    time.sleep(1.02 - time.time() % 1)

def store(folder, mode):
    shutil.rmtree(folder, ignore_errors=True)
    os.mkdir(folder)
    found = apsw.Connection(folder + "/session.db")
    found.pragma("journal_mode", mode)
    found.pragma("wal_autocheckpoint", 0)
    found.execute("create table tabs(id integer primary key, title text, visit integer)")
    found.execute("create index visits on tabs(visit)")
    with found:
        found.executemany("insert into tabs(title, visit) values(?, ?)", [("tab" * 50, 10 * i) for i in range(2000)])
    return found

def of_copy(copy, sql):
    shutil.rmtree("opened", ignore_errors=True)
    shutil.copytree(copy, "opened")
    return apsw.Connection("opened/session.db").execute(sql).fetchall()

print(subprocess.run(["rsync", "--version"], capture_output=True, text=True).stdout.split("  protocol")[0])
print("SQLite", apsw.sqlite_lib_version())

def one_file():
    """A save, a copy, another save, all in one second; then rest, and two more runs."""
    shutil.rmtree("copy", ignore_errors=True)
    tabs = store("profile", "delete")
    next_second()
    tabs.execute("update tabs set visit = 1 where id = 1")
    rsync("profile", "copy")
    tabs.execute("update tabs set visit = 2 where id = 1")
    path = "profile/session.db"
    if second(path) != second("copy/session.db") or os.path.getsize(path) != os.path.getsize("copy/session.db"):
        return None
    next_second()
    for run in range(2):
        rsync("profile", "copy")
    differ = os.stat(path).st_mtime_ns - os.stat("copy/session.db").st_mtime_ns
    visit = "select visit from tabs where id = 1"
    before = of_copy("copy", visit)[0][0]
    rsync("profile", "copy", "--modify-window=-1")
    return differ > 0, before, of_copy("copy", visit)[0][0]

def two_files():
    """The same with a log: the database is written into once more in the second of its copy, the log later."""
    shutil.rmtree("copy", ignore_errors=True)
    tabs = store("profile", "wal")
    path = "profile/session.db"
    next_second()
    tabs.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_PASSIVE)
    tabs.execute("update tabs set visit = visit + 5 where id between 900 and 1100")
    rsync("profile", "copy")
    tabs.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_PASSIVE)
    if second(path) != second("copy/session.db") or os.path.getsize(path) != os.path.getsize("copy/session.db"):
        return None
    next_second()
    tabs.execute("update tabs set title = 'the last save' where id = 1000")
    rsync("profile", "copy")
    check = "pragma integrity_check"
    sound = of_copy("profile", check)
    damage = of_copy("copy", check)
    rsync("profile", "copy", "--modify-window=-1")
    return sound[0][0], len(damage), damage[0][0], of_copy("copy", check)[0][0]

def tried(what):
    """What needs two saves and a run of rsync within a second is tried again on a busy machine."""
    for attempt in range(60):
        found = what()
        if found:
            return found
    sys.exit("this machine is too busy to save twice within a second")

differ, before, after = tried(one_file)
print("a store of one file: its time differs from the copy's:", differ)
print("  the copy after two more runs has visit", before, "of 2; with --modify-window=-1 it has", after)
sound, lines, first, mended = tried(two_files)
print("a store with a log, integrity_check:", sound)
print("  of the copy:", lines, "lines, as", repr(first) + "; with --modify-window=-1:", mended)
sys.exit(0 if (differ, before, after) == (True, 1, 2) and sound == mended == "ok" != first else 1)
END_OF_COPIES
python3 copies.py
