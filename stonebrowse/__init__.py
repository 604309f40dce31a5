"""stonebrowse: browse, search and cite a folder of Markdown in the terminal."""

__version__ = "0.1.0"
