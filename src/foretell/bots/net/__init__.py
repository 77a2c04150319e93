"""The trained player: what its net is shown, and how its answers become actions (docs/training.md)."""
