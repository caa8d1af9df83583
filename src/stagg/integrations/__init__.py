"""Adapters to the tools that people use, each behind an extra of its own: ``from stagg.integrations.ranx import fuse``.

Nothing is imported here: a module brings in its package where it is needed, or says which extra to install.
"""
