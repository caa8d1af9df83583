"""The command line: each command parses, calls the library and prints.

- ``main``: ``stagg``: the group of commands, exit statuses, and the handling of errors, warnings and Ctrl-C
- ``commands``: The commands: one module each, named as the command is called
- ``options``: Options that several commands share
- ``show``: Output for people: tables, messages, progress
- ``fuse_in_parts``: ``stagg fuse``, some queries at a time: the output, its temporary files, and the messages
- ``fuse_by_spark``: ``stagg fuse --engine spark``: the options that it accepts, and its messages
"""
