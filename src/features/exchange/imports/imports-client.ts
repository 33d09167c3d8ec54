import { zip, type AsyncZippable } from 'fflate'
import { CallFailed, clientOf } from '../../../platform/api-client.ts'
import type { FailureReply } from '../../../lib/failure.ts'
import type { QuestionEdit } from '../../questions/types/question-edit.schema.ts'
import type { importsApi } from './imports-endpoints.server.ts'
import { MAX_IMPORT_BYTES } from './imports.ts'
import { fail, type ImportView, type Mapping, type StoreImport } from './imports.schema.ts'
import { counted } from '../../../lib/text.ts'

const call = clientOf<typeof importsApi>()

export const findImport = (importId: string) => call('GET', '/api/imports/:importId', { params: { importId } })
export const readAgain = (importId: string, options: { format?: string | null; mapping?: Mapping | null }) =>
  call('POST', '/api/imports/:importId/read', { params: { importId }, body: options as never })
export const cancelImport = (importId: string) =>
  call('POST', '/api/imports/:importId/cancel', { params: { importId } })
export const deleteImport = (importId: string) => call('DELETE', '/api/imports/:importId', { params: { importId } })

/** The form sends the price as text; the server parses it. */
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

/** A file with its path in the chosen or dropped folder; without a folder, its name. */
export type ChosenFile = { readonly path: string; readonly file: File }

export function filesOf(list: FileList | null): ChosenFile[] {
  return [...(list ?? [])].map((file) => ({
    path: file.webkitRelativePath === '' ? file.name : file.webkitRelativePath,
    file,
  }))
}

/** The dropped files, folders included recursively. Call it inside the drop event. */
export async function filesDropped(dropped: DataTransfer): Promise<ChosenFile[]> {
  // The browser clears the items when the event ends, so the entries are read before any await.
  const entries = [...dropped.items].map((item) => item.webkitGetAsEntry())
  const loose = [...dropped.files]
  const files: ChosenFile[] = []
  for (const [place, entry] of entries.entries()) {
    const file = loose[place]
    if (entry !== null) await addEntry(entry, files)
    else if (file !== undefined) files.push({ path: file.name, file })
  }
  return files
}

async function addEntry(entry: FileSystemEntry, files: ChosenFile[]): Promise<void> {
  if (isFile(entry)) {
    const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject))
    files.push({ path: entry.fullPath.replace(/^\//, ''), file })
  }
  if (!isFolder(entry)) return
  const reader = entry.createReader()
  for (;;) {
    // Returns at most a hundred entries per call, and none at the end.
    const entries = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
    if (entries.length === 0) return
    for (const child of entries) await addEntry(child, files)
  }
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile
const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory

/** A single file as it is, or a zip of several with their paths. @throws Failure import.empty, import.too-large */
export async function asOneFile(files: readonly ChosenFile[]): Promise<{ name: string; bytes: Blob }> {
  const [first] = files
  if (first === undefined) throw fail('import.empty')
  if (files.reduce((sum, { file }) => sum + file.size, 0) > MAX_IMPORT_BYTES) throw fail('import.too-large')
  if (files.length === 1) return { name: first.file.name, bytes: first.file }
  const entries: AsyncZippable = {}
  for (const { path, file } of files) {
    // Not compressed: compressing takes longer than it saves on the upload.
    entries[path] = [new Uint8Array(await file.arrayBuffer()), { level: 0 }]
  }
  const [folder, ...rest] = first.path.split('/')
  const packed = await new Promise<Uint8Array>((resolve, reject) =>
    zip(entries, (problem, data) => (problem === null ? resolve(data) : reject(problem))),
  )
  return {
    name: `${folder === undefined || rest.length === 0 ? counted(files.length, 'file') : folder}.zip`,
    bytes: new Blob([packed as Uint8Array<ArrayBuffer>]),
  }
}

/**
 * Uploads with progress in whole percent. It uses XMLHttpRequest, because fetch does not report upload progress.
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
