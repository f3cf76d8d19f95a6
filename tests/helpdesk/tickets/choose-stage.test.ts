import fc from 'fast-check'
import { expect, it } from 'vitest'
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
])('%o of %j is %o', (wanted, stages, name) => {
  expect(chooseStage(stages, wanted)?.name).toBe(name)
})

it('chooses a stage exactly when some name contains the text', () => {
  const stages = fc.array(fc.record({ name: fc.string(), is_own: fc.boolean() }))
  fc.assert(
    fc.property(stages, fc.string({ minLength: 1 }), (given, wanted) => {
      const fits = given.some(({ name }) => name.toLowerCase().includes(wanted.toLowerCase()))
      expect(chooseStage(given, wanted) !== undefined).toBe(fits)
    }),
  )
})
