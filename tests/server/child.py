"""A server that tests can kill: `python -m server.child FOLDER PORT`, run in `tests`.  It prints "ready" when it is."""

import sys
from pathlib import Path

from foretell.server.network.serve import ServerSettings, run
from foretell.server.table.services import Timeouts
from server.rooms import OPEN

if __name__ == "__main__":
    folder, port = Path(sys.argv[1]), int(sys.argv[2])
    timeouts = Timeouts(grace=0.5, sleep=0.3)
    run(
        ServerSettings(
            data=folder,
            port=port,
            is_port_fixed=True,
            limits=OPEN,
            timeouts=timeouts,
            stand_in="counting",
        ),
        lambda _port: print("ready", flush=True),
    )
