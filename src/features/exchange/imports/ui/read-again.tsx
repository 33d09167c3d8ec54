import { useState } from 'react'
import { toastOf } from '../../../../platform/api-client.ts'
import { Button } from '../../../../ui/button.tsx'
import { SelectField } from '../../../../ui/select-field.tsx'
import { toast } from '../../../../ui/toasts.tsx'
import { useMutation } from '../../../../ui/use-mutation.ts'
import { IMPORT_FORMATS } from '../../../questions/formats/formats.schema.ts'
import { readAgain } from '../imports-client.ts'
import { copy, formatNames } from '../imports.copy.ts'
import type { ImportView } from '../imports.schema.ts'

/** Reads the file of an import again, as another format. */
export function ReadAgain({ view }: { view: ImportView }) {
  const [format, setFormat] = useState(view.wantedFormat ?? view.format ?? '')
  const reading = useMutation(() => readAgain(view.id, { format: format === '' ? null : format }), {
    revalidates: true,
    onFailure: (error) => toast(...toastOf(error)),
  })
  return (
    <>
      <SelectField label={copy['import.again.as']} value={format} onChange={(event) => setFormat(event.target.value)}>
        <option value="">{copy['import.format.auto']}</option>
        {IMPORT_FORMATS.map((name) => (
          <option key={name} value={name}>
            {formatNames[name]}
          </option>
        ))}
      </SelectField>
      <Button look="secondary" {...reading.button} onClick={() => reading.run()}>
        {copy['import.again']}
      </Button>
    </>
  )
}
