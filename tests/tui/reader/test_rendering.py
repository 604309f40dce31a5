"""How each kind of block looks, as plain text: what colour adds is never needed to read it."""

from __future__ import annotations

from inspect import cleandoc

import pytest

from tests.tui.reader.pages import rows_of, screen, source


def shown(text: str, width: int = 40) -> str:
    return screen(cleandoc(text), width)


def test_heading_levels_are_seen_without_colour() -> None:
    assert shown(
        """
        # One
        ## Two
        ### Three
        text
        ###### Six
        """,
        16,
    ) == cleandoc(
        """
        # One
        ━━━━━━━━━━━━━━━━

        ## Two
        ────────────────

        ### Three

        text

        ###### Six
        """
    )


def test_setext_headings_and_long_ones_wrap_under_their_text() -> None:
    assert shown("A heading over\ntwo lines\n===\n", 12) == "# A heading\n  over two\n  lines\n━━━━━━━━━━━━"


def test_paragraphs_wrap_at_words_and_hard_breaks_break() -> None:
    assert shown("some words that\nwrap here  \nand break\n", 12) == "some words\nthat wrap\nhere\nand break"


def test_lines_of_wide_characters_join_without_a_blank() -> None:
    assert shown("漢字\n漢字 and\nwords") == "漢字漢字 and words"


@pytest.mark.parametrize(
    ("text", "style"),
    [
        ("*a*", "emphasis"),
        ("**a**", "strong"),
        ("~~a~~", "strike"),
        ("`a`", "code"),
        ("[a](b.md)", "link"),
        ("***a***", "emphasis strong"),
        ("<kbd>a</kbd>", "key"),
        ("<u>a</u>", "underline"),
        ("https://example.org/a", "link"),
        ("[[a]]", "link"),
        ("# `a`", "heading-1 code"),
        ("> *a*", "quote emphasis"),
    ],
)
def test_inline_styles(text: str, style: str) -> None:
    spans = [span for row in rows_of(source(text)) for span in row.spans if "a" in span.text]
    assert [span.style for span in spans] == [style]


def test_lists_are_nested_numbered_and_tight_or_loose() -> None:
    assert shown(
        """
        - one
        - two
          - deep
            - deeper
        - [ ] open
        - [x] done

        8. eight
        9. nine
        10. ten

        * loose

        * items
        """
    ) == cleandoc(
        """
        • one
        • two
          ◦ deep
            ▪ deeper
        [ ] open
        [x] done

         8. eight
         9. nine
        10. ten

        • loose

        • items
        """
    )


def test_numbers_count_on_whatever_the_source_says() -> None:
    assert shown("3) a\n3) b\n3) c\n") == "3) a\n4) b\n5) c"


def test_an_item_without_text_keeps_its_mark() -> None:
    assert shown("- a\n-\n- c\n") == "• a\n•\n• c"


def test_items_hold_several_blocks() -> None:
    assert shown("1. one\n\n   > quoted\n\n       code\n2. two\n") == (
        "1. one\n\n   ▎ quoted\n\n     code\n\n2. two"
    )


def test_quotes_are_nested_with_bars() -> None:
    assert shown("> one two three four five six\n>\n> > in\n", 16) == (
        "▎ one two three\n▎ four five six\n▎\n▎ ▎ in"
    )


def test_an_empty_quote_is_a_bar() -> None:
    assert shown("a\n\n>\n\nb\n") == "a\n\n▎\n\nb"


def test_callouts_have_a_title() -> None:
    assert shown("> [!WARNING]\n> Mind the step.\n\n> [!tip]- A *title*\n> And\n>\n> - text\n") == cleandoc(
        """
        ┃ WARNING
        ┃ Mind the step.

        ┃ TIP · A title
        ┃ And
        ┃
        ┃ • text
        """
    )


def test_code_is_kept_and_long_lines_are_wrapped_with_a_mark() -> None:
    text = "text\n\n```py\nif x:\n\tf( a )\n0123456789abcdef\n```\n\n    indented\n"
    assert screen(text, 12) == (
        "text\n          py\n  if x:\n      f( a )\n  0123456789\n↪ abcdef\n\n  indented"
    )


def test_a_fence_that_is_never_closed_goes_to_the_end() -> None:
    assert shown("```\na\n\n# b\n") == "  a\n\n  # b"


