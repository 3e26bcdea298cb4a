"""Images: what is measured of a file that is decoded to its end."""
