"""Output of a reproduction: tables, figures, a page, and the files of its folder.

- ``printed_tables``: Tables of a reproduction: the paper's figures and ours, line by line
- ``figures``: Figures of a reproduction, drawn by matplotlib: the paper's figures beside ours
- ``embedding``: Embed a matplotlib figure in a page: its text stays text, its colours are those of the page, light or
  dark
- ``reproduction_page``: Page of a reproduction: HTML, the same as Markdown, and a summary for the terminal
- ``folder``: Folder of a reproduction: the report, its tables as CSV and JSON, and how it was made
"""
