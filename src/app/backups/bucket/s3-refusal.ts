/** What S3's codes of errors mean for an operator. Other codes are shown as they are. */
const REASONS: Readonly<Record<string, string>> = {
  InvalidAccessKeyId: 'the service does not know AWS_ACCESS_KEY_ID',
  SignatureDoesNotMatch: 'AWS_SECRET_ACCESS_KEY is not the secret of AWS_ACCESS_KEY_ID',
  AccessDenied: 'the key may not do this',
  ExpiredToken: 'AWS_SESSION_TOKEN has expired',
  InvalidToken: 'AWS_SESSION_TOKEN is not valid',
  RequestTimeTooSkewed: 'the clock of this machine is more than 15 minutes wrong',
  NoSuchBucket: 'there is no such bucket',
  NoSuchKey: 'there is no such object in it',
  PermanentRedirect: 'the bucket is in another region than BACKUP_S3_REGION says',
  AuthorizationHeaderMalformed: 'the bucket is in another region than BACKUP_S3_REGION says',
  QuotaExceeded: 'it is full',
  XMinioStorageFull: 'it is full',
  XMinioAdminBucketQuotaExceeded: 'it is full',
  InsufficientStorage: 'it is full',
  SlowDown: 'the service asks to slow down',
}

const STATUSES: Readonly<Record<number, string>> = {
  301: 'PermanentRedirect',
  307: 'PermanentRedirect',
  403: 'AccessDenied',
  507: 'InsufficientStorage',
}

export function refusalReason(status: number, code: string): string {
  const known = REASONS[code] ?? REASONS[STATUSES[status] ?? '']
  return known ?? `the service answered ${[status, code].filter((part) => part !== '').join(' ')}`
}

/** What errors of a connection mean, by their code. */
const NETWORK: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'its name could not be resolved',
  ECONNRESET: 'the connection was lost',
  UND_ERR_SOCKET: 'the connection was lost',
  EPIPE: 'the connection was lost',
  EHOSTUNREACH: 'there is no way to it',
  ENETUNREACH: 'there is no way to it',
  UND_ERR_CONNECT_TIMEOUT: 'it could not be reached in time',
  ETIMEDOUT: 'it could not be reached in time',
}

export function networkReason(code: string): string {
  if (/CERT|SELF_SIGNED|UNABLE_TO/.test(code)) return `its certificate is not valid (${code})`
  return NETWORK[code] ?? `it could not be reached${code === '' ? '' : ` (${code})`}`
}
