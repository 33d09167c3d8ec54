// The package has no types; these cover the parts that the Google emulator uses.
declare module 'oidc-provider' {
  import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'

  export type Ctx = {
    status: number
    type: string
    body: unknown
    set(headers: Record<string, string>): void
    oidc: {
      client?: { clientId: string }
      session?: { accountId?: string }
      requestParamOIDCScopes: Set<string>
    }
  }

  export type Interaction = {
    uid: string
    prompt: { name: string }
    params: { client_id: string; redirect_uri: string; login_hint?: string }
  }

  export type Payload = Record<string, unknown> & { uid?: string; grantId?: string; consumed?: unknown }

  export type Adapter = {
    upsert(id: string, payload: Payload, expiresIn?: number): Promise<void>
    find(id: string): Promise<Payload | undefined>
    findByUid(uid: string): Promise<Payload | undefined>
    findByUserCode(userCode: string): Promise<Payload | undefined>
    consume(id: string): Promise<void>
    destroy(id: string): Promise<void>
    revokeByGrantId(grantId: string): Promise<void>
  }

  export class Provider {
    constructor(issuer: string, configuration: Record<string, unknown>)
    readonly Grant: new (of: { accountId: string; clientId: string }) => {
      addOIDCScope(scope: string): void
      save(): Promise<string>
    }
    callback(): RequestListener
    interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<Interaction>
    interactionFinished(
      request: IncomingMessage,
      response: ServerResponse,
      result: Record<string, unknown>,
      options: { mergeWithLastSubmission: boolean },
    ): Promise<void>
    on(event: 'server_error', listener: (ctx: Ctx, error: Error) => void): this
  }

  type Prompt = { readonly name: string }

  export const interactionPolicy: {
    readonly Prompt: new (options: { name: string; requestable: boolean }) => Prompt
    base(): { add(prompt: Prompt): void }
  }
}
