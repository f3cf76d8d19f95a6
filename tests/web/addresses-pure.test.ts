// What the address of a page says, and what becomes of one that says nothing useful.
import { describe, expect, test } from 'vitest'
import { domainOf, readCallsSearch } from '../../web/calls/calls-search.ts'
import { domainOf as contactsDomain } from '../../web/contacts/contacts-search.ts'
import { readDeliveriesSearch } from '../../web/deliveries/deliveries-search.ts'
import { waitOf } from '../../web/now/figures.ts'
import { wayBack } from '../../web/sign-in/way-back.ts'
import { readTicketsSearch } from '../../web/tickets/tickets-search.ts'
import { recordName, wordLabels } from '../../web/words/labels.ts'

const NOW = new Date('2026-11-22T21:00:00Z')

describe('an address', () => {
  test('says a filter, and nothing that is none', () => {
    const search = {
      outcome: 'missed,none,voicemail',
      direction: 'sideways',
      day: 'today',
      number: 41,
      contact: '3',
      evil: 1,
    }
    expect(readCallsSearch(search)).toEqual({ outcome: 'voicemail,missed', day: 'today', number: '41' })
    expect(readTicketsSearch({ as: 'list', team: 'x', mine: 'true' })).toEqual({ as: 'list' })
    expect(readDeliveriesSearch({ verdict: 'rejected', open: 5 })).toEqual({ verdict: 'rejected', open: 5 })
  })

  test('an address of the calls is a search', () => {
    expect(domainOf({ number: '0041 31', direction: 'incoming', contact: 3 }, NOW, 'UTC')).toEqual([
      ['direction', '=', 'incoming'],
      '|',
      ['caller', 'ilike', '+4131'],
      ['called', 'ilike', '+4131'],
      ['partner', '=', 3],
    ])
    // A whole number is looked up by its index.
    expect(domainOf({ outcome: 'missed', line: '+1 415 555 0110' }, NOW, 'UTC')).toEqual([
      ['outcome', 'in', ['missed']],
      '|',
      ['caller', '=', '+1 415 555 0110'],
      ['called', '=', '+1 415 555 0110'],
    ])
    expect(domainOf({ number: 'Tel. 079 555 01 75 ext. 5' }, NOW, 'UTC')).toContainEqual([
      'caller',
      'ilike',
      'Tel. 079 555 01 75 ext. 5',
    ])
    // Days before a clock change are counted by the calendar.
    expect(domainOf({ day: 'week' }, new Date('2026-10-27T12:00:00Z'), 'Europe/Zurich')).toEqual([
      ...['|', ['started_at', '>=', '2026-10-20 22:00:00']],
      ...['&', ['started_at', '=', false], ['create_date', '>=', '2026-10-20 22:00:00']],
    ])
    expect(domainOf({ day: 'today' }, NOW, 'Europe/Zurich')).toContainEqual(['started_at', '>=', '2026-11-21 23:00:00'])
    expect(domainOf({ day: 'yesterday' }, NOW, 'Europe/Zurich')).toContainEqual([
      'started_at',
      '<',
      '2026-11-21 23:00:00',
    ])
  })

  test('how long callers waited is said of as many calls as there are', () => {
    const wait = { wait_p50: 4, wait_p90: 9 }
    expect(waitOf({ incoming: 0, wait_p50: null, wait_p90: null })).toBeUndefined()
    expect(waitOf({ incoming: 1, ...wait })).toEqual({ words: 'waitOne', half: 4, most: 9 })
    expect(waitOf({ incoming: 9, ...wait })).toEqual({ words: 'waitFew', half: 4, most: 9 })
    expect(waitOf({ incoming: 10, ...wait })).toEqual({ words: 'wait', half: 4, most: 9 })
  })

  test('hours of a day are named in the language of the page, where it has a word for the day', () => {
    expect(recordName('Monday 08:00 to 12:30')).toBe('Monday 08:00 to 12:30')
    wordLabels({ Monday: 'Montag' })
    expect(recordName('Monday 08:00 to 12:30')).toBe('Montag 08:00–12:30')
    expect(recordName('Monday & Sons')).toBe('Monday & Sons')
    expect(recordName('Connect Webhook')).toBe('Connect')
    wordLabels({})
  })

  test('runs of the service are named in the language of the page', () => {
    expect(recordName('ElevenLabs remove_tools 3')).toBe('ElevenLabs remove tools 3')
    wordLabels({ sync: 'Abgleich', Checks: 'Prüfungen', done: 'fertig', Voicemail: 'Sprachnachricht' })
    expect(recordName('Voicemail 3')).toBe('Sprachnachricht 3')
    expect(recordName('Voicemail box')).toBe('Voicemail box')
    expect(recordName('Twilio sync 20')).toBe('Twilio-Abgleich 20')
    expect(recordName('Checks 4 (done)')).toBe('Prüfungen 4 (fertig)')
    wordLabels({})
  })

  test('the contacts are those with a name, and those of whom only a number is known', () => {
    const unnamed = ['name', '=like', '+%']
    const [outside, staff] = [false, true].map((isStaff) => ['is_staff', '=', isStaff])
    const named = ['|', ['name', 'ilike', 'Zoe'], ['email', 'ilike', 'Zoe']]
    expect(contactsDomain({})).toEqual([outside, ['active', '=', true], '!', unnamed])
    expect(contactsDomain({ only: 'numbers' })).toEqual([outside, unnamed])
    expect(contactsDomain({ text: 'Zoe' })).toEqual([outside, ...named])
    expect(contactsDomain({ only: 'staff' })).toEqual([staff])
    expect(contactsDomain({ only: 'staff', text: 'Zoe' })).toEqual([staff, ...named])
  })

  test.each(['0041 31 380', '+41 (31) 380', '41/31-380'])('finds a contact by a number written as %s', (text) => {
    expect(contactsDomain({ text })).toEqual([
      ['is_staff', '=', false],
      '|',
      ['phone_normalized', 'like', '4131380'],
      ['mobile_normalized', 'like', '4131380'],
    ])
  })

  test.each(['Tel. 079 555 01 75', '(+41) 79 555 01 75 ext. 5', '+41 79 555 01 75 (mobile)'])(
    'leaves it to the service to read %s',
    (text) => {
      const [, , , ...conditions] = contactsDomain({ text })
      if (/\p{L}/u.test(text)) expect(conditions).toContainEqual(['phone', 'ilike', text])
    },
  )

  test.each([
    ['/calls/7?tab=about', '/calls/7?tab=about'],
    ['//evil.example', '/'],
    ['/\\evil.example', '/'],
    ['https://evil.example', '/'],
    ['javascript:alert(1)', '/'],
    [undefined, '/'],
  ])('%s leads back to %s', (next, path) => expect(wayBack(next)).toBe(path))
})
