"""Dates: calendars, times and zones, spans and counts, intervals, business days by a declared calendar."""
