"""What stands in a text: values and quotations, the visible text of a page, the places of JSON and CSV, with offsets."""
