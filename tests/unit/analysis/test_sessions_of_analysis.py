"""Whole outputs: what tests/unit/analysis/sessions shows of cost, diff, hash and view is what commands print."""

from sessions import session_test

test_commands_print_what_the_page_shows = session_test("analysis")
