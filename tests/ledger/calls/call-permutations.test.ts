import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isTerminal } from '../../../src/ledger/legs/call-status.ts'
import { type Form, ledgerAfter, SCENARIOS } from '../scenarios.ts'

const REPEATS = 3

describe.each(SCENARIOS)('$name', ({ callbacks, expected }) => {
  const inOrder = JSON.stringify(ledgerAfter(callbacks))

  test('ends as it should', () => {
    const { calls } = ledgerAfter(callbacks)
    expect(calls).toHaveLength(1)
    expect(calls[0]).toMatchObject(expected)
  })

  test('ends the same for every order, repeats among them', () => {
    const random = randomFrom(callbacks.length)
    const wrong: Form[][] = []
    let count = 0
    for (const order of permutations(callbacks)) {
      count += 1
      if (JSON.stringify(ledgerAfter(withRepeats(order, random))) !== inOrder) wrong.push(order)
    }
    expect(count).toBe(factorial(callbacks.length))
    expect(wrong).toEqual([])
  })

  test('ends the same for any order with any repeats', () => {
    const orders = fc
      .tuple(fc.shuffledSubarray([...callbacks], { minLength: callbacks.length }), fc.subarray([...callbacks]))
      .chain(([all, repeated]) =>
        fc.shuffledSubarray([...all, ...repeated], { minLength: all.length + repeated.length }),
      )
    fc.assert(
      fc.property(orders, (order) => JSON.stringify(ledgerAfter(order)) === inOrder),
      { numRuns: 400 },
    )
  })

  test('$name never reopens a leg on the way there, and joins every leg to the call once its parent is known', () => {
    const order = fc.shuffledSubarray([...callbacks], { minLength: callbacks.length })
    fc.assert(fc.property(order, expectSoundOnTheWay), { numRuns: 60 })
  })
})

function expectSoundOnTheWay(order: readonly Form[]): void {
  const ended = new Set<string>()
  for (const seen of order.keys()) {
    const { legs, calls } = ledgerAfter(order.slice(0, seen + 1))
    const live = legs.filter((leg) => !isTerminal(leg.status))
    expect(live.filter((leg) => ended.has(leg.sid))).toEqual([])
    for (const leg of legs) if (!live.includes(leg)) ended.add(leg.sid)
    expect(calls).toHaveLength(legs.some((leg) => leg.parentSid === '') ? 1 : 0)
  }
}

function* permutations<T>(items: readonly T[]): Generator<T[]> {
  if (items.length <= 1) {
    yield [...items]
    return
  }
  for (const [place, item] of items.entries()) {
    for (const rest of permutations(items.toSpliced(place, 1))) yield [item, ...rest]
  }
}

function withRepeats<T>(items: readonly T[], random: () => number): T[] {
  const repeated = [...items]
  for (let count = 0; count < REPEATS; count += 1) {
    const item = items[Math.floor(random() * items.length)]
    if (item !== undefined) repeated.splice(Math.floor(random() * (repeated.length + 1)), 0, item)
  }
  return repeated
}

/** The same numbers every run, so that a failure can be run again. */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32
    return state / 2 ** 32
  }
}

function factorial(count: number): number {
  return count <= 1 ? 1 : count * factorial(count - 1)
}
