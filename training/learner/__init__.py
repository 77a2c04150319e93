"""The learner: PPO with one net for every rule set, in PyTorch."""
