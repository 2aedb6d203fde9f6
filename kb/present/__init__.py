"""Text for terminals: values in, lines out. Nothing here reads a file or knows an option."""
