import { parseKeep, parseSchedule, type BackupKeep, type BackupSchedule } from './backup-plan.ts'

/** A bucket of an S3 service, with the key for it. */
export type BucketSettings = {
  readonly bucket: string
  /** Of every object's name: empty, or it ends with a slash. */
  readonly prefix: string
  /** The address of the service, without a path. */
  readonly endpoint: string
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken: string | undefined
}

/** Where scheduled backups go, a folder, a bucket or both, and when. */
export type BackupSettings = {
  readonly dir: string | null
  readonly bucket: BucketSettings | null
  readonly schedule: BackupSchedule
  readonly keep: BackupKeep
}

/** As many characters as a seal needs. */
export const MIN_PASSPHRASE = 12

type Read = {
  readonly text: (name: string) => string | undefined
  readonly problems: string[]
  readonly isLoopbackHost: (host: string) => boolean
}

/** Null when no backups are made. Says in `problems` what is wrong. */
export function readBackupSettings(read: Read): BackupSettings | null {
  const { text, problems } = read
  const schedule = parseSchedule(text('BACKUP_SCHEDULE') ?? 'daily 03:30')
  if (schedule === null)
    problems.push('BACKUP_SCHEDULE: is not hourly, or daily with a time of day such as daily 03:30')
  const hourly = schedule?.every === 'hour' ? '24 hourly, ' : ''
  const keep = parseKeep(text('BACKUP_KEEP') ?? `${hourly}7 daily, 4 weekly, 12 monthly`)
  if (keep === null)
    problems.push('BACKUP_KEEP: is not like 7 daily, 4 weekly, 12 monthly (hourly, daily, weekly, monthly, yearly)')
  const dir = text('BACKUP_DIR') ?? null
  const isBucket = text('BACKUP_S3_BUCKET') !== undefined
  for (const name of ['BACKUP_S3_ENDPOINT', 'BACKUP_S3_REGION'])
    if (!isBucket && text(name) !== undefined) problems.push(`${name}: needs BACKUP_S3_BUCKET, where the backups go`)
  if (dir === null && !isBucket) {
    for (const name of ['BACKUP_SCHEDULE', 'BACKUP_KEEP'])
      if (text(name) !== undefined) problems.push(`${name}: needs BACKUP_DIR or BACKUP_S3_BUCKET, where the backups go`)
    return null
  }
  if (/^[a-z0-9]+:\/\//i.test(dir ?? '')) problems.push('BACKUP_DIR: is not a folder; BACKUP_S3_BUCKET names a bucket')
  if ((text('ALTOCERT_BACKUP_PASSPHRASE')?.length ?? MIN_PASSPHRASE) < MIN_PASSPHRASE)
    problems.push(`ALTOCERT_BACKUP_PASSPHRASE: needs ${MIN_PASSPHRASE} characters or more`)
  const bucket = isBucket ? readBucket(read) : null
  return schedule === null || keep === null ? null : { dir, bucket, schedule, keep }
}

const PLACE = /^([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])((?:\/[\w.-]+)*)\/?$/

function readBucket({ text, problems, isLoopbackHost }: Read): BucketSettings | null {
  const [, bucket, folders = ''] = PLACE.exec(text('BACKUP_S3_BUCKET') ?? '') ?? []
  if (bucket === undefined)
    problems.push('BACKUP_S3_BUCKET: is not the name of a bucket, or of a bucket and a folder such as backups/shop')
  const region = text('BACKUP_S3_REGION') ?? text('AWS_REGION')
  const given = text('BACKUP_S3_ENDPOINT')
  if (given === undefined && region === undefined)
    problems.push('BACKUP_S3_REGION: is missing; services other than AWS need BACKUP_S3_ENDPOINT instead')
  const endpoint = parseEndpoint(given ?? `https://s3.${region}.amazonaws.com`)
  if (endpoint === null) problems.push('BACKUP_S3_ENDPOINT: is not an https or http address without a path')
  else if (
    endpoint.protocol === 'http:' &&
    !isLoopbackHost(endpoint.hostname) &&
    text('ALTOCERT_BACKUP_PASSPHRASE') === undefined
  )
    problems.push(
      'BACKUP_S3_ENDPOINT: is not https; without ALTOCERT_BACKUP_PASSPHRASE anybody on the way could read the backups',
    )
  const [accessKeyId, secretAccessKey] = [text('AWS_ACCESS_KEY_ID'), text('AWS_SECRET_ACCESS_KEY')]
  if (accessKeyId === undefined) problems.push('AWS_ACCESS_KEY_ID: is missing, the key for BACKUP_S3_BUCKET')
  if (secretAccessKey === undefined) problems.push('AWS_SECRET_ACCESS_KEY: is missing, the key for BACKUP_S3_BUCKET')
  if (bucket === undefined || endpoint === null || accessKeyId === undefined || secretAccessKey === undefined)
    return null
  return {
    bucket,
    prefix: folders === '' ? '' : `${folders.slice(1)}/`,
    endpoint: endpoint.origin,
    region: region ?? 'us-east-1',
    accessKeyId,
    secretAccessKey,
    sessionToken: text('AWS_SESSION_TOKEN'),
  }
}

function parseEndpoint(text: string): URL | null {
  if (!URL.canParse(text)) return null
  const url = new URL(text)
  return /^https?:$/.test(url.protocol) && url.pathname === '/' && url.search === '' ? url : null
}
