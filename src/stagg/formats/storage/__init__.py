"""Bytes of files: where they come from, how many there may be, temporary files, and how they are written.

- ``source``: Source of bytes: a file or standard input, decompressed by magic bytes, decoded, cut into lines
- ``paths``: Paths of an INPUT: a file, the files of a folder, the matches of a pattern; names that are given or of
  folders
- ``size_limits``: Size limits of inputs: a small archive can unpack to more than a disk holds, and a pipe need not end
- ``atomic``: Atomic writes: temporary files beside the target, fsynced, then renamed, so that outputs are never torn
"""
