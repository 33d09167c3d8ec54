import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { AuthProvider, useAuth } from './auth.tsx'

const ada = { id: 'a', email: 'ada@example.com', name: 'Ada', role: 'admin' } as const

function Facts() {
  const { user, isAdmin, isReady } = useAuth()
  return `${user?.email ?? 'guest'}, ${isAdmin ? 'admin' : 'no admin'}, ${isReady ? 'ready' : 'not ready'}`
}

test('useAuth throws outside its provider', () => {
  expect(() => renderToString(<Facts />)).toThrow('useAuth must be used within an AuthProvider')
})

test('a session from the server is ready with the first paint', () => {
  const factsOf = (session: typeof ada | null | undefined) =>
    renderToString(
      <AuthProvider session={session} onElsewhere={() => {}}>
        <Facts />
      </AuthProvider>,
    )
  expect(factsOf(ada)).toBe('ada@example.com, admin, ready')
  expect(factsOf({ ...ada, role: 'student' } as never)).toBe('ada@example.com, no admin, ready')
  expect(factsOf(null)).toBe('guest, no admin, ready')
  expect(factsOf(undefined)).toBe('guest, no admin, not ready')
})
