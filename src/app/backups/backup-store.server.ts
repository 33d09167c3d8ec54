/** Where backups lie: a folder, or a bucket. */
export type BackupStore = {
  /** What `BACKUP_DIR` says. */
  readonly place: string
  list(): Promise<readonly StoredFile[]>
  /** A file appears under its name only once it is whole. */
  write(name: string, bytes: AsyncIterable<Uint8Array>): Promise<void>
  read(name: string): AsyncIterable<Uint8Array>
  delete(name: string): Promise<void>
  /** Deletes what writes that never ended have left. */
  deleteLeftovers(): Promise<void>
}

export type StoredFile = { readonly name: string; readonly bytes: number }

/** The store could not do what was asked. The message is for the operator. */
export class StoreFailed extends Error {
  override readonly name = 'StoreFailed'
}
