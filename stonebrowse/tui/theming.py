"""The settings' themes as Textual knows them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.theme import Theme as TextualTheme

if TYPE_CHECKING:
    from stonebrowse.settings.themes import Theme


def textual_theme(theme: Theme) -> TextualTheme:
    """A theme for Textual: its own names where they mean the same, and every colour as a CSS variable.

    A theme's colour `heading1` is `$sb-heading1` in CSS; underscores become hyphens.
    """
    color = theme.colors
    own = {f"sb-{name.replace('_', '-')}": value for name, value in color.items()}
    return TextualTheme(
        name=theme.name,
        dark=theme.dark,
        primary=color["accent"],
        secondary=color["link"],
        accent=color["accent"],
        warning=color["warning"],
        error=color["error"],
        success=color["success"],
        foreground=color["text"],
        background=color["background"],
        surface=color["surface"],
        panel=color["bar"],
        ansi=color["background"].startswith("ansi_"),
        variables={
            **own,
            # Used by Textual's own style sheets and, for themes of the terminal's colours, not set by it.
            "ansi-background": color["background"],
            "ansi-foreground": color["text"],
            "scrollbar": color["border"],
            "scrollbar-hover": color["muted"],
            "scrollbar-active": color["accent"],
            "scrollbar-background": color["background"],
            "scrollbar-background-hover": color["background"],
            "scrollbar-background-active": color["background"],
            "input-cursor-background": color["accent"],
            "input-cursor-foreground": color["background"],
            "input-selection-background": color["selection"],
            "input-selection-foreground": color["selection_text"],
        },
    )
