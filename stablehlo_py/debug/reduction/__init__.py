"""Programs made smaller as long as they show an error: the search, its moves, and the text of a bug report."""
