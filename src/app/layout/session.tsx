import type { ReactNode } from 'react'
import { useMatches, useRevalidator } from 'react-router'
import { AuthProvider } from '../../features/accounts/ui/auth.tsx'
import { useRootData } from './use-site.ts'

/** Provides the session from the root loader, and follows sign-ins and sign-outs of other tabs. */
export function Session({ children }: { children: ReactNode }) {
  const root = useRootData()
  const { revalidate } = useRevalidator()
  // A sign-in in another tab must not reload a running exam; a sign-out must.
  const isInShop = useMatches().some(({ id }) => id.endsWith('site-layout'))
  return (
    <AuthProvider
      session={root?.user}
      onElsewhere={(event) => {
        if (event === 'SIGNED_OUT' || isInShop) void revalidate()
      }}
    >
      {children}
    </AuthProvider>
  )
}
