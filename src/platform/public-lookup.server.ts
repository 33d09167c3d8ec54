import { lookup as resolveName, type LookupAddress, type LookupOptions } from 'node:dns'

/** Why a connection to an address that a user gave was not made. */
export class NotPublic extends Error {}

/** Resolves a name for a connection, and fails if any of its addresses is not allowed: which one is tried is not ours to say. */
export function allowedLookup(isAllowed: (address: string) => boolean) {
  return (
    host: string,
    options: LookupOptions,
    done: (error: Error | null, address: string | LookupAddress[], family?: number) => void,
  ) => {
    resolveName(host, { ...options, all: true }, (error, found) => {
      if (error !== null) return done(error, [])
      if (!found.every(({ address }) => isAllowed(address))) return done(new NotPublic(), [])
      if (options.all === true) return done(null, found)
      return done(null, found[0]?.address ?? '', found[0]?.family)
    })
  }
}
