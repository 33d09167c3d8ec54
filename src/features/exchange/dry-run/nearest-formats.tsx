import { fill } from '../../../lib/failure.ts'
import { toastOf } from '../../../platform/api-client.ts'
import { Button } from '../../../ui/button.tsx'
import { toast } from '../../../ui/toasts.tsx'
import { useMutation } from '../../../ui/use-mutation.ts'
import type { ImportFormat } from '../../questions/formats/formats.schema.ts'
import { readAgain } from '../imports/imports-client.ts'
import { copy, formatNames } from '../imports/imports.copy.ts'
import type { ImportView } from '../imports/imports.schema.ts'

/** Offers the formats that a file resembles, where it was not recognized or reading it gave nothing. */
export function NearestFormats({ view }: { view: ImportView }) {
  const { state, nearest, hasBytes, format } = view
  const isUnknown = state === 'failed' && format === null
  if (nearest.length === 0 || !hasBytes || !(isUnknown || (state === 'read' && isFruitless(view)))) return null
  return (
    <section aria-labelledby="nearest-heading" className="mt-6">
      <h2 id="nearest-heading" className="text-lg font-semibold">
        {copy[isUnknown ? 'import.nearest.none' : 'import.nearest']}
      </h2>
      <p className="mt-1 max-w-read text-soft">{copy['import.nearest.about']}</p>
      <ul className="mt-3 flex flex-wrap gap-3">
        {nearest.map((format) => (
          <li key={format} className="max-tablet:w-full">
            <ReadAs importId={view.id} format={format} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function ReadAs({ importId, format }: { importId: string; format: ImportFormat }) {
  const reading = useMutation(() => readAgain(importId, { format }), {
    revalidates: true,
    onFailure: (error) => toast(...toastOf(error)),
  })
  return (
    <Button look="secondary" className="max-tablet:w-full" {...reading.button} onClick={() => reading.run()}>
      {fill(copy['import.nearest.as'], { format: formatNames[format] })}
    </Button>
  )
}

/** Whether nothing was read that could be stored: then the format was probably taken for another one. */
function isFruitless({ counts }: ImportView): boolean {
  const { refused: _refused, ...others } = counts
  return Object.values(others).every(({ open, stored, dismissed }) => open + stored + dismissed === 0)
}
