"""The calculations that come with the package, one file a family of ops."""
