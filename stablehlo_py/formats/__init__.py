"""Programs in other forms than StableHLO's own, in and out, each through an importer that exists; one file a form."""
