"""Whole outputs: what tests/unit/engines/sessions shows is what commands print."""

from sessions import session_test

test_commands_print_what_the_page_shows = session_test("engines")
