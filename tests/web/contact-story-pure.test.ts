// What there was with a contact stands at the time it was.
import { expect, it } from 'vitest'
import { whenOf } from '../../web/contacts/story-data.ts'

const AT = '2026-11-27 17:53:00'

it('a call that was written down late stands in the story of its contact at the time it began', () => {
  const began = '2026-11-27 17:46:00'
  const call = (started_at: string | null) => ({
    model: 'connect.call',
    at: AT,
    values: { started_at, create_date: AT },
  })
  expect(whenOf(call(began))).toBe(began)
  expect(whenOf(call(null))).toBe(AT)
  expect(whenOf({ model: 'helpdesk.ticket', at: AT, values: { create_date: AT } })).toBe(AT)
})
