"""What stands in a text, with offsets: values and quotations, the visible text of a page, the cells of JSON and CSV."""
