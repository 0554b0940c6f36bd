#!/usr/bin/env bash
# SQLite's rollback journal, as Turso sees it.
#
# One would expect that an engine which reads and writes SQLite's files, locks them and says "ok" to an integrity
# check, undoes the half of a transaction that a killed SQLite left in the file; or that it refuses a file with a
# journal beside it. It never looks at the journal: it reads the half as committed, makes the file a WAL database at
# opening, and commits on top. SQLite, which comes next, still finds its journal and plays it back: of a transaction
# that Turso acknowledged some rows stay and others go, and both engines say "ok" all the time.
#
# Who keeps sessions in SQLite may let no other engine near a store that was not closed in order, not even to look.
set -euo pipefail

install() {
    python3 -m pip install -q --only-binary :all: --target lib "$@" >pip.log 2>&1 && return
    cat pip.log
    ! grep -q 'No matching distribution' pip.log || exit 77
    exit 1
}
install apsw==3.54.1.0 pyturso==0.8.3 typing-extensions==4.15.0
export PYTHONPATH=$PWD/lib

# A session of 500 tabs; the browser ends while it renames them all, and with a small cache some pages are written.
cat >browser.py <<'END_OF_BROWSER'
import apsw, os, signal
store = apsw.Connection("session.db")
store.pragma("journal_mode", "delete")
store.pragma("cache_size", 5)
store.execute("create table tabs(id integer primary key, title text)")
with store:
    store.executemany("insert into tabs(title) values(?)", [("old" * 100,)] * 500)
store.execute("begin")
store.execute("update tabs set title=?", ("new" * 100,))
os.kill(os.getpid(), signal.SIGKILL)
END_OF_BROWSER
(python3 browser.py || true) 2>ended.log
[ -s session.db-journal ] || { cat ended.log; exit 1; }

cat >look.py <<'END_OF_LOOK'
import importlib.metadata, os, shutil, sys
import apsw, turso

def titles(store):
    return {title: count for title, count in
            store.execute("select substr(title, 1, 3), count(*) from tabs group by 1 order by 1").fetchall()}

print("Turso", importlib.metadata.version("pyturso"), "and SQLite", apsw.sqlite_lib_version())

for end in ("", "-journal"):
    shutil.copy("session.db" + end, "sound.db" + end)
sound = titles(apsw.Connection("sound.db"))
print("SQLite reads of a copy:          ", sound)

store = turso.connect("session.db")
half = titles(store)
print("Turso reads:                     ", half, *store.execute("pragma integrity_check").fetchall()[0])
store.execute("update tabs set title='by Turso' where id in (1, 2, 500)")
store.commit()
written = titles(store)
print("Turso commits three titles:      ", written)
store.close()
print("The journal is still there:      ", os.path.exists("session.db-journal"))

store = apsw.Connection("session.db")
after = titles(store)
print("SQLite reads what is left of it: ", after, store.pragma("integrity_check"))

as_told = (sound == {"old": 500} and half.get("new", 0) > 0 and half.get("old", 0) > 0 and written["by "] == 3
           and 0 < after["by "] < 3 and store.pragma("integrity_check") == "ok")
sys.exit(0 if as_told else 1)
END_OF_LOOK
python3 look.py
