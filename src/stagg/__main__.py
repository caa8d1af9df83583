"""``python -m stagg``: the command line."""

from stagg.cli.main import main

main()
