"""Pages of tables and figures: what they consist of (`elements.py`), and how they are drawn and written.

This folder knows nothing of graphs and searches. A suite (`pathfront/experiments`) makes elements out of its results; a
search (`paths.plot()`) makes them out of its trace. Whoever has a `Page` writes it with one of

    html.to_html(page)                     one self-contained page; `page/` has its styles and scripts
    markdown.to_markdown(page)             text with tables
    csv.to_csv(page, folder)               a file for each table and chart
    images.save_images(page, folder)       PNG and SVG of each chart, by matplotlib
"""
