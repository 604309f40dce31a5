"""English inflection: which other forms of a word a search for it also finds.

A form is a plural, a third person, a past, or an -ing form; derived words (-er, -ly, -ation) are other words.
The rules generate forms, most of which no text holds: only those that an index knows cost anything. Two words
are forms of each other when they share a base, so the relation goes both ways.
"""

from __future__ import annotations

from functools import lru_cache

_LEAST_LETTERS = 3
_VOWELS = frozenset("aeiou")
_HISSING = ("s", "x", "z", "ch", "sh")

_IRREGULAR = """
appendix appendices|analysis analyses|axis axes|basis bases|become became|begin began begun|bind bound|break broke
broken|bring brought|build built|buy bought|catch caught|child children|choose chose chosen|come came|crisis crises
criterion criteria|datum data|deal dealt|diagnosis diagnoses|dig dug|do does did done doing|draw drew drawn|drive
drove driven|eat ate eaten|fall fell fallen|feed fed|feel felt|fight fought|find found|fly flew flown|foot feet
forget forgot forgotten|freeze froze frozen|get got gotten|give gave given|go goes went gone going|goose geese
grow grew grown|half halves|hang hung|have has had having|hear heard|hide hid hidden|hold held|hypothesis hypotheses
index indices indexes|keep kept|knife knives|know knew known|lay laid|lead led|leaf leaves|leave left|lend lent
life lives|lose lost|make made|man men|matrix matrices|mean meant|medium media|meet met|mouse mice|parenthesis
parentheses|pay paid|person people|phenomenon phenomena|quiz quizzes|ride rode ridden|ring rang rung|rise rose risen
run ran|say said|schema schemata|see saw seen|seek sought|sell sold|send sent|shake shook shaken|shelf shelves
shoot shot|show showed shown|sing sang sung|sink sank sunk|sit sat|sleep slept|speak spoke spoken|spend spent
spin spun|stand stood|steal stole stolen|stick stuck|strike struck|swear swore sworn|swim swam swum|take took taken
teach taught|tear tore torn|tell told|thesis theses|think thought|throw threw thrown|tooth teeth|understand understood
vertex vertices|wake woke woken|wear wore worn|wife wives|win won|wind wound|wolf wolves|woman women|write wrote
written|synopsis synopses|override overrode overridden|overwrite overwrote overwritten|rewrite rewrote rewritten
rebuild rebuilt|reset resetting|undo undoes undid undone|upload uploaded
"""


def _irregular() -> dict[str, tuple[str, ...]]:
    """Each irregular form → all of its word's irregular forms, the base first."""
    table: dict[str, tuple[str, ...]] = {}
    for entry in " ".join(_lines_joined()).split("|"):
        forms = tuple(entry.split())
        for form in forms:
            table[form] = tuple(dict.fromkeys((*table.get(form, ()), *forms)))
    return table
