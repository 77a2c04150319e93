"""Environments for learning programs: a PettingZoo environment, and thousands of games at once (docs/environments.md).

    from foretell.envs import wizard_v0                  one game, with PettingZoo
    from foretell.envs.many_games import ManyGames       many games, as arrays

They need NumPy, and the first one PettingZoo: `pip install 'foretell[envs]'`.
"""
