import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Store } from '../../../emulators/telco/store.ts'
import { empty, SyncOffice } from './sync-office.ts'

const NUMBERS = Array.from({ length: 24 }, (_none, at) => `+14155551${String(at).padStart(3, '0')}`)
const WARNING = 'Twilio no longer has it, so it was removed here.'

let office: SyncOffice

beforeAll(async () => {
  office = await SyncOffice.start()
  await office.setUp()
  for (const phoneNumber of NUMBERS) office.telco.addNumber({ phoneNumber })
  for (const number of NUMBERS.slice(0, 3)) office.telco.addWhatsAppSender(number)
  for (const at of [1, 2, 3]) {
    const sid = `PN${String(at).repeat(32)}`
    office.telco.account.callerIds.add({ sid, friendly_name: `Office ${at}`, phone_number: `+1415555900${at}` })
  }
  for (const name of ['one', 'two']) {
    office.telco.account.contents.add({
      sid: `HX${name.padEnd(32, '0')}`,
      friendly_name: name,
      language: 'de',
      variables: {},
      types: { 'twilio/text': { body: 'Hi' } },
      date_created: '2026-01-01T00:00:00Z',
      date_updated: '2026-01-01T00:00:00Z',
      approval: { status: 'approved' },
    })
  }
  await office.run()
})
afterAll(() => office.stop())
beforeEach(() => office.line.reset())

/** Takes records out of the provider's store for the time of the work. */
async function without<Result>(store: Store, isGone: (at: number) => boolean, work: () => Promise<Result>) {
  const all = store.list().reverse()
  for (const [at, { sid }] of all.entries()) if (isGone(at)) store.remove(sid)
  const result = await work()
  empty(store)
  for (const record of all) store.add(record)
  return result
}

describe('an empty or drastically smaller list of the provider removes nothing and is reported', () => {
  test.each([
    ['no numbers', 0],
    ['less than half of the numbers', 11],
  ])('%s', async (_what, left) => {
    const { numbers } = office.telco.account
    const run = await without(
      numbers,
      (at) => at >= left,
      () => office.run('connect.telco.number', 'sync'),
    )
    expect(run.state).toBe('failed')
    expect(run.errors).toMatchObject([
      {
        model: 'connect.telco.number',
        message: `Twilio lists ${left} numbers, and ${24 - left} of those known here are not among them: none was removed. If they are really gone, remove them here by hand.`,
      },
    ])
    expect(await office.app.count('connect_telco_number')).toBe(24)
  })

  test('no own numbers, as caller IDs', async () => {
    const run = await without(
      office.telco.account.numbers,
      () => true,
      () => office.run('connect.telco.outgoing_callerid', 'sync'),
    )
    expect(run.errors).toMatchObject([{ message: expect.stringContaining('lists 0 own numbers, and 24') }])
    expect(await office.app.count('connect_telco_outgoing_callerid')).toBe(27)
  })

  test('no verified caller IDs', async () => {
    const run = await without(
      office.telco.account.callerIds,
      () => true,
      () => office.run('connect.telco.outgoing_callerid', 'sync'),
    )
    expect(run.errors).toMatchObject([{ message: expect.stringContaining('lists 0 verified caller IDs, and 3') }])
    expect(await office.app.count('connect_telco_outgoing_callerid')).toBe(27)
  })

  test('an empty list of WhatsApp senders removes none', async () => {
    const run = await without(
      office.telco.account.senders,
      () => true,
      () => office.run('connect.whatsapp_sender', 'sync'),
    )
    expect(run.errors).toMatchObject([{ message: expect.stringContaining('lists 0 WhatsApp senders, and 3') }])
    expect(await office.app.count('connect_whatsapp_sender')).toBe(3)
  })

  test('an empty list of templates removes none', async () => {
    const run = await without(
      office.telco.account.contents,
      () => true,
      () => office.run('connect.message_content_template', 'sync'),
    )
    expect(run.errors).toMatchObject([{ message: expect.stringContaining('lists 0 message templates, and 2') }])
    expect(await office.list('connect.message_content_template', [['status', '=', 'missing']])).toEqual([])
  })
})

