"""Every sentence that people read comes from a catalogue: one flat JSON file for each language, in this folder.

Keys are dotted (`error.must_follow`), values are texts with `{placeholders}`.

* A text that depends on a number has one entry for each plural form, with the suffixes that i18next uses: `tricks_one`,
  `tricks_other`; the number is called `count`.  Those two forms are enough for every language here (plurals.py).
* A placeholder may ask for a form of the word that fills it: `{colour:object}` is the text `colour.R.object`, where
  `{colour}` is `colour.R`.  That is how a language inflects words and adds articles.

The page reads the same files, so they hold nothing that only Python understands.
"""

from foretell.i18n.catalogues import Catalogue, Term, catalogue, languages, listed
from foretell.i18n.language_tags import accepted_language, best_language, terminal_language
from foretell.i18n.spoken import say, speak, texts
from foretell.i18n.typed_words import plainly_typed, typed_words

__all__ = [
    "Catalogue",
    "Term",
    "accepted_language",
    "best_language",
    "catalogue",
    "languages",
    "listed",
    "plainly_typed",
    "say",
    "speak",
    "terminal_language",
    "texts",
    "typed_words",
]
