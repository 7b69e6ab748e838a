"""Every op of a program measured: in one engine against another, against another program, in double precision."""
