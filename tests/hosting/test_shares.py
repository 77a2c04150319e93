"""The programs in bench/ can give a server a share of a core."""

import subprocess
import sys
import time

import pytest
from bench.load.servers import busy_seconds
from bench.load.shares import Unavailable, limited

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="control groups")


def test_a_process_gets_its_share_of_a_core_and_no_more() -> None:
    with subprocess.Popen([sys.executable, "-c", "while True: pass"]) as spinning:
        try:
            with limited(spinning.pid, 0.1):
                before = busy_seconds(spinning.pid)
                time.sleep(1)
                assert busy_seconds(spinning.pid) - before < 0.2
        except Unavailable as why:
            pytest.skip(str(why))
        finally:
            spinning.kill()
