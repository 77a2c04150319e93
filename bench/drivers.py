"""psycopg and asyncpg on the statement of a move: what one commit costs this process, and how long it takes.

    pip install asyncpg; python bench/drivers.py

The drivers take turns on one real PostgreSQL.  psycopg works in a thread of its own, as in the server; asyncpg works in
the event loop; with "arrays" it gets eight arrays in place of a JSON text.  Processor time decides how many moves a
process carries.
"""

import asyncio
import re
import sys
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from statistics import median

import asyncpg

# In place of this folder, whose server.py would hide the package of the tests.
sys.path[0] = str(Path(__file__).parents[1] / "tests")

from foretell.server.store import ownership  # noqa: E402
from foretell.server.store.postgresql import PostgresqlStore  # noqa: E402
from foretell.server.store.postgresql_database import connect  # noqa: E402
from foretell.server.store.processes import Process  # noqa: E402
from server.postgresql import postgresql  # noqa: E402

_COMMITS, _TURNS = 100, 5
_TOGETHER = (1, 8, 64)  # actions in one commit

_ARRAYS = """unnest(
    $1::text[], $2::text[], $3::bigint[], $4::int[], $5::int[], $6::text[], $7::bool[], $8::float8[]
) AS g(table_id, game_id, epoch, number, seat, action, by_bot, at)
"""

Commit = Callable[[int], Awaitable[object]]


def _rows(driver: str, together: int, number: int) -> list[ownership.Row]:
    return [
        (f"{driver} {n}", f"{driver} {n}", 1, number, 0, "play R5", False, 1.0)
        for n in range(together)
    ]


async def _measured(commit: Commit, first: int) -> tuple[float, float]:
    """Microseconds of processor time, and of time, for each commit."""
    cpu, begun = time.process_time(), time.perf_counter()
    for number in range(first, first + _COMMITS):
        await commit(number)
    count = _COMMITS / 1e6
    return (time.process_time() - cpu) / count, (time.perf_counter() - begun) / count


async def _compared(url: str, together: int) -> dict[str, list[tuple[float, float]]]:
    ours = connect(url)
    for driver in ("psycopg", "asyncpg", "arrays"):
        for n in range(together):
            values = {"id": f"{driver} {n}"}
            ours.execute("DELETE FROM ownership WHERE table_id = :id", values)
            ours.execute("DELETE FROM actions WHERE game_id = :id", values)
            ours.execute(
                "INSERT INTO ownership (table_id, epoch, version, number, game_id)"
                " VALUES (:id, 1, 0, 0, :id)",
                values,
            )
    theirs = await asyncpg.connect(url)
    # asyncpg takes arrays, too; for psycopg they are dear.
    with_json = await theirs.prepare(ownership._APPEND.replace(":rows", "$1"))
    arrays = await theirs.prepare(
        re.sub(
            r"json_to_recordset\(.*?\) AS g\(.*?\)\n", _ARRAYS, ownership._APPEND, flags=re.DOTALL
        )
    )
    loop, thread = asyncio.get_running_loop(), ThreadPoolExecutor(1)

    async def with_psycopg(number: int) -> None:
        rows = _rows("psycopg", together, number)
        insert = ownership.insert_actions
        answers = await loop.run_in_executor(thread, lambda: list(insert(ours, rows)))
        assert all(answers)

    async def with_asyncpg(number: int) -> None:
        rows = [ownership._Given(*row) for row in _rows("asyncpg", together, number)]
        assert len(await with_json.fetch(ownership._encode(rows).decode())) == together

    async def with_arrays(number: int) -> None:
        columns = map(list, zip(*_rows("arrays", together, number), strict=True))
        assert len(await arrays.fetch(*columns)) == together

    ways = {"psycopg": with_psycopg, "asyncpg": with_asyncpg, "arrays": with_arrays}
    found: dict[str, list[tuple[float, float]]] = {way: [] for way in ways}
    for turn in range(_TURNS):
        for way, commit in ways.items():
            found[way].append(await _measured(commit, turn * _COMMITS))
    await theirs.close()
    ours.close()
    return found


async def _main(url: str) -> None:
    store = PostgresqlStore(url, Process("bench", "nowhere:1", "", 60.0))
    await store.close()
    print("actions in a commit   driver    CPU µs   time µs")
    for together in _TOGETHER:
        for driver, turns in (await _compared(url, together)).items():
            cpu, wall = (median(one[part] for one in turns) for part in (0, 1))
            print(f"{together:19d}   {driver}   {cpu:6.0f}   {wall:7.0f}")


if __name__ == "__main__":
    with postgresql(syncs=True) as server:
        assert server is not None, "no PostgreSQL here"
        asyncio.run(_main(server.new_database()))
