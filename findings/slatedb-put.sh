#!/usr/bin/env bash
# The same save in SlateDB 0.13 and 0.17.
#
# SlateDB became known for a put that returns when the write is in the object store; who wanted it sooner said so
# (await_durable=False). One would expect that a program keeps that when SlateDB is updated, or that it no longer runs.
# The program below runs unchanged with both: with 0.13.1 `await put` waits for the next flush, and what it wrote is
# there after a kill. With 0.17.0 it returns at once, while the write is still under way, and a kill then takes it. The
# promise has moved into a method of what put returns, await_durable(), which 0.13.1 does not have.
#
# Who keeps sessions in an engine that is not 1.0 yet needs a test that kills it after each save it acknowledged, with
# every new version: the types and names need not tell.
set -euo pipefail

for version in 0.13.1 0.17.0; do
    python3 -m pip install -q --no-deps --only-binary :all: --target lib-$version slatedb==$version >pip.log 2>&1 || {
        cat pip.log
        ! grep -q 'No matching distribution' pip.log || exit 77
        exit 1
    }
done

cat >save.py <<'END_OF_SAVE'
import asyncio, os, signal, sys, time
from slatedb.uniffi import DbBuilder, ObjectStore

folder = os.path.abspath(sys.argv[1]).lstrip("/")

async def opened():
    return await DbBuilder(folder, ObjectStore.resolve("file:///")).build()

async def save():
    store = await opened()
    began = time.monotonic()
    acknowledged = await store.put(b"tab", b"state" * 400_000)
    print(f"put returned after {(time.monotonic() - began) * 1000:.1f} ms;", end=" ")
    print("await_durable" if hasattr(acknowledged, "await_durable") else "nothing", "is left to call;", end=" ")
    if "durable" in sys.argv:
        await acknowledged.await_durable()
    sys.stdout.flush()
    os.kill(os.getpid(), signal.SIGKILL)

async def look():
    store = await opened()
    print("after a kill:", "kept" if await store.get(b"tab") else "lost")
    await store.shutdown()

asyncio.run(look() if sys.argv[2] == "look" else save())
END_OF_SAVE

# Prints what a save said, and what is there after its process was killed.
try() {
    export PYTHONPATH=$PWD/lib-$1
    rm -rf store
    { python3 save.py store save "${@:2}" || true; } 2>killed.log
    python3 save.py store look
}
# A kill that comes late enough finds all written: the new version has a few tries, the others must keep it in each.
for round in 1 2; do
    old=$(try 0.13.1)
    durable=$(try 0.17.0 durable)
    [[ $old == *"nothing is left"*kept && $durable == *kept ]] || break
done
for round in 1 2 3 4 5 6 7 8; do
    new=$(try 0.17.0)
    [[ $new == *kept ]] || break
done
echo "SlateDB 0.13.1: $old"
echo "SlateDB 0.17.0: $new (try $round)"
echo "SlateDB 0.17.0, await_durable() called: $durable"
[[ $old == *"nothing is left"*kept && $new == *"await_durable is left"*lost && $durable == *kept ]]
