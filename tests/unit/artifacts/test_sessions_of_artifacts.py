"""Whole outputs: what tests/unit/artifacts/sessions shows of the verbs of versions is what commands print."""

from sessions import session_test

test_commands_print_what_the_page_shows = session_test("artifacts")