describe('what is gone at the provider', () => {
  test('goes here with a warning: numbers, and their caller IDs', async () => {
    const { numbers } = office.telco.account
    const gone = numbers.findWhere('phone_number', NUMBERS[4] ?? '')
    numbers.remove(gone?.sid ?? '')
    const run = await office.run()
    expect(run.state).toBe('done')
    expect(run.differences).toMatchObject([
      { what: 'connect.telco.number', name: NUMBERS[4], message: WARNING },
      { what: 'connect.telco.outgoing_callerid', name: NUMBERS[4] },
    ])
    expect(await office.list('connect.telco.number', [['phone_number', '=', NUMBERS[4]]])).toEqual([])
    expect(await office.list('connect.telco.outgoing_callerid', [['number', '=', NUMBERS[4]]])).toEqual([])
  })

  test('goes here: a verified caller ID, also where it was the default', async () => {
    const [first] = await office.list('connect.telco.outgoing_callerid')
    expect(first?.is_default).toBe(true)
    office.telco.account.callerIds.remove(String(first?.sid))
    const run = await office.run('connect.telco.outgoing_callerid', 'sync')
    expect(run.counts['caller IDs']).toMatchObject({ removed: 1 })
    const [next] = await office.list('connect.telco.outgoing_callerid')
    expect(next).toMatchObject({ is_default: true })
    expect(next?.id).not.toBe(first?.id)
  })

  test('goes here: a sender, unless it is to be left alone', async () => {
    const [first, second] = await office.list('connect.whatsapp_sender')
    await office.write('connect.whatsapp_sender', Number(second?.id), { no_sync: true })
    for (const sender of [first, second]) office.telco.account.senders.remove(String(sender?.sid))
    const run = await office.run('connect.whatsapp_sender', 'sync')
    expect(run.counts['WhatsApp senders']).toMatchObject({ removed: 1 })
    expect((await office.list('connect.whatsapp_sender')).map(({ id }) => id)).not.toContain(first?.id)
    expect((await office.list('connect.whatsapp_sender')).map(({ id }) => id)).toContain(second?.id)
  })

  test('a template that is gone at the provider is missing here and cannot be sent, until it comes back', async () => {
    const { contents } = office.telco.account
    const gone = contents.findWhere('friendly_name', 'one')
    if (gone === undefined) throw new Error('there is no template')
    contents.remove(gone.sid)
    await office.run('connect.message_content_template', 'sync')
    const of = () => office.one('connect.message_content_template', [['sid', '=', gone.sid]])
    expect(await of()).toMatchObject({ status: 'missing' })
    contents.add(gone)
    await office.run('connect.message_content_template', 'sync')
    expect(await of()).toMatchObject({ status: 'approved', content_type: 'text' })
  })

  test('an application is made anew, and found again when the region is changed back', async () => {
    const { applications } = office.telco.account
    const [stored] = await office.list('connect.telco.markup')
    const first = applications.find(String(stored?.sid))
    if (first === undefined) throw new Error('there is no application')
    const read = () => office.one('connect.telco.markup', [['id', '=', stored?.id]])
    applications.remove(first.sid)
    await office.run('connect.telco.markup', 'sync')
    const moved = await read()
    expect(moved).toMatchObject({ old_sid: first.sid })
    expect(moved.sid).not.toBe(first.sid)
    applications.remove(String(moved.sid))
    applications.add(first)
    await office.run('connect.telco.markup', 'sync')
    expect(await read()).toMatchObject({ sid: first.sid, old_sid: moved.sid })
  })

  test('a number without a place at the provider stays, because nobody said that it went', async () => {
    await office.create('connect.telco.number', { phone_number: '+14155558888' })
    const run = await office.run('connect.telco.number', 'sync')
    expect(run.counts.numbers).not.toHaveProperty('removed')
    expect(await office.list('connect.telco.number', [['phone_number', '=', '+14155558888']])).toHaveLength(1)
  })
})

describe('what is left alone', () => {
  test('an ignored number is here, and its addresses stay as they are', async () => {
    const number = office.telco.account.numbers.findWhere('phone_number', NUMBERS[9] ?? '')
    const stored = await office.one('connect.telco.number', [['phone_number', '=', NUMBERS[9]]])
    await office.write('connect.telco.number', stored.id, { is_ignored: true })
    if (number) office.telco.account.numbers.change(number, { voice_url: 'https://elsewhere.example.com/' })
    const run = await office.run('connect.telco.number', 'sync')
    expect(run.counts.numbers).toMatchObject({ ignored: 1 })
    expect(office.telco.account.numbers.find(number?.sid ?? '')).toMatchObject({
      voice_url: 'https://elsewhere.example.com/',
    })
  })

  test('a number on a SIP trunk is named, because its calls do not come here', async () => {
    const number = office.telco.account.numbers.findWhere('phone_number', NUMBERS[10] ?? '')
    if (number) office.telco.account.numbers.change(number, { trunk_sid: 'TK1' })
    const run = await office.run('connect.telco.number', 'sync')
    expect(run.errors).toMatchObject([
      {
        name: NUMBERS[10],
        message:
          'Its calls go to the SIP trunk TK1, not to Connect. Take it off the trunk, or choose not to manage it.',
      },
    ])
    if (number) office.telco.account.numbers.change(number, { trunk_sid: null })
  })

  test('a sender that is still being set up is not changed', async () => {
    office.line.reset()
    const [sender] = office.telco.account.senders.list()
    if (sender) office.telco.account.senders.change(sender, { status: 'CREATING', webhook: {} })
    const run = await office.run('connect.whatsapp_sender', 'sync')
    expect(run.counts['WhatsApp senders']).toMatchObject({ waiting: 1 })
    expect(office.line.changes()).toEqual([])
  })
})

test('a number whose region cannot be set is named, with what to do at the provider', async () => {
  await office.settings({ telco_region: 'au1' })
  const refused = { status: 400, code: 20001, message: 'not allowed' }
  office.line.plan('POST', /\/v2\/PhoneNumbers\//, { status: 400, body: refused }, 100)
  const run = await office.run()
  expect(run.errors).toContainEqual(
    expect.objectContaining({
      message: 'Set the region of its calls to au1 at Twilio. Connect cannot do that.',
    }),
  )
  office.line.reset()
  await office.settings({ telco_region: 'us1' })
})

test('calls are handled in another region when one is chosen, and messages are left alone', async () => {
  await office.settings({ telco_region: 'ie1' })
  const run = await office.run()
  expect(run.state).toBe('done')
  expect(run.counts['WhatsApp senders']).toEqual({ skipped: 1 })
  expect(run.differences).toContainEqual({
    what: 'region',
    message: 'Twilio has messages in the region us1 only; the settings say ie1.',
  })
  const { numberRegions, numbers } = office.telco.account
  const number = numbers.findWhere('phone_number', NUMBERS[0] ?? '')
  expect(run.errors).toEqual([])
  expect(numberRegions.findWhere('phone_number', NUMBERS[0] ?? '')).toMatchObject({ voice_region: 'ie1' })
  expect(number).toMatchObject({ voice_url: expect.stringContaining('#e=dublin'), sms_url: '' })
  await office.settings({ telco_region: 'us1' })
})
