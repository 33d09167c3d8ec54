import type { ReactNode } from 'react'
import { useMatches, useRevalidator } from 'react-router'
import { AuthProvider } from '../../features/accounts/ui/auth.tsx'
import { useRootData } from './use-site.ts'

/** The session as the server said it with the page, and as the other tabs change it. */
export function Session({ children }: { children: ReactNode }) {
  const root = useRootData()
  const { revalidate } = useRevalidator()
  // An exam has nothing of the shop around it. Who signs in elsewhere does not disturb it; who signs out ends it here too.
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
