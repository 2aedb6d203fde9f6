"""The static site: pages that people look at, and the search in them."""
