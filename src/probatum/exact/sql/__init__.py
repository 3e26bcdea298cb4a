"""SQL: queries bound to declared tables, held to read only, and compared with other queries."""
