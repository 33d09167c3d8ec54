type Crypto = { createHash(name: string): { update(text: string, form: 'utf8'): { digest(form: 'hex'): string } } }
type Runtime = { readonly process?: { readonly getBuiltinModule?: (name: 'node:crypto') => Crypto } }

/** Node's own hashes, which take a sixth of the time of portable ones; null elsewhere. An import of 10,000 questions hashes 60,000 texts. */
export function findNativeHash(
  runtime = globalThis as Runtime,
): ((name: 'sha256' | 'md5', text: string) => string) | null {
  const crypto = runtime.process?.getBuiltinModule?.('node:crypto')
  return crypto === undefined ? null : (name, text) => crypto.createHash(name).update(text, 'utf8').digest('hex')
}

export const nativeHash = /* @__PURE__ */ findNativeHash()
