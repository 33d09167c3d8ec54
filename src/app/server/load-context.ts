import type { RunCall } from '../../platform/http/page-action.server.ts'
import type { RequestContext } from '../../platform/http/request-context.server.ts'
import type { UserView } from '../../features/accounts/accounts.schema.ts'
import type { RenderedHtml } from '../../platform/cache/page-template.server.ts'
import type { BackupSettings } from '../../platform/backup-settings.server.ts'
import type { ApiCall, SiteFacts } from '../app.schema.ts'

/** A page before it is rendered. Its rendering depends on its address and on `data` alone. */
export type PageReply = {
  readonly address: string
  readonly status: number
  readonly headers: Headers
  readonly data: unknown
}

declare module 'react-router' {
  /** The value that the server passes to every page loader. */
  interface AppLoadContext {
    readonly request: RequestContext
    readonly site: SiteFacts
    readonly nonce: string
    /** The origin of the payment page, to which the forms of pages may redirect. */
    readonly paymentPage: string
    /** The user as the frame of this page names them. On pages that users share, marks stand for name, address and id. */
    readonly shownUser: UserView | null
    /** Replies with a page, and renders it unless it was rendered with the same data before. */
    readonly sendPage: (page: PageReply, render: () => Promise<RenderedHtml>) => Promise<Response>
    /** The settings of scheduled backups; null when there are none. */
    readonly backups: BackupSettings | null
    /** Number of the newest catalogue change known before the page's data was read. */
    readonly changesSeen: number
    /** Id of the build of the pages; empty in tests and development. */
    readonly build: string
    /** Runs a call of our own API for a form of a page, with the checks, limits and failures of the call. */
    readonly runCall: RunCall
    /** Every API call, for the page that documents them. */
    readonly listCalls: () => readonly ApiCall[]
  }
}
