// Before it is saved, a form says what callers hear: when a number is closed, and when they press nothing in a menu.
import { expect, it } from 'vitest'
import { asksInVain, callersHear } from '../../web/records/callers-hear.ts'

const NUMBER = 'connect.telco.number'
const FLOW = 'connect.telco.callflow'
const hours = [1, 'Office']

it.each([
  [{ business_hours: hours }, [{ says: 'closedUsual', what: '' }]],
  [{ business_hours: hours, closed_message: ' Back on Monday. ' }, [{ says: 'closedHears', what: 'Back on Monday.' }]],
  [{ business_hours: hours, closed_exten: [7, '101'] }, [{ says: 'closedRings', what: '101', extension: 7 }]],
  [{ closed_message: 'Back on Monday.' }, []],
  [{ friendly_name: 'Main' }, []],
])('a number with %j that is being given hours', (typed, heard) => {
  expect(callersHear(NUMBER, { business_hours: null, closed_message: '' }, typed)).toEqual(heard)
})

it('a number whose hours are left as they are says nothing of them', () => {
  const stored = { business_hours: hours, closed_message: null, closed_exten: null }
  expect(callersHear(NUMBER, stored, { ...stored, friendly_name: 'Main' })).toEqual([])
})

const menu = { gather_input: true, prompt_message: 'Press one.', choices: [{ choice_digits: '1' }], ring_users: [] }

it.each([
  ['nothing else', {}, true],
  ['people that ring', { ring_users: [3] }, false],
  ['voicemail', { voicemail_enabled: true }, false],
  ['an extension if unanswered', { fallback_exten: [7, '101'] }, false],
  ['a message if unanswered', { fallback_message: 'Bye.' }, false],
  ['a blank message if unanswered', { fallback_message: ' ' }, true],
  ['no choices yet', { choices: [] }, false],
  ['no question', { gather_input: false }, false],
])('a menu with %s', (_what, values, isSaid) => {
  const heard = callersHear(FLOW, {}, { ...menu, ...values })
  expect(heard.map(({ says }) => says)).toEqual(isSaid ? ['nothingPressed'] : [])
})

it.each([
  ['the words that come with it and no choices', {}, true],
  ['those words in German', { prompt_message: 'Willkommen! Bitte wählen Sie, mit wem Sie sprechen möchten.' }, true],
  ['words of its own', { prompt_message: 'You have reached Miller & Sons.' }, false],
  ['choices', { choices: [{ choice_digits: '1' }] }, false],
])('a call flow with %s says beside its prompt whether it asks in vain', (_what, typed, isSaid) => {
  const values = { prompt_message: 'Welcome! Please choose whom you would like to speak to.', choices: [], ...typed }
  expect(asksInVain(FLOW, 'prompt_message', values)).toBe(isSaid)
  expect(asksInVain(FLOW, 'name', values)).toBe(false)
  expect(asksInVain(NUMBER, 'prompt_message', values)).toBe(false)
})