def test_tables_are_aligned() -> None:
    assert shown("| a | b | c |\n|:--|--:|:-:|\n| left | 1 | mid |\n| x | 22 | m |\n") == cleandoc(
        """
        a    │  b │  c
        ─────┼────┼────
        left │  1 │ mid
        x    │ 22 │  m
        """
    )


def test_cells_wrap_where_the_page_is_narrow() -> None:
    table = "| key | value |\n|---|---|\n| one | some longer text in it |\n| two | short |\n"
    assert screen(table, 20) == cleandoc(
        """
        key │ value
        ────┼───────────────
        one │ some longer
            │ text in it
        ╌╌╌╌┼╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌
        two │ short
        """
    )


def test_a_table_that_cannot_fit_is_wider_than_the_page() -> None:
    head = "|" + "|".join(f" column{index} " for index in range(8)) + "|\n"
    rows = rows_of(source(head + "|---" * 8 + "|\n" + head), 40)
    assert all(row.width > 40 and row.fixed == 0 for row in rows)


def test_links_and_images() -> None:
    images = "![alt text](img/x.png) ![](y.png) [![badge](z.svg)](w.md)"
    rows = rows_of(source(f"[a *b*](c.md) {images} <https://e.org/> [r][] [no][]\n\n[r]: d.md\n"), 200)
    assert "".join(span.text for span in rows[0].spans) == (
        "a b ▨ alt text (img/x.png) ▨ y.png ▨ badge https://e.org/ r [no][]"
    )
    targets = {span.text: span.link.target for row in rows for span in row.spans if span.link}
    assert targets == {
        "a ": "c.md",
        "b": "c.md",
        "▨ alt text": "img/x.png",
        "▨ y.png": "y.png",
        "▨ badge": "w.md",
        "https://e.org/": "https://e.org/",
        "r": "d.md",
    }


def test_web_addresses_end_before_punctuation() -> None:
    rows = rows_of(source("See https://e.org/a_(b)?c=1. Or http://x.org/, [[wiki|shown]]!"), 100)
    assert [span.link.target for span in rows[0].spans if span.link] == [
        "https://e.org/a_(b)?c=1",
        "http://x.org/",
        "[[wiki]]",
    ]


def test_definitions_and_front_matter_are_folded_to_a_line() -> None:
    assert shown("---\ntitle: T\nx: 1\n---\n# H\n\n[a]: b\n[c]: d\n\nend\n\n[e]: f\n") == cleandoc(
        """
        ▸ front matter · T · 4 lines

        # H
        ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━
        ⋯ 2 link definitions

        end

        ⋯ 1 link definition
        """
    )


def test_a_footnote_stands_where_it_is_defined_under_its_label() -> None:
    assert shown("Text[^a] and [^b].\n\n[^a]: The note,\n    on two lines.\n\n    More.\n") == (
        "Text[^a] and [^b].\n\n[^a] The note, on two lines.\n\n  More."
    )


def test_html_is_shown_plainly() -> None:
    assert shown(
        """
        <div align="center">
          <h1>Name</h1>
          <img src="logo.png" alt="Logo">
          <p>a &amp; <b>b</b><br>c</p>
          <ul><li>item</li></ul>
          <tr><td>cell</td><td>other</td></tr>
        </div>

        <!-- a comment -->

        </div>

        Press <kbd>x</kbd>, not <T>.
        """
    ) == cleandoc(
        """
        Name
        ▨ Logo (logo.png)
        a & b
        c
        • item
        cell   other

        <!-- a comment -->

        Press x, not <T>.
        """
    )


def test_rules_and_math_and_mermaid() -> None:
    assert shown("a\n\n---\n\n$x_1 + y$\n\n```mermaid\ngraph TD\n```\n", 12) == (
        "a\n\n────────────\n\n$x_1 + y$\n     mermaid\n  graph TD"
    )


def test_brackets_are_text() -> None:
    text = "[red]plain[/red] [/] [@click=app.quit]x[/] [b"
    assert screen(text, 80) == text


def test_nesting_deeper_than_the_parser_goes_is_shown_as_source() -> None:
    assert "x" in screen(">" * 3000 + " x\n", 80)
    assert "x" in screen("- " * 300 + "x\n", 80)
    assert "x" in screen("> " * 120 + "x\n\nafter\n", 80)
