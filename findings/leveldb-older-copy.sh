#!/usr/bin/env bash
# An older copy of a LevelDB or RocksDB store, put back over the newer one.
#
# Restoring a backup into its folder leaves the files that have come since (rsync without --delete, cp, restic, an
# archive). One would expect the older state, since the manifest that CURRENT names knows nothing of the newer files;
# or an error, since the newest log goes on at numbers far beyond what the manifest says. Instead both engines replay
# every log in the folder with a high enough number: the *last* writes before the restore are applied to the old
# state, and the writes between are missing. No moment ever had this content, and no option for strict checks objects.
# DuckDB, in the same place, refuses: its log says of which state it is the continuation.
#
# Who restores sessions empties the folder first, and who keeps a log writes into it what it continues.
set -euo pipefail

install() {
    python3 -m pip install -q --only-binary :all: --target lib "$@" >pip.log 2>&1 && return
    cat pip.log
    ! grep -q 'No matching distribution' pip.log || exit 77
    exit 1
}
install plyvel==1.5.1 rocksdict==0.3.29 duckdb==2.0.1
export PYTHONPATH=$PWD/lib

cat >restore.py <<'END_OF_RESTORE'
import importlib.metadata, os, shutil, sys
import duckdb, plyvel, rocksdict

def leveldb():
    return plyvel.DB("leveldb", create_if_missing=True, paranoid_checks=True)

def rocksdb():
    options = rocksdict.Options(raw_mode=True)
    options.create_if_missing(True)
    options.set_paranoid_checks(True)
    return rocksdict.Rdict("rocksdb", options)

def mixed(engine, name, open_store):
    """What a store says to the three tabs after an older copy was put back over it."""
    def session(write):
        store = open_store()
        put = store.put
        write(put)
        if engine == "RocksDB":
            store.flush_wal(True)
            # As after a kill: the folder is copied with the log of this session still in it.
            shutil.copytree(name, name + "-killed")
        store.close()
        if engine == "RocksDB":
            shutil.rmtree(name)
            os.rename(name + "-killed", name)

    session(lambda put: [put(b"tab%03d" % i, b"monday") for i in range(300)])
    shutil.copytree(name, name + "-backup")
    session(lambda put: [put(b"tab%03d" % i, b"tuesday") for i in range(300)])
    session(lambda put: put(b"tab007", b"wednesday"))
    shutil.copytree(name + "-backup", name, dirs_exist_ok=True)

    store = open_store()
    found = {}
    for i in range(300):
        value = store.get(b"tab%03d" % i).decode()
        found[value] = found.get(value, 0) + 1
    store.close()
    return found

print("LevelDB of plyvel", importlib.metadata.version("plyvel"))
of_leveldb = mixed("LevelDB", "leveldb", leveldb)
print("  Monday's copy put back over Wednesday's store holds", of_leveldb)
of_rocksdb = mixed("RocksDB", "rocksdb", rocksdb)
version = next(line.split()[-1] for line in open("rocksdb/LOG") if "RocksDB version" in line)
print("RocksDB", version, "of rocksdict", importlib.metadata.version("rocksdict"))
print("  Monday's copy put back over Wednesday's store holds", of_rocksdb)

print("DuckDB", duckdb.__version__)
store = duckdb.connect("tabs.duckdb")
store.execute("create table tabs as select range as id, 'monday' as title from range(300)")
store.close()
shutil.copy("tabs.duckdb", "backup.duckdb")
if os.fork() == 0:
    store = duckdb.connect("tabs.duckdb")
    store.execute("update tabs set title='tuesday'")
    store.execute("checkpoint")
    store.execute("update tabs set title='wednesday' where id=7")
    os._exit(0)
os.wait()
shutil.copy("backup.duckdb", "tabs.duckdb")
try:
    duckdb.connect("tabs.duckdb")
    refused = False
except duckdb.IOException as error:
    refused = "checkpoint iteration" in str(error)
print("  refuses it" if refused else "  opens it")

expected = {"monday": 299, "wednesday": 1}
sys.exit(0 if of_leveldb == expected and of_rocksdb == expected and refused else 1)
END_OF_RESTORE
python3 restore.py
