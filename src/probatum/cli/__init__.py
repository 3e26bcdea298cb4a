"""The command line, kept thin: it parses, calls the application, renders. Nothing here decides a verdict."""
