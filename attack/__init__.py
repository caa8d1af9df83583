"""Attacks on stagg that anyone can rerun: see SECURITY.md."""
