// What is typed about an agent and put back by hand is no change to review.
import { expect, it } from 'vitest'
import { withTyped } from '../../web/agents/typed.ts'

const ROW = { first_message: 'Hello', voice: [3, 'Alice'], prompt: 'Be kind.', tools: [4, 6], more: null }
const NOTHING = { values: {}, seen: {}, stamp: null }

it.each([
  ['first_message', 'Hello there', 'Hello'],
  ['voice', [5, 'Brian'], [3, 'Alice']],
  ['tools', [4], [4, 6]],
  ['more', 'words', ''],
])('%s is typed while it differs from what is stored', (name, other, same) => {
  const typed = withTyped(NOTHING, { name, value: other, row: ROW, drafted: {} })
  expect(typed?.values).toEqual({ [name]: other })
  expect(withTyped(typed ?? NOTHING, { name, value: same, row: ROW, drafted: {} })).toBeUndefined()
})

it('what the draft holds is what was stored, and other fields stay typed', () => {
  const drafted = { first_message: 'Good day' }
  const both = { values: { first_message: 'Hi', prompt: 'Be brief.' }, seen: { first_message: 'Hello' }, stamp: null }
  expect(withTyped(both, { name: 'first_message', value: 'Good day', row: ROW, drafted })).toEqual({
    values: { prompt: 'Be brief.' },
    seen: {},
    stamp: null,
  })
  const back = withTyped(both, { name: 'first_message', value: 'Hello', row: ROW, drafted })
  expect(back?.values).toEqual({ first_message: 'Hello', prompt: 'Be brief.' })
})
