import { expect, test } from 'vitest'
import { groupRelated, inOrder, rootOf } from '../../../src/ledger/legs/leg-tree.ts'

const leg = (sid: string, parentSid = '', startedAtMs?: number) => ({ sid, parentSid, startedAtMs })
const bySid = (...legs: ReturnType<typeof leg>[]) => new Map(legs.map((each) => [each.sid, each]))

test('a leg belongs to the call of the leg at the top', () => {
  const legs = bySid(leg('c', 'b'), leg('b', 'a'), leg('a'))
  expect(['a', 'b', 'c'].map((sid) => rootOf(sid, legs))).toEqual(['a', 'a', 'a'])
})

test('a leg whose parent is not known yet belongs to no call, and joins when it comes', () => {
  const child = leg('c', 'b')
  expect(rootOf('c', bySid(child))).toBeUndefined()
  expect(rootOf('c', bySid(child, leg('b', 'a')))).toBeUndefined()
  expect(rootOf('c', bySid(child, leg('b', 'a'), leg('a')))).toBe('a')
  expect(rootOf('x', bySid(child))).toBeUndefined()
})

test('legs that name each other as parents belong to no call', () => {
  expect(rootOf('a', bySid(leg('a', 'b'), leg('b', 'a')))).toBeUndefined()
  expect(rootOf('a', bySid(leg('a', 'a')))).toBeUndefined()
})

test('legs of one call are grouped, however they are mixed with others', () => {
  const legs = [leg('b1', 'a1'), leg('a2'), leg('a1'), leg('x', 'y'), leg('b2', 'a2'), leg('z', 'y'), leg('c1', 'b1')]
  expect(sidsOf(groupRelated(legs))).toEqual([
    ['a1', 'b1', 'c1'],
    ['a2', 'b2'],
    ['x', 'z'],
  ])
})

test('legs that have one call already, or that an event names together, are grouped', () => {
  const inCall = (sid: string, callId: number | undefined) => ({ ...leg(sid), callId })
  const legs = [inCall('a', 1), inCall('b', 2), inCall('c', 1), inCall('d', undefined), inCall('e', undefined)]
  expect(sidsOf(groupRelated(legs))).toEqual([['a', 'c'], ['b'], ['d'], ['e']])
  expect(sidsOf(groupRelated(legs, [{ sid: 'd', parentSid: 'b' }]))).toEqual([['a', 'c'], ['b', 'd'], ['e']])
})

function sidsOf(groups: { sid: string }[][]): string[][] {
  return groups.map((legs) => legs.map(({ sid }) => sid).sort()).sort()
}

test('legs go by the root, then time, then sid, and those without a time come last', () => {
  const legs = [leg('e', 'a'), leg('d', 'a'), leg('c', 'a', 5), leg('b', 'a', 9), leg('a', '', 7), leg('bb', 'a', 5)]
  expect(inOrder(legs).map(({ sid }) => sid)).toEqual(['a', 'bb', 'c', 'b', 'd', 'e'])
  expect(inOrder(legs.toReversed())).toEqual(inOrder(legs))
})
