import fc from 'fast-check'
import { expect, it } from 'vitest'
import { foldText } from '../../../src/folded-text.ts'
import { chooseStage } from '../../../src/helpdesk/tickets/update-ticket.ts'

const own = (...names: string[]) => names.map((name) => ({ name, is_own: true }))
const other = (...names: string[]) => names.map((name) => ({ name, is_own: false }))

it.each([
  ['closed', [...own('Not closed', 'Closed today', 'Closed')], 'Closed'],
  ['closed', [...own('Not closed', 'Closed today')], 'Closed today'],
  ['CLOSED', [...own('Not closed')], 'Not closed'],
  ['closed', [...own('Inbox'), ...other('Closed')], 'Closed'],
  ['closed', [...other('Closed'), ...own('Not closed')], 'Not closed'],
  ['on', [...own('In Progress', 'On Hold', 'Done on time')], 'On Hold'],
  ['%', own('Closed'), undefined],
  ['_', own('Closed'), undefined],
  ['.', own('Closed'), undefined],
  ['closed', [], undefined],
  ["''", own('Inbox'), undefined],
  [' ', own('In Progress'), undefined],
])('%o of %j is %o', (wanted, stages, name) => {
  expect(chooseStage(stages, wanted)?.name).toBe(name)
})

it('chooses a stage exactly when some name contains the text', () => {
  const stages = fc.array(fc.record({ name: fc.string(), is_own: fc.boolean() }))
  fc.assert(
    fc.property(stages, fc.string(), (given, wanted) => {
      const text = foldText(wanted)
      const fits = text.trim() !== '' && given.some(({ name }) => foldText(name).includes(text))
      expect(chooseStage(given, wanted) !== undefined).toBe(fits)
    }),
  )
})
