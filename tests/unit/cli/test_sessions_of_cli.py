"""Whole outputs: what tests/unit/cli/sessions shows of the tools' own flags is what commands print."""

from sessions import session_test

test_commands_print_what_the_page_shows = session_test("cli")
