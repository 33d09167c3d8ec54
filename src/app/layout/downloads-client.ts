import type { FailureReply } from '../../lib/failure.ts'
import { CallFailed, toastOf } from '../../platform/api-client.ts'
import { networkCause, networkCauses } from '../../platform/network-causes.ts'
import { toast } from '../../ui/toasts.tsx'

/**
 * Fetches the files behind links with `download`, so that a refusal, such as that of a limit, is a toast on the page: the browser itself
 * shows a failed download without a reason. Without a script the links work as links.
 */
export function followDownloads(): void {
  const handleClick = (event: MouseEvent) => {
    const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[download]') : null
    if (link === null || !link.pathname.startsWith('/api/') || link.origin !== location.origin) return
    if (event.defaultPrevented || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    void save(link.href).catch((error: unknown) => toast(...toastOf(error)))
  }
  document.addEventListener('click', handleClick)
}

/** @throws CallFailed */
async function save(address: string): Promise<void> {
  const response = await fetch(address).catch(() => {
    const { kind, code, sentence } = networkCauses[networkCause(navigator.onLine)]
    throw new CallFailed(0, { kind, code, message: sentence })
  })
  if (!response.ok) {
    const reply = (await response.json().catch(() => null)) as FailureReply | null
    throw new CallFailed(response.status, reply?.error ?? { code: 'reply.foreign', kind: 'other', message: '' })
  }
  const link = document.createElement('a')
  link.href = URL.createObjectURL(await response.blob())
  link.download = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? ''
  link.click()
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
