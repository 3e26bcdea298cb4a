"""JSON text and JSON Schema: values read strictly, schemas compiled once, and what a value breaks in one."""
