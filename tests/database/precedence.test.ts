import { expect, it } from 'vitest'
import { Precedence } from '../../src/database/embedded/precedence.ts'

/** Longer than any test takes. */
const FOR_EVER_MS = 1_000_000

it('whoever stands back goes on when the last one ahead is done, however it ended', async () => {
  const precedence = new Precedence(FOR_EVER_MS)
  const order: string[] = []
  const [one, other] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const ahead = [precedence.ahead(() => one.promise), precedence.ahead(() => other.promise)]
  const back = precedence.standBack().then(() => order.push('back'))
  one.resolve()
  await ahead[0]
  order.push('one is done')
  other.reject(new Error('no'))
  await expect(ahead[1]).rejects.toThrow('no')
  await back
  expect(order).toEqual(['one is done', 'back'])
})

it('nobody stands back for nobody, and nobody for ever', async () => {
  const precedence = new Precedence(1)
  await precedence.standBack()
  const { promise, resolve } = Promise.withResolvers<void>()
  const ahead = precedence.ahead(() => promise)
  await precedence.standBack()
  resolve()
  await ahead
})

it('whoever stands back lets go first what only arrives while they do', async () => {
  const precedence = new Precedence(FOR_EVER_MS)
  const { promise, resolve } = Promise.withResolvers<void>()
  const order: string[] = []
  // As a request does that waits at its socket until the event loop goes round.
  setImmediate(() => void precedence.ahead(() => promise).then(() => order.push('arrived later')))
  const back = precedence.standBack().then(() => order.push('back'))
  setImmediate(() => setImmediate(resolve))
  await back
  expect(order).toEqual(['arrived later', 'back'])
})
