"""Sources of cells: delimited text, Excel workbooks, Parquet.

- ``csv``: CSV and TSV: tables of text with commas, semicolons, tabs, bars or blanks, in the long layout or any other
- ``csv_rows``: Rows of CSV to columns: plain rows by the compiled twin, which leaves ids as bytes; odd ones one by one
- ``excel``: Excel workbooks, read and never written: a sheet is a table of cells in any layout
- ``excel_archive``: Excel workbook as an archive of parts: the part of each sheet, shared texts, styles that are dates
- ``excel_xml``: XML of an Excel workbook: elements one after another, without document types, entities or deep nesting
- ``excel_cells``: Cells of one sheet of an Excel workbook, row by row
- ``excel_dates``: Dates and times in Excel workbooks: numbers of days whose number format says that they are dates
- ``parquet``: Parquet tables, with the columns and rules of CSV
- ``dialects``: Dialects of text tables: the character, the bars or the runs of blanks between cells, found in the first
  lines
- ``survey_headers``: Headers of several lines, as surveys write them: one line of names is made of them, "question
  [option]"
- ``markdown``: Markdown tables, read and never written: cells between bars, a line of dashes below the header
- ``frames``: Data frames as tables: pandas, Polars, pyarrow, DuckDB relations, and rows that are dicts
- ``gene_sets``: Gene sets (.gmt of MSigDB and Enrichr): a name, a description and genes in each line, with tabs between
"""
