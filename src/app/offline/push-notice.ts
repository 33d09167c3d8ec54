import { copy } from '../../features/study/push/push.copy.ts'

/** What the worker shows for a push message. */
export type PushNotice = { readonly title: string; readonly body: string; readonly path: string }

/** The parts of the worker's global scope that notifications need. */
export type NoticeScope = {
  readonly registration: { showNotification(title: string, options: object): Promise<void> }
  readonly clients: {
    matchAll(options: { type: 'window'; includeUncontrolled: true }): Promise<readonly NoticeWindow[]>
    openWindow(url: string): Promise<unknown>
  }
  readonly location: { readonly origin: string }
}
type NoticeWindow = { readonly url: string; focus?(): Promise<unknown> }

const HOME = '/'

/** Browsers want every message to be shown, so one that cannot be read becomes a plain sentence. */
export function noticeOf(text: string, origin: string): PushNotice {
  const sent = parse(text)
  const textOf = (name: string, otherwise: string) => {
    const value = sent[name]
    return typeof value === 'string' && value !== '' ? value : otherwise
  }
  return {
    title: textOf('title', copy['push.notice.title']),
    body: textOf('body', copy['push.notice.text']),
    path: ownPath(textOf('url', HOME), origin),
  }
}

function parse(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

/** A notification opens pages of ours only. */
function ownPath(url: string, origin: string): string {
  try {
    const { origin: itsOrigin, pathname, search } = new URL(url, origin)
    return itsOrigin === origin ? pathname + search : HOME
  } catch {
    return HOME
  }
}

export async function showNotice(scope: NoticeScope, text: string): Promise<void> {
  const { title, body, path } = noticeOf(text, scope.location.origin)
  const icon = '/icons/icon-192.png'
  // The newest one of a page replaces the one before.
  await scope.registration.showNotification(title, { body, icon, tag: path, data: { path } })
}

/** Goes to an open window of the page, or opens one. Other windows stay as they are: an exam may be running there. */
export async function openNotice(scope: NoticeScope, data: unknown): Promise<void> {
  const { origin } = scope.location
  const path = ownPath(String((data as { path?: unknown } | null)?.path ?? HOME), origin)
  const windows = await scope.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const open = windows.find(({ url }) => ownPath(url, origin) === path && new URL(url).origin === origin)
  if (open?.focus !== undefined) await open.focus()
  else await scope.clients.openWindow(path)
}
