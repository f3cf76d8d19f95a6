// What is typed into a contact or a ticket and can hardly be meant is remarked on, and saved all the same.
import { expect, test } from 'vitest'
import { doubtAbout } from '../../web/records/doubtful.ts'

const phone = { name: 'phone', widget: 'phone' }
const email = { name: 'email', widget: 'email' }

test.each([
  [phone, '12', 'noNumber'],
  [phone, 'none', 'noNumber'],
  [phone, '112', undefined],
  [phone, '+41 31 380 83 16', undefined],
  [phone, '', undefined],
  [phone, null, undefined],
  [email, 'keine mail', 'noEmail'],
  [email, '@', 'noEmail'],
  [email, 'zoe@miller.ch', undefined],
  [{ name: 'name', widget: undefined }, '12', undefined],
])('%j with %j', (field, typed, doubt) => {
  expect(doubtAbout('res.partner', field as never, typed)).toBe(doubt)
  expect(doubtAbout('connect.telco.exten', field as never, typed)).toBeUndefined()
})
