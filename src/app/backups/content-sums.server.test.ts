import { expect, test } from 'vitest'
import { ContentSums } from './content-sums.server.ts'

const sums = (...rows: (readonly [table: string, row: string])[]) => {
  const found = new ContentSums()
  for (const [table, row] of rows) found.add(table, row)
  return found
}

test('rows in another order are the same content; a row less, more or changed is named with its table', () => {
  const stored = sums(['orders', '["1"]'], ['orders', '["2"]'], ['carts', '[null]'])
  const reordered = sums(['carts', '[null]'], ['orders', '["2"]'], ['orders', '["1"]'])
  expect(stored.difference(reordered)).toBeNull()
  expect(stored.digest()).toBe(reordered.digest())
  expect(stored.difference(sums(['orders', '["1"]'], ['carts', '[null]']))).toBe(
    'orders has 1 row after the restore, and 2 in the backup.',
  )
  const changed = sums(['orders', '["1"]'], ['orders', '["3"]'], ['carts', '[null]'])
  expect(stored.difference(changed)).toBe('Rows of orders differ after the restore.')
  expect(stored.digest()).not.toBe(changed.digest())
  expect(sums().difference(sums(['carts', '[""]']))).toBe('carts has 1 row after the restore, and 0 in the backup.')
})
