import { useId, useState, type DragEvent, type FormEvent } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { Failure, fill } from '../../../../lib/failure.ts'
import { adminPaths } from '../../../../lib/admin-paths.ts'
import { messageOf } from '../../../../platform/api-client.ts'
import { Button } from '../../../../ui/button.tsx'
import { RadioList } from '../../../../ui/radio-list.tsx'
import { SelectField } from '../../../../ui/select-field.tsx'
import { TextArea } from '../../../../ui/text-area.tsx'
import { IMPORT_FORMATS } from '../../../questions/formats/formats.schema.ts'
import { asOneFile, filesDropped, filesOf, sendImport, type ChosenFile } from '../imports-client.ts'
import { copy, formatNames } from '../imports.copy.ts'
import { MAX_IMPORT_BYTES, sizeText } from '../imports.ts'

const ways = ['files', 'folder', 'paste'] as const
type Way = (typeof ways)[number]

const limit = { mb: Math.floor(MAX_IMPORT_BYTES / 1024 / 1024) }

/** Chooses files, a folder or text, and uploads it. A selection that is too large is refused before it is read. */
export function UploadForm() {
  const { chosen, change, chooseWay, drop, submit, percent, problem } = useUpload()
  const { way, files, text, format } = chosen
  return (
    <form onSubmit={submit} noValidate className="min-w-0 space-y-4">
      <RadioList
        legend={copy['import.by']}
        choices={ways.map((value) => ({ value, label: copy[`import.by.${value}`] }))}
        chosen={way}
        onChoose={chooseWay}
      />
      {way === 'paste' ? (
        <TextArea
          label={copy['import.paste']}
          hint={copy['import.paste.hint']}
          value={text}
          problem={problem}
          spellCheck={false}
          onChange={(event) => change({ text: event.target.value })}
        />
      ) : (
        <FileField
          key={way}
          way={way}
          problem={problem}
          files={files}
          onChoose={(selected) => change({ files: selected })}
          onDrop={(dropped) => void drop(dropped)}
        />
      )}
      <SelectField
        label={copy['import.format']}
        value={format}
        onChange={(event) => change({ format: event.target.value })}
      >
        <option value="">{copy['import.format.auto']}</option>
        {IMPORT_FORMATS.map((name) => (
          <option key={name} value={name}>
            {formatNames[name]}
          </option>
        ))}
      </SelectField>
      <Button type="submit" aria-busy={percent !== null} aria-disabled={percent !== null}>
        {copy['import.read']}
      </Button>
      <p role="status" className="nums text-sm text-soft">
        {percent === null ? '' : fill(copy['import.sending'], { percent })}
      </p>
    </form>
  )
}

type Chosen = {
  readonly way: Way
  readonly files: readonly ChosenFile[]
  readonly text: string
  /** Empty to detect it. */
  readonly format: string
}

/** What was chosen, and the upload of it, which ends on the page of the import. */
function useUpload() {
  const navigate = useNavigate()
  const [query] = useSearchParams()
  const [chosen, setChosen] = useState<Chosen>({ way: 'files', files: [], text: '', format: '' })
  const [percent, setPercent] = useState<number | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const change = (changed: Partial<Chosen>) => setChosen((before) => ({ ...before, ...changed }))

  const send = async () => {
    const { way, files, text, format } = chosen
    const isEmpty = way === 'paste' ? text.trim() === '' : files.length === 0
    if (isEmpty) return setProblem(copy['import.nothing-chosen'])
    setProblem(null)
    setPercent(0)
    try {
      const sent =
        way === 'paste' ? { name: copy['import.paste.name'], bytes: new Blob([text]) } : await asOneFile(files)
      const { id } = await sendImport({ ...sent, format: format === '' ? null : format }, setPercent)
      // The record page preselects the course or exam that the import was begun from.
      const [course, exam] = [query.get('course'), query.get('exam')]
      const into = exam !== null ? `?exam=${exam}` : course !== null ? `?course=${course}` : ''
      await navigate(adminPaths.import(id) + into)
    } catch (error) {
      setPercent(null)
      setProblem(error instanceof Failure ? error.message : messageOf(error))
    }
  }
  const drop = async (dropped: Promise<ChosenFile[]>) => {
    setProblem(null)
    try {
      change({ files: await dropped })
    } catch {
      setProblem(copy['import.drop.unreadable'])
    }
  }
  const chooseWay = (way: Way) => {
    change({ way, files: [] })
    setProblem(null)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (percent === null) void send()
  }
  return { chosen, change, chooseWay, drop, submit, percent, problem }
}

function FileField({
  way,
  problem,
  files,
  onChoose,
  onDrop,
}: {
  way: 'files' | 'folder'
  problem: string | null
  files: readonly ChosenFile[]
  onChoose: (files: readonly ChosenFile[]) => void
  onDrop: (dropped: Promise<ChosenFile[]>) => void
}) {
  const [isOver, setOver] = useState(false)
  // The browser's own drop on a file input accepts files or a folder, never both.
  const handleDragOver = (event: DragEvent) => {
    event.preventDefault()
    setOver(true)
  }
  const handleDrop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    onDrop(filesDropped(event.dataTransfer))
  }
  const id = useId()
  // React's types lack the attribute that makes the input choose a folder.
  const folder = way === 'folder' ? ({ webkitdirectory: '' } as object) : {}
  return (
    <div>
      <label htmlFor={id} className="mb-1 block text-sm font-medium">
        {copy[`import.${way}`]}
      </label>
      <input
        id={id}
        type="file"
        multiple
        {...folder}
        aria-invalid={problem === null ? undefined : true}
        aria-describedby={`${id}-hint${problem === null ? '' : ` ${id}-problem`}`}
        onChange={(event) => onChoose(filesOf(event.target.files))}
        onDragOver={handleDragOver}
        onDragLeave={() => setOver(false)}
        onDrop={handleDrop}
        data-over={isOver}
        className="block w-full rounded-lg border border-dashed border-line-strong bg-surface p-6 text-base file:mr-4 file:min-h-11 file:rounded-md file:border file:border-line-strong file:bg-surface file:px-4 file:text-sm file:font-semibold file:text-ink data-[over=true]:border-accent data-[over=true]:bg-accent-soft aria-invalid:border-bad"
      />
      <p role="status" className="nums mt-1 text-sm font-semibold wrap-anywhere">
        {files.length === 0 ? '' : chosenText(files)}
      </p>
      {problem === null ? null : (
        <p id={`${id}-problem`} role="alert" className="mt-1 text-sm text-bad">
          {problem}
        </p>
      )}
      <p id={`${id}-hint`} className="mt-1 text-sm text-soft">
        {fill(copy[`import.${way}.hint`], limit)} {copy['import.drop']}
      </p>
    </div>
  )
}

/** Describes the files: dropped ones do not show in the input. */
function chosenText(files: readonly ChosenFile[]): string {
  const size = sizeText(files.reduce((sum, { file }) => sum + file.size, 0))
  const [first] = files
  return files.length === 1 && first !== undefined
    ? `${first.path}, ${size}`
    : fill(copy['import.chosen'], { n: files.length, size })
}
