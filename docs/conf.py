"""Settings of the documentation site, which `tools/run generate/site` builds."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

from pygments.lexer import RegexLexer
from pygments.lexers.special import TextLexer
from pygments.token import Comment, Keyword, Name, Number, String, Text
from sphinx.application import Sphinx

sys.path.insert(0, str(Path(__file__).parent))

import generated_pages

from stablehlo_py.version import __version__

project = "stablehlo-py"
author = copyright = "the authors of stablehlo-py"  # noqa: A001 (Sphinx's name)
release = version = __version__

extensions = ["myst_nb", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
source_suffix = {".md": "myst-nb"}
exclude_patterns = ["_build", "includes"]
html_theme = "furo"
html_title = f"stablehlo-py {__version__}"
html_show_sourcelink = False
smartquotes = False  # --flags keep both dashes
html_static_path = ["_static"]
html_extra_path = ["llms.txt"]
html_css_files = ["site.css"]
html_js_files = ["site.js"]
html_search_scorer = str(Path(__file__).with_name("search_scores.js"))

myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3
nb_execution_mode = "force"
nb_execution_raise_on_error = True
nb_execution_timeout = 120
nb_merge_streams = True

default_role = "code"  # `x` in docstrings
autodoc_member_order = "bysource"
autodoc_typehints = "description"
napoleon_google_docstring = True
napoleon_use_ivar = True  # fields are documented with their class, and not once more as its members
# Types of the bindings and of numpy are named, and not linked.
nitpicky = False
# Tables that are made elsewhere skip a level of headings.
suppress_warnings = ["config.cache", "myst.header"]

# A link that leaves the folder of the documentation leads into the source tree, which the site does not have.
_LINK_OUT_OF_THE_SITE = re.compile(r"\[([^\]]+)\]\((\.\./(?:\.\./)*[\w./-]+)\)")


class MlirLexer(RegexLexer):
    """Colours for MLIR text."""

    name = "MLIR"
    aliases = ("mlir",)
    tokens = {  # noqa: RUF012 (pygments' interface)
        "root": [
            (r"//.*$", Comment),
            (r'"(?:[^"\\\n]|\\.)*"', String),
            (r"%[\w$.\-]+(?:#\d+)?", Name.Variable),
            (r"@[\w$.\-]+", Name.Function),
            (r"\^[\w$.\-]+", Name.Label),
            (r"[!#][A-Za-z_][\w$.]*", Keyword.Type),
            (r"\b[a-z_]+\.[\w.]+", Name.Builtin),
            (r"\b(?:module|func|return|tensor|dense|array|loc|private|public)\b", Keyword),
            (r"-?\b\d[\w.]*", Number),
            (r"\s+|.", Text),
        ]
    }


def _is_in_site(docname: str, target: str, source: Path) -> bool:
    path = (source / docname).parent / target
    return source in path.resolve().parents and path.exists()


def _name_files_of_the_tree(app: Sphinx, docname: str, content: list[str]) -> None:
    """Write the names of files outside the site instead of links to them."""
    source = Path(app.srcdir)

    def name(found: re.Match[str]) -> str:
        label, target = found.groups()
        if _is_in_site(docname, target, source):
            return found[0]
        return label if label.strip("`") == Path(target).name else f"{label} (`{target.lstrip('./')}`)"

    content[0] = _LINK_OUT_OF_THE_SITE.sub(name, content[0])


def _keep_bars(_app: Sphinx, _what: str, _name: str, _object: object, _options: object, lines: list[str]) -> None:
    """Keep `|x|` in docstrings what it is: a magnitude."""
    lines[:] = [line.replace("|", "\\|") for line in lines]


def _write_excerpts(app: Sphinx, error: Exception | None) -> None:
    """Write the texts of all pages as a script, for a search without a server."""
    if error is None and app.builder.format == "html":
        texts = {f"{name}.html": app.env.get_doctree(name).astext() for name in app.env.found_docs}
        script = f"window.EXCERPTS = {json.dumps(texts, ensure_ascii=False)};"
        (Path(app.outdir) / "_static" / "excerpts.js").write_text(script, encoding="utf-8")


def setup(app: Sphinx) -> None:
    """Register the lexers, and write the pages that are made of the tools and the tables of ops."""
    app.add_lexer("mlir", MlirLexer)
    app.add_lexer("mermaid", TextLexer)
    app.add_lexer("elisp", TextLexer)
    app.connect("builder-inited", lambda app: generated_pages.write(Path(app.srcdir) / "reference"))
    app.connect("build-finished", _write_excerpts)
    app.connect("source-read", _name_files_of_the_tree)
    app.connect("autodoc-process-docstring", _keep_bars, priority=900)
