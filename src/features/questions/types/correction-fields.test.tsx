import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { renderToPipeableStream } from 'react-dom/server'
import { expect, test } from 'vitest'
import { editedFromFile, QUESTION_TYPES, withAllRows } from './edit-registry.ts'
import { CorrectionFields } from './editor-registry.tsx'
import { EXAMPLES } from './examples.fixture.ts'

test.each(QUESTION_TYPES)(
  'the form that corrects an imported %s has fields filled with what was read',
  async (type) => {
    const edited = withAllRows(editedFromFile(EXAMPLES[type]))
    const stream = new PassThrough()
    const form = renderToPipeableStream(
      <CorrectionFields edited={edited} problemOf={() => undefined} onChange={() => undefined} />,
      { onAllReady: () => form.pipe(stream) },
    )
    const html = await text(stream)
    expect(html.match(/<textarea|<input/g)?.length).toBeGreaterThan(2)
    const { body = EXAMPLES[type] } = EXAMPLES[type] as { body?: unknown }
    const [first = ''] = /(?<="(?:text|value|answer_a)":")[\w .]{2,}(?=")/.exec(JSON.stringify(body)) ?? []
    expect(first).not.toBe('')
    expect(html).toContain(first)
  },
)
