import { expect, test } from 'vitest'
import { Lookout } from './silent-work.server.ts'

const at = (seconds: number) => new Date(seconds * 1000)

test('work is lost when nothing was heard of it between two looks; after the database was away whoever is at it is heard first', () => {
  const lookout = new Lookout()
  const [dead, slow] = [
    { id: 'dead', heardAt: at(1) },
    { id: 'slow', heardAt: at(2) },
  ]
  expect(lookout.findLost([dead, slow])).toEqual([])
  expect(lookout.findLost([dead, { ...slow, heardAt: at(30) }])).toEqual(['dead'])
  expect(lookout.findLost([])).toEqual([])
  expect(lookout.findLost([dead])).toEqual([])
})
