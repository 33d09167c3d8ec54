import { DAY_MS } from '../../../../lib/time.ts'

/** What a visit of a link came to. 'gone': its server, or the lack of one, says that it is not there. 'unsure': nobody said. */
export type Visit = { readonly kind: 'fine' | 'gone' | 'unsure'; readonly detail: string }

export type LinkState = {
  readonly state: 'fine' | 'unsure' | 'dead'
  readonly detail: string
  /** Since when it is gone; null if it was there when it last said. */
  readonly goneSince: Date | null
}

/** A page that is being moved is gone for an hour, too. */
const DEAD_AFTER_MS = DAY_MS

/** @param goneSince since when the link was gone before this visit */
export function stateAfter(goneSince: Date | null, { kind, detail }: Visit, now: Date): LinkState {
  if (kind === 'fine') return { state: 'fine', detail, goneSince: null }
  const isDead = goneSince !== null && now.getTime() - goneSince.getTime() >= DEAD_AFTER_MS
  if (kind === 'gone') return { state: isDead ? 'dead' : 'unsure', detail, goneSince: goneSince ?? now }
  return { state: 'unsure', detail, goneSince }
}

/** What a status says of a link. A server that refuses robots, is busy or broken says nothing about the page. */
export function visitOf(status: number): Visit {
  const detail = String(status)
  if (status >= 200 && status < 300) return { kind: 'fine', detail }
  return { kind: status === 404 || status === 410 ? 'gone' : 'unsure', detail }
}
