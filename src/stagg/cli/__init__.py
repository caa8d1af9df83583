"""The command line: each command parses, calls the library and prints.

- ``main``: ``stagg``: the group of commands, exit statuses, and the handling of errors, warnings and Ctrl-C
- ``commands``: The commands: one module each, named as the command is called
- ``options``: Options that several commands share
- ``show``: Output for people: tables, messages, progress
"""
