/** What this browser showed last of a running exam. Written by the page or, without scripts, by the server. */
export const SHOWN_EXAM_COOKIE = 'altocert_exam'

type ShownExam = {
  readonly attemptId: string
  /** The place of the question, from 0. */
  readonly place: number
  /** The name under which the page wrote. */
  readonly writer: string
}

/** On https with the prefix that other subdomains cannot set. */
const nameOf = (isSecure: boolean) => `${isSecure ? '__Host-' : ''}${SHOWN_EXAM_COOKIE}`

/** The cookie ends with the browser's session. Scripts write it too, so it is not HttpOnly; nothing is trusted because of it. */
export function shownExamCookie({ attemptId, place, writer }: ShownExam, isSecure: boolean): string {
  const value = encodeURIComponent(`${attemptId}.${place}.${writer}`)
  return `${nameOf(isSecure)}=${value}; Path=/; SameSite=Lax${isSecure ? '; Secure' : ''}`
}

/** At sign-out nothing of an exam stays. */
export function noShownExam(isSecure: boolean): string {
  return `${nameOf(isSecure)}=; Path=/; Max-Age=0; SameSite=Lax${isSecure ? '; Secure' : ''}`
}

export function readShownExam(value: string | null): ShownExam | null {
  const [, attemptId, place, writer] = /^([0-9a-f-]{36})\.(\d{1,6})\.(.+)$/.exec(value ?? '') ?? []
  if (attemptId === undefined || place === undefined || writer === undefined) return null
  return { attemptId, place: Number(place), writer }
}
