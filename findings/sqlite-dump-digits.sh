#!/usr/bin/env bash
# What SQLite's shell of 2026 writes about numbers.
#
# A dump is SQL that makes the database again, and up to SQLite 3.53 a REAL in it reads back as it was. With 3.54, in
# which quote(), casts and JSON functions give all seventeen digits that this takes, one would expect so all the more.
# But .dump (and .mode insert, .mode json) gives sixteen now. Times lose their last digit, so nothing of the restored
# database is found by the time that a program remembers; and what lies close together becomes equal: tabs that are
# ordered by numbers halved between their neighbors lose their order, and where the number must be unique, the dump
# ends with an error and rows are missing. sqldiff gives fifteen, in both: its SQL makes no equal database, ever.
#
# Who keeps times or positions as REAL must not carry them by a dump of that version; whole numbers are safe, and so
# are sqlite3_dbdump beside it, VACUUM INTO and copies of pages.
set -euo pipefail

for version in 3.53.0.0 3.54.1.0; do
    python3 -m pip install -q --no-deps --only-binary :all: --target lib-$version apsw==$version >pip.log 2>&1 || {
        cat pip.log
        ! grep -q 'No matching distribution' pip.log || exit 77
        exit 1
    }
done
older=lib-3.53.0.0/apsw/sqlite_extra_binaries
newer=lib-3.54.1.0/apsw/sqlite_extra_binaries
sqlite() { "$newer/sqlite3_shell" -batch -init /dev/null "$@"; }

# Fifty-four tabs, each opened between the first and the one opened before it.
sqlite tabs.db "create table tabs(title text, place real unique, used real);
    with recursive place(n, at) as
        (values (1, 2000.0) union all select n + 1, (1000.0 + at) / 2 from place where n < 54)
    insert into tabs select 'tab ' || n, at, 1796000000.1234567 + n from place"

# Prints what is in a database that was made from one's text.
of() {
    local says
    says=$(sqlite "$1.db" <"$1.sql" 2>&1 | grep -c 'UNIQUE constraint failed' || true)
    sqlite "$1.db" "attach 'tabs.db' as meant;
        select (select count(*) from main.tabs) || ' tabs, ' ||
            (select count(*) from main.tabs a join meant.tabs b using (title) where a.used = b.used) ||
            ' with their time, ' || $says || ' errors'"
}
"$older/sqlite3_shell" -batch -init /dev/null tabs.db .dump >older.sql
sqlite tabs.db .dump >newer.sql
"$newer/sqlite3_dbdump" tabs.db >dbdump.sql
for shell in "$older" "$newer"; do
    "$shell/sqlite3_shell" -batch -init /dev/null tabs.db \
        "select 'SQLite ' || sqlite_version() || ': quote() of a time gives ' || quote(used) from tabs limit 1"
done
was=$(of older)
is=$(of newer)
beside=$(of dbdump)
echo "54 tabs by .dump of 3.53.0: $was"
echo "54 tabs by .dump of 3.54.1: $is"
echo "54 tabs by sqlite3_dbdump:  $beside"
grep -m1 'tab 1'"'" newer.sql

# What sqldiff says again after each time that its SQL was run.
sqlite tabs.db "vacuum into 'changed.db'"
sqlite changed.db 'update tabs set used = used + 3600 where rowid = 1'
for round in 1 2 3; do
    "$newer/sqlite3_diff" tabs.db changed.db >difference-$round.sql
    sqlite tabs.db <difference-$round.sql
done
echo "sqldiff, for the third time: $(cat difference-3.sql)"

whole='54 tabs, 54 with their time, 0 errors'
[ "$was" = "$whole" ] && [ "$beside" = "$whole" ] && [[ $is != 54* && $is != *' 0 errors' ]] &&
    [ -s difference-1.sql ] && cmp -s difference-1.sql difference-3.sql
