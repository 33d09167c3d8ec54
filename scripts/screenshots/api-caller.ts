import { request } from '@playwright/test'

export type Caller = Awaited<ReturnType<typeof aCaller>>

/** Calls the API like a page of the shop, with the cookies of one browser. */
export async function aCaller(url: string) {
  const context = await request.newContext({ baseURL: url, extraHTTPHeaders: { origin: url } })
  return {
    context,
    cookies: () => context.storageState(),
    async ask<Reply>(method: string, path: string, data?: object): Promise<Reply> {
      const reply = await context.fetch(path, { method, ...(data === undefined ? {} : { data }) })
      const text = await reply.text()
      if (!reply.ok()) throw new Error(`${method} ${path}: ${reply.status()} ${text}`)
      return (text === '' ? null : JSON.parse(text)) as Reply
    },
  }
}
