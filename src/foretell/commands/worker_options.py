"""The options that say who does the work: processes of this machine, or a cluster (docs/cluster.md)."""

import click

__all__ = ["cluster_option", "processes_option"]

cluster_option = click.option("--cluster", "is_cluster", is_flag=True, help="cli.cluster")
processes_option = click.option(
    "--processes", type=click.IntRange(min=1), default=1, show_default=True, help="cli.processes"
)
