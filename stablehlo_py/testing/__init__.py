"""What users need for lit suites of their own: see `lit` and `filecheck`."""
