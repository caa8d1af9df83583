"""Arrays in, arrays out: no ids, no classes, no files. Pure NumPy; compiled twins will have the same names."""
