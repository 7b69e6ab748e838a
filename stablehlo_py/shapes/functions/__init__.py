"""The library functions that come with the package, one file a family of ops."""
