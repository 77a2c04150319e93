"""The rules as players read them: which section explains which rule, and examples that the engine plays.

The texts are in i18n/handbook, one file for each language.  The page shows them (web/src/handbook), and so does
`foretell rules P3`.
"""

from foretell.handbook.examples import EXAMPLES, Example
from foretell.handbook.generated import handbook_json
from foretell.handbook.sections import SECTIONS, Section, section_of, text_keys
from foretell.handbook.steps import Step, steps

__all__ = [
    "EXAMPLES",
    "SECTIONS",
    "Example",
    "Section",
    "Step",
    "handbook_json",
    "section_of",
    "steps",
    "text_keys",
]
