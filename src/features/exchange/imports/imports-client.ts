import { zip, type AsyncZippable } from 'fflate'
import { CallFailed, clientOf } from '../../../platform/api-client.ts'
import type { FailureReply } from '../../../lib/failure.ts'
import type { QuestionEdit } from '../../authoring/drafts/drafts.schema.ts'
import type { importsApi } from './imports-endpoints.server.ts'
import { MAX_IMPORT_BYTES } from './imports.ts'
import { fail, type ImportView, type Mapping, type StoreImport } from './imports.schema.ts'

const call = clientOf<typeof importsApi>()

export const findImport = (importId: string) => call('GET', '/api/imports/:importId', { params: { importId } })
export const readAgain = (importId: string, how: { format?: string | null; mapping?: Mapping | null }) =>
  call('POST', '/api/imports/:importId/read', { params: { importId }, body: how as never })
export const callOff = (importId: string) => call('POST', '/api/imports/:importId/cancel', { params: { importId } })
export const deleteImport = (importId: string) => call('DELETE', '/api/imports/:importId', { params: { importId } })

/** What a form sends; the server reads the price. */
type StoreForm = Parameters<typeof store>[1]
const store = (importId: string, body: { target: Record<string, unknown>; withReview: boolean }) =>
  call('POST', '/api/imports/:importId/store', { params: { importId }, body: body as unknown as StoreImport as never })

/** @throws CallFailed, with problems under `target.…` */
export const storeImport = (importId: string, body: StoreForm) => store(importId, body)

export const dismissQuestions = (importId: string, places?: number[]) =>
  call('POST', '/api/imports/:importId/dismiss', { params: { importId }, body: places === undefined ? {} : { places } })

/** @throws CallFailed, with problems by the field of the edit */
export const correctQuestion = (importId: string, place: number, question: QuestionEdit) =>
  call('POST', '/api/imports/:importId/questions/:place/correct', { params: { importId, place }, body: { question } })

/** A file with its path in the folder that was chosen or dropped; without a folder, its name. */
export type ChosenFile = { readonly path: string; readonly file: File }

export function filesOf(list: FileList | null): ChosenFile[] {
  return [...(list ?? [])].map((file) => ({
    path: file.webkitRelativePath === '' ? file.name : file.webkitRelativePath,
    file,
  }))
}

/** Everything that was dropped, folders with all that is in them. To be called while the drop is being told. */
export async function filesDropped(dropped: DataTransfer): Promise<ChosenFile[]> {
  // What was dropped is forgotten as soon as the event is over, so that entries are taken first.
  const entries = [...dropped.items].map((item) => item.webkitGetAsEntry())
  const loose = [...dropped.files]
  const found: ChosenFile[] = []
  for (const [place, entry] of entries.entries()) {
    const file = loose[place]
    if (entry !== null) await addEntry(entry, found)
    else if (file !== undefined) found.push({ path: file.name, file })
  }
  return found
}

async function addEntry(entry: FileSystemEntry, found: ChosenFile[]): Promise<void> {
  if (isFile(entry)) {
    const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject))
    found.push({ path: entry.fullPath.replace(/^\//, ''), file })
  }
  if (!isFolder(entry)) return
  const reader = entry.createReader()
  for (;;) {
    // A hundred at a time, until there are none.
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
    if (some.length === 0) return
    for (const one of some) await addEntry(one, found)
  }
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile
const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory

/** Files as one: itself where there is one, else a zip of all, with the paths that they have in their folder. */
export async function asOneFile(files: readonly ChosenFile[]): Promise<{ name: string; bytes: Blob }> {
  const [first] = files
  if (first === undefined) throw fail('import.empty')
  if (files.reduce((sum, { file }) => sum + file.size, 0) > MAX_IMPORT_BYTES) throw fail('import.too-large')
  if (files.length === 1) return { name: first.file.name, bytes: first.file }
  const entries: AsyncZippable = {}
  for (const { path, file } of files) {
    // Stored, not packed: the way to the server is shorter than the packing takes.
    entries[path] = [new Uint8Array(await file.arrayBuffer()), { level: 0 }]
  }
  const [folder, ...rest] = first.path.split('/')
  const packed = await new Promise<Uint8Array>((resolve, reject) =>
    zip(entries, (problem, data) => (problem === null ? resolve(data) : reject(problem))),
  )
  return {
    name: `${folder === undefined || rest.length === 0 ? `${files.length} files` : folder}.zip`,
    bytes: new Blob([packed as Uint8Array<ArrayBuffer>]),
  }
}

/**
 * Sends the bytes and says how far they are: the browser's fetch can't, so this is a request of the older kind.
 * @throws CallFailed
 */
export function sendImport(
  send: { name: string; bytes: Blob; format: string | null },
  onProgress: (percent: number) => void,
): Promise<ImportView> {
  const query = new URLSearchParams({ name: send.name, ...(send.format === null ? {} : { format: send.format }) })
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('POST', `/api/imports?${query}`)
    request.setRequestHeader('content-type', 'application/octet-stream')
    request.responseType = 'json'
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(Math.floor((100 * loaded) / total)))
    request.addEventListener('load', () => {
      if (request.status === 200) resolve(request.response as ImportView)
      else reject(failureOf(request.status, request.response as FailureReply | null))
    })
    request.addEventListener('error', () => reject(failureOf(0, null)))
    request.send(send.bytes)
  })
}

function failureOf(status: number, reply: FailureReply | null): CallFailed {
  const message = 'The file did not arrive. Check the connection and send it again.'
  return new CallFailed(status, reply?.error ?? { kind: 'network', code: 'NETWORK_ERROR', message })
}
