"""``python -m stagg``: the command line."""

from stagg_start import main

main()
