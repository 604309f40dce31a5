"""Documents and queries, made for tests: few words, so that they meet often."""

from __future__ import annotations

from hypothesis import strategies as st

from stonebrowse.index import Document
from stonebrowse.text.passages import cut

WORDS = [
    "alpha", "alphas", "Alphabet", "beta", "beta-gamma", "gamma", "node.js", "js", "snake_case", "case", "CamelCase",
    "camel", "the", "The", "of", "a", "ab", "abc", "run", "runs", "running", "ran", "C++", "c", "don't", "naïve",
    "naive", "日本語", "日本", "本語", "語", "本", "北京大学 大学", "大学", "ภาษาไทย", "ไทย", "v1.2.3", "/etc/hosts", "✅", "x" * 70,
    "parseHtml", "html", "alpha alpha alpha", "the beta of", "e\u0301te\u0301",
]  # fmt: skip


def make(key: int, text: str, *, path: str = "a.md", title: str = "", tags: tuple[str, ...] = ()) -> Document:
    raw = text.encode()
    return Document(key, path, title, tags, cut(raw), raw)


words = st.sampled_from(WORDS)
phrases = st.lists(words, min_size=1, max_size=8).map(" ".join)


@st.composite
def texts(draw: st.DrawFn) -> str:
    pieces = []
    for _ in range(draw(st.integers(0, 5))):
        level = draw(st.integers(0, 3))
        if level:
            pieces.append("#" * level + " " + draw(phrases))
        pieces.append(draw(phrases))
        if draw(st.integers(0, 19)) == 0:
            paragraph = draw(phrases) + "\n\n"
            pieces.append(paragraph * (1 + 4500 // len(paragraph.encode())))  # more than one passage
    return "\n\n".join(pieces)


@st.composite
def documents(draw: st.DrawFn, key: int) -> Document:
    return make(
        key,
        draw(texts()),
        path=draw(
            st.sampled_from(
                ["a.md", "docs/alpha.md", "Beta-Gamma/node.js.md", "日本語/the of.md", "run/runs.md"]
            )
        ),
        title=draw(st.one_of(st.just(""), phrases)),
        tags=tuple(draw(st.lists(phrases, max_size=2))),
    )


@st.composite
def libraries(draw: st.DrawFn, least: int = 0, most: int = 6) -> list[Document]:
    count = draw(st.integers(least, most))
    return [draw(documents(key)) for key in range(1, count + 1)]


@st.composite
def items(draw: st.DrawFn) -> str:
    word = draw(st.one_of(words, st.sampled_from(["alp", "n", "zzz", "b", "日", "ca", "nod", "of the"])))
    form = draw(st.sampled_from(["{}", "{}", "{}", "{}*", '"{}"', "{} {}"]))
    text = form.format(word, draw(words)) if "{} {}" in form else form.format(word)
    if "{} {}" in form:
        text = f'"{text}"'
    field = draw(st.sampled_from(["", "", "", "", "heading:", "path:", "tag:", "title:"]))
    return draw(st.sampled_from(["", "", "", "-"])) + field + text


queries = st.lists(
    st.tuples(items(), st.sampled_from([" ", " ", " OR "])).map("".join), min_size=1, max_size=5
).map(lambda pieces: "".join(pieces).removesuffix(" OR "))
