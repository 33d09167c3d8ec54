/** The note type of our cards. Its id never changes: Anki recognizes a known note type by it. */
export const NOTE_TYPE_ID = 1_732_406_400_000
const NOTE_TYPE = 'Altocert question'

/** `Altocert` holds the question itself; no template shows it. */
const FIELDS = ['Front', 'Back', 'Altocert'] as const

/** Anki separates the fields of a note by this character. */
export const FIELD_MARK = '\u001f'

const CSS = `.card { font-family: system-ui, sans-serif; font-size: 18px; line-height: 1.5; text-align: left; color: #1b1b1f; background: #fff; max-width: 44rem; margin: 0 auto; padding: 0 1rem; }
.nightMode.card { color: #ececf0; background: #1b1b1f; }
img { max-width: 100%; height: auto; }
pre { overflow-x: auto; padding: 0.5rem; background: rgba(128, 128, 128, 0.15); }
ol[type='A'] > li { margin: 0.4rem 0; }
table { border-collapse: collapse; }
th, td { border: 1px solid; padding: 0.2rem 0.5rem; }
.area { padding: 0 0.3rem; color: #fff; background: #1b1b1f; transform: translate(-50%, -50%); }
`

/** The `models` of a collection (schema 11): our note type alone. @param seconds when it was written */
export function modelsOf(seconds: number): Record<string, unknown> {
  const field = (name: string, ord: number) => ({
    name,
    ord,
    sticky: false,
    rtl: false,
    font: 'Arial',
    size: 20,
    media: [],
  })
  const template = {
    name: 'Card 1',
    ord: 0,
    qfmt: '{{Front}}',
    afmt: '{{FrontSide}}\n\n<hr id="answer">\n\n{{Back}}',
    bqfmt: '',
    bafmt: '',
    did: null,
  }
  const model = {
    id: NOTE_TYPE_ID,
    name: NOTE_TYPE,
    type: 0,
    mod: seconds,
    usn: -1,
    sortf: 0,
    did: 1,
    tmpls: [template],
    flds: FIELDS.map(field),
    css: CSS,
    latexPre:
      '\\documentclass[12pt]{article}\n\\special{papersize=3in,5in}\n\\usepackage{amssymb,amsmath}\n\\pagestyle{empty}\n\\begin{document}\n',
    latexPost: '\\end{document}',
    latexsvg: false,
    req: [[0, 'any', [0]]],
    tags: [],
    vers: [],
  }
  return { [NOTE_TYPE_ID]: model }
}
