"""What the package uses of LLVM's lit, which has no types of its own."""
