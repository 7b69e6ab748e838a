"""The kernels, by family. Importing a module registers its ops."""
