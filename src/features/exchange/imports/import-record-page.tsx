import { useEffect, useState } from 'react'
import { useLoaderData, useNavigate, useRevalidator, type MetaFunction } from 'react-router'
import { fill } from '../../../lib/failure.ts'
import { adminPaths } from '../../../lib/admin-paths.ts'
import { formatInstant } from '../../../lib/time.ts'
import { toastOf } from '../../../platform/api-client.ts'
import { Button } from '../../../ui/button.tsx'
import { DialogBody, DialogFooter } from '../../../ui/dialog-parts.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { BackLink, Heading } from '../../../ui/page-parts.tsx'
import { toast } from '../../../ui/toasts.tsx'
import type { importRecordLoader } from './imports-endpoints.server.ts'
import { cancelImport, deleteImport, findImport } from './imports-client.ts'
import { copy, formatNames } from './imports.copy.ts'
import { isRunning, sizeText } from './imports.ts'
import type { ImportView } from './imports.schema.ts'
import { ImportCounts } from './ui/import-counts.tsx'
import { ImportFindings } from './ui/import-findings.tsx'
import { ImportedQuestions } from './ui/imported-questions.tsx'
import { MappingForm } from '../dry-run/mapping-form.tsx'
import { NearestFormats } from '../dry-run/nearest-formats.tsx'
import { ReadAgain } from './ui/read-again.tsx'
import { StoreForm } from '../storing/store-form.tsx'

export { importRecordLoader as loader } from './imports-endpoints.server.ts'

export const meta: MetaFunction<typeof importRecordLoader> = ({ data }) => [
  { title: data === undefined ? copy['import.title-of-page'] : data.view.name },
  { name: 'robots', content: 'noindex' },
]

/** One import: progress, result, destination and questions. */
export default function ImportRecordPage() {
  const { view: loaded, list, lost, begun, isAnyCourse, wanted } = useLoaderData<typeof importRecordLoader>()
  const view = usePolled(loaded)
  const { name, state, sizeBytes, madeBy, createdAt } = view
  const total = Object.values(view.counts).reduce(
    (sum, { open, stored, dismissed }) => sum + open + stored + dismissed,
    0,
  )
  return (
    <>
      <BackLink to={adminPaths.imports}>{copy['import.back']}</BackLink>
      <Heading of="record">{name}</Heading>
      <p className="nums mt-1 text-sm text-soft">
        {formatInstant(createdAt)}{' '}
        {madeBy === null ? copy['import.by-shell'] : fill(copy['import.by-whom'], { name: madeBy })},{' '}
        {sizeText(sizeBytes)}. {sentenceOfFormat(view)}
      </p>
      {isRunning(state) ? <Progress view={view} /> : null}
      {state === 'mapping' && view.columns !== null ? <MappingForm importId={view.id} columns={view.columns} /> : null}
      {state === 'failed' || state === 'cancelled' ? (
        <Notice tone={state === 'failed' ? 'bad' : 'info'} title={copy[`state.${state}`]} className="mt-6">
          <p>{state === 'failed' ? view.problem : copy['import.cancelled']}</p>
        </Notice>
      ) : null}
      <NearestFormats view={view} />
      {state === 'read' ? (
        <>
          {total === 0 ? (
            <Notice tone="flag" title={copy['import.no-questions']} className="mt-6" />
          ) : view.counts.there.open === total ? (
            <Notice tone="good" title={copy['import.nothing-changed']} className="mt-6" />
          ) : null}
          <ImportCounts view={view} shown={wanted.verdict} />
          <StoreForm view={view} begun={begun} isAnyCourse={isAnyCourse} />
          <ImportFindings findings={view.findings} lost={lost} />
          <ImportedQuestions view={view} list={list} wanted={wanted} />
        </>
      ) : (
        <ImportFindings findings={view.findings} lost={[]} />
      )}
      <ImportActions view={view} />
    </>
  )
}

function sentenceOfFormat({ format, sign }: ImportView): string {
  if (format === null) return ''
  return sign ?? fill(copy['import.taken-for'], { format: formatNames[format as keyof typeof formatNames] })
}

const POLL_MS = 700

/** The loaded import, updated from the server while it is being read. */
function usePolled(loaded: ImportView): ImportView {
  const { revalidate } = useRevalidator()
  const [polled, setPolled] = useState<ImportView | null>(null)
  const view = polled !== null && polled.id === loaded.id && isRunning(loaded.state) ? polled : loaded
  useEffect(() => {
    // A process on the server reads the file. Poll until it ends, then reload the page's data.
    if (!isRunning(loaded.state)) return
    let isGone = false
    const poll = async () => {
      const newest = await findImport(loaded.id).catch(() => null)
      if (isGone) return
      if (newest !== null) setPolled(newest)
      if (newest !== null && !isRunning(newest.state)) await revalidate()
    }
    const timer = setInterval(() => void poll(), POLL_MS)
    return () => {
      isGone = true
      clearInterval(timer)
    }
  }, [loaded.id, loaded.state, revalidate])
  return view
}

function Progress({ view }: { view: ImportView }) {
  const { revalidate } = useRevalidator()
  const handleCancel = async () => {
    try {
      await cancelImport(view.id)
      await revalidate()
    } catch (error) {
      toast(...toastOf(error))
    }
  }
  return (
    <section aria-label={copy[`state.${view.state}`]} className="mt-6 max-w-read">
      <progress max={100} value={view.percent} className="h-3 w-full" aria-label={copy['state.reading']} />
      <p className="nums mt-2 text-sm" role="status">
        {view.state === 'reading'
          ? fill(copy['import.progress.of'], { n: view.readCount, percent: view.percent })
          : copy[`state.${view.state}`]}
      </p>
      <Button look="secondary" className="mt-3" onClick={() => void handleCancel()}>
        {copy['import.cancel']}
      </Button>
    </section>
  )
}

/** Reading again and deleting, for an import that is not being read. */
function ImportActions({ view }: { view: ImportView }) {
  const navigate = useNavigate()
  const [isOpen, setOpen] = useState(false)
  if (isRunning(view.state)) return null
  const hasStored = Object.values(view.counts).some(({ stored }) => stored > 0)
  const handleDelete = async () => {
    try {
      await deleteImport(view.id)
      toast('success', copy['import.deleted'])
      await navigate(adminPaths.imports)
    } catch (error) {
      toast(...toastOf(error))
    }
  }
  return (
    <div className="mt-12 flex flex-wrap items-end gap-4 border-t border-line pt-6">
      {view.hasBytes && !hasStored ? <ReadAgain view={view} /> : null}
      <Button look="secondary" onClick={() => setOpen(true)}>
        {copy['import.delete']}
      </Button>
      <Dialog title={copy['import.delete.title']} isOpen={isOpen} onClose={() => setOpen(false)}>
        <DialogBody>
          <p>{copy['import.delete.about']}</p>
        </DialogBody>
        <DialogFooter cancel={copy['import.keep']} onCancel={() => setOpen(false)}>
          <Button look="danger" onClick={() => void handleDelete()}>
            {copy['import.delete.now']}
          </Button>
        </DialogFooter>
      </Dialog>
    </div>
  )
}
