import { useState } from 'react'
import { useRevalidator } from 'react-router'
import { toastOf } from '../../../../platform/api-client.ts'
import { Button } from '../../../../ui/button.tsx'
import { SelectField } from '../../../../ui/select-field.tsx'
import { toast } from '../../../../ui/toasts.tsx'
import { IMPORT_FORMATS } from '../../../questions/formats/formats.schema.ts'
import { readAgain } from '../imports-client.ts'
import { copy, formatNames } from '../imports.copy.ts'
import type { ImportView } from '../imports.schema.ts'

/** Reads what was sent once more: as what it is, when it was taken for something else. */
export function ReadAgain({ view }: { view: ImportView }) {
  const { revalidate } = useRevalidator()
  const [format, setFormat] = useState(view.wantedFormat ?? view.format ?? '')
  const handleAgain = async () => {
    try {
      await readAgain(view.id, { format: format === '' ? null : format })
      await revalidate()
    } catch (error) {
      toast(...toastOf(error))
    }
  }
  return (
    <>
      <SelectField label={copy['import.again.as']} value={format} onChange={(event) => setFormat(event.target.value)}>
        <option value="">{copy['import.format.auto']}</option>
        {IMPORT_FORMATS.map((one) => (
          <option key={one} value={one}>
            {formatNames[one]}
          </option>
        ))}
      </SelectField>
      <Button look="secondary" onClick={() => void handleAgain()}>
        {copy['import.again']}
      </Button>
    </>
  )
}
