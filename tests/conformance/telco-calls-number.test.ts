// An inbound call to a number goes to its destination: docs/reference/domain.md#calls-to-a-number,
// docs/reference/domain.md#ringing-a-user, docs/reference/domain.md#voicemail-verbs.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sentence } from '../../src/telco/sentences/sentence.ts'
import { setCountry } from '../fixtures/records.ts'
import { insertRow } from '../support/rows.ts'
import { ledgerCounts } from '../support/telco.ts'
import { CUSTOMER, EDGE, type Form, HOOKS, newSid, Office, REPORTED, requestOf } from '../support/telco-office.ts'

/** A Wednesday morning in Zurich. */
const NOW = new Date('2026-08-26T08:00:00Z')
const STATUS = `statusCallbackEvent="initiated answered completed" statusCallback="${HOOKS}/callstatus${REPORTED}"`
const NOT_FOUND = '<Response><Say>Number not found. Goodbye!</Say></Response>'
const NOT_CONFIGURED = '<Response><Say>Number not configured. Goodbye!</Say></Response>'

let office: Office
let alice: { id: number; loginId: number }

beforeAll(async () => {
  office = await Office.start({ clock: () => NOW })
  alice = await office.user('alice', '101', { greeting_message: 'Hello & welcome', record_calls: true })
})
afterAll(() => office.stop())

let numbers = 0
/** A new number of ours with this destination; answers what a call to it is answered. */
async function callTo(values: Record<string, unknown>, fields: Form = {}): Promise<{ sid: string; markup: string }> {
  numbers += 1
  const to = `+1415556${String(numbers).padStart(4, '0')}`
  await office.number(to, values)
  const sid = newSid()
  return { sid, markup: await office.voice('number', { ...requestOf({ sid, to }), ...fields }) }
}

describe('a number', () => {
  it('a number that is none of ours says so, and the call is in the ledger all the same', async () => {
    const sid = newSid()
    expect(await office.voice('number', requestOf({ sid, to: '+14155559999' }))).toBe(NOT_FOUND)
    expect(await office.call(sid, ['status', 'direction', 'called'])).toMatchObject({
      status: 'ringing',
      direction: 'incoming',
      called: '+14155559999',
    })
  })

  it.each([
    ['15550200104', '+15550200104'],
    ["'+1 (555) 020-0105", '+15550200105'],
    ['Tel. \u200e+1\u202f555\u2011020\u20110106', '+15550200106'],
    ['15550200107.0', '+15550200107'],
    ['+44 (0)20 7946 0108', '+442079460108'],
  ])(
    'a number of ours is found by the number that the provider names, though somebody wrote %j',
    async (written, to) => {
      await office.number(written, {})
      expect(await office.voice('number', requestOf({ sid: newSid(), to }))).toBe(NOT_CONFIGURED)
    },
  )

  it.each([
    ['+525512340101', '+5215512340101'],
    ['+5215512340102', '+525512340102'],
    ['+5511987650103', '+551187650103'],
    ['+541123450104', '+5491123450104'],
    ['+2250707070105', '+22507070105'],
  ])('the number of ours that is stored as %s is the one that is called as %s', async (written, to) => {
    await office.number(written, {})
    expect(await office.voice('number', requestOf({ sid: newSid(), to }))).toBe(NOT_CONFIGURED)
    expect(await office.voice('number', requestOf({ sid: newSid(), to: written }))).toBe(NOT_CONFIGURED)
  })

  it.each(['DE', 'AT', 'NL', 'CH'])('is found in %s too, though somebody left its + away', async (country) => {
    await setCountry(office.app, country)
    numbers += 1
    const written = `1555021${String(numbers).padStart(4, '0')}`
    await office.number(written, {})
    await setCountry(office.app, null)
    expect(await office.voice('number', requestOf({ sid: newSid(), to: `+${written}` }))).toBe(NOT_CONFIGURED)
  })

  it('a number of ours is found though an earlier version kept it without its +', async () => {
    await insertRow(office.app.db, 'connect_telco_number', { phone_number: '15550200188' })
    expect(await office.voice('number', requestOf({ sid: newSid(), to: '+15550200188' }))).toBe(NOT_CONFIGURED)
  })

  it('a number that nobody can read is refused, with the field and what would be right', async () => {
    for (const [model, field] of [
      ['connect.telco.number', 'phone_number'],
      ['connect.telco.outgoing_callerid', 'number'],
      ['connect.favorite', 'phone_number'],
    ] as const) {
      const values = { [field]: 'our main line', friendly_name: 'Main' }
      const known = model === 'connect.favorite' ? { phone_number: 'our main line' } : values
      const refused = await office.app.admin.call(model, 'create', { vals_list: known })
      expect(refused).toMatchObject({ status: 422, text: expect.stringContaining('+15550100001') })
      expect(refused.text).toContain(`${model}.${field}`)
    }
    const caller = { number: '1 (555) 020-0108', friendly_name: 'Main' }
    const id = await office.create('connect.telco.outgoing_callerid', caller)
    const [row] = await office.app.admin.ask<object[]>('connect.telco.outgoing_callerid', 'read', {
      ids: [id],
      fields: ['number'],
    })
    expect(row).toMatchObject({ number: '+15550200108' })
  })

  it.each([{}, { destination: 'user' }, { destination: 'callflow' }, { destination: 'voiceai_agent' }])(
    'without a destination that has its link is not configured (%o)',
    async (values) => {
      expect((await callTo(values)).markup).toBe(NOT_CONFIGURED)
    },
  )

  it('a number whose destination is gone is not configured', async () => {
    const flow = await office.flow()
    const number = await office.number('+14155558001', { destination: 'callflow', callflow: flow })
    await office.app.admin.ask('connect.telco.callflow', 'unlink', { ids: [flow] })
    expect(number).toBeGreaterThan(0)
    expect(await office.voice('number', requestOf({ sid: newSid(), to: '+14155558001' }))).toBe(NOT_CONFIGURED)
  })

  it('a number is not answered without a CallSid, and nothing is written', async () => {
    const before = await ledgerCounts(office.app)
    const { CallSid: _none, ...form } = requestOf({ sid: 'x' })
    expect(await office.voice('number', form)).toMatch(/^<Response><Say>.+<\/Say><Hangup\/><\/Response>$/)
    expect(await ledgerCounts(office.app)).toEqual(before)
  })
})

describe('a user', () => {
  it('a user is greeted and rung on the first phone, with everything the phone shows and reports', async () => {
    const partner = await office.contact('Zoë "Z" <Zed>', { phone: '+14155550701' })
    const from = '+14155550701'
    const { markup } = await callTo({ destination: 'user', user: alice.id }, { From: from, Caller: from })
    const dial =
      `<Dial timeout="10" callerId="${from}" action="${HOOKS}/connect.user/call_action/${alice.id}${EDGE}" ` +
      `record="record-from-answer" recordingStatusCallback="${HOOKS}/recordingstatus${REPORTED}">`
    const client =
      `<Client ${STATUS}><Identity>alice@acme.sip.twilio.com</Identity><Parameter name="From" value="${from}"/>` +
      `<Parameter name="CallerName" value="Zoë &quot;Z&quot; &lt;Zed>"/><Parameter name="Partner" value="${partner}"/></Client>`
    expect(markup).toBe(
      `<Response><Say language="en-US" voice="woman">Hello &amp; welcome</Say>${dial}${client}</Dial></Response>`,
    )
  })

  it('a user with a SIP phone only is rung there', async () => {
    const bob = await office.user('bob', '102', { client_enabled: false, sip_enabled: true, sip_ring_timeout: 25 })
    const { markup } = await callTo({ destination: 'user', user: bob.id })
    expect(markup).toBe(
      `<Response><Dial timeout="25" callerId="${CUSTOMER}" action="${HOOKS}/connect.user/call_action/${bob.id}${EDGE}">` +
        `<Sip statusCallback="${HOOKS}/callstatus${REPORTED}" statusCallbackEvent="initiated answered completed">` +
        'sip:bob@acme.sip.twilio.com</Sip></Dial></Response>',
    )
  })

  it('a user with voicemail only takes a message', async () => {
    const prompt = 'This is {{user.name}}.'
    const values = { client_enabled: false, voicemail_enabled: true, voicemail_prompt: prompt, language: 'de-DE' }
    const carl = await office.user('carl', '103', values)
    const { markup } = await callTo({ destination: 'user', user: carl.id })
    expect(markup).toBe(
      '<Response><Say language="de-DE" voice="woman">This is carl.</Say><Record maxLength="120" finishOnKey="#" ' +
        `playBeep="true" recordingStatusCallback="${HOOKS}/vm_recordingstatus${REPORTED}" action="${HOOKS}/callaction${EDGE}"/></Response>`,
    )
  })

  it('a user of a withheld number is rung with a caller id that the provider carries', async () => {
    const { markup } = await callTo({ destination: 'user', user: alice.id }, { From: 'anonymous', Caller: 'anonymous' })
    expect(markup).toContain('callerId="anonymous"')
  })

  it('a user who cannot be rung at all is answered with a sentence, never silence', async () => {
    const nobody = await office.user('nobody', '104', { client_enabled: false })
    const { markup } = await callTo({ destination: 'user', user: nobody.id })
    expect(markup).toContain(`<Say>${sentence('nobodyAnswers')}</Say>`)
  })
})

describe('a call flow, an application', () => {
  it('a call flow is rendered', async () => {
    const callflow = await office.flow({ prompt_message: 'Welcome', voice: 'alice', language: 'fr-FR' })
    const { markup } = await callTo({ destination: 'callflow', callflow })
    expect(markup).toBe(
      '<Response><Say language="fr-FR" voice="alice">Welcome</Say>' +
        `<Say language="fr-FR" voice="alice">${sentence('noActions', 'fr')}</Say>` +
        '<Pause length="1"/><Hangup/></Response>',
    )
  })

  it('an application is rendered with the fields of the request', async () => {
    const app = { name: 'Hi', markup: '<Response><Say>Hi {{ Caller }} at {{ Called }}</Say></Response>' }
    const markupId = await office.create('connect.telco.markup', app)
    const { markup } = await callTo({ destination: 'markup', markup: markupId })
    expect(markup).toMatch(/<Say>Hi \+14155550100 at \+1415556\d{4}<\/Say>/)
  })
})

describe('a voice agent', () => {
  it('a voice agent is called over SIP by its id, with the call and the leg as references, and tagged on the call', async () => {
    const agent = await office.agent({ agent_uid: 'agent_7', connect_method: 'sip' })
    const { sid, markup } = await callTo({ destination: 'voiceai_agent', voiceai_agent: agent })
    const call = await office.call(sid, ['voiceai_agent'])
    expect(call).toMatchObject({ voiceai_agent: [agent, expect.any(String)] })
    expect(markup).toBe(
      `<Response><Dial timeout="20" callerId="${CUSTOMER}" action="${HOOKS}/connect.voiceai_agent/call_action/${agent}${EDGE}">` +
        `<Sip statusCallback="${HOOKS}/callstatus${REPORTED}" statusCallbackEvent="initiated answered completed">` +
        `sip:agent_7@sip.rtc.elevenlabs.io:5060;transport=tcp?X-Connect-Call-Ref=${call.id}&amp;X-CALL-ID=${sid}</Sip></Dial></Response>`,
    )
  })

  it.each([
    ['anonymous', undefined, 'anonymous'],
    ['client:alice@acme.sip.twilio.com', undefined, 'anonymous'],
    ['anonymous', '+14155550155', '+14155550155'],
  ])('shows a number and nothing else: %s with the default %s is %s', async (from, number, shown) => {
    const agent = await office.agent({ agent_uid: newSid('agent_'), connect_method: 'sip' })
    const values = { number, friendly_name: 'Main', callerid_type: 'number', is_default: true }
    const id = number === undefined ? undefined : await office.create('connect.telco.outgoing_callerid', values)
    const called = { destination: 'voiceai_agent', voiceai_agent: agent }
    expect((await callTo(called, { From: from, Caller: from })).markup).toContain(`callerId="${shown}"`)
    if (id !== undefined) {
      await office.settings({ telco_auto_sync: false })
      await office.app.admin.ask('connect.telco.outgoing_callerid', 'unlink', { ids: [id] })
      await office.settings({ telco_auto_sync: true })
    }
  })

  it('keeps the agent that the call had first', async () => {
    const [first, second] = [await office.agent({ agent_uid: 'agent_1' }), await office.agent({ agent_uid: 'agent_2' })]
    const { sid } = await callTo({ destination: 'voiceai_agent', voiceai_agent: first })
    const to = '+14155558002'
    await office.number(to, { destination: 'voiceai_agent', voiceai_agent: second })
    await office.voice('number', requestOf({ sid, to }))
    expect(await office.call(sid, ['voiceai_agent'])).toMatchObject({ voiceai_agent: [first, expect.any(String)] })
  })
})

describe('business hours', () => {
  const destination = { destination: 'callflow' }
  const closed = { closed_message: 'We are closed <today>.' }

  async function hours(openings: object[], holidays: object[] = []): Promise<number> {
    const id = await office.create('connect.telco.business_hours', { name: newSid('hours'), tz: 'Europe/Zurich' })
    for (const opening of openings) await office.create('connect.telco.opening', { business_hours: id, ...opening })
    for (const day of holidays)
      await office.create('connect.telco.holiday', { business_hours: id, name: 'Day', ...day })
    return id
  }

  it.each([
    ['within them', [{ dayofweek: '2', hour_from: 8, hour_to: 12 }], [], true],
    ['before them, on the clocks of the place', [{ dayofweek: '2', hour_from: 10.5, hour_to: 18 }], [], false],
    ['on another weekday', [{ dayofweek: '3', hour_from: 0, hour_to: 24 }], [], false],
    ['on a holiday', [], [{ date_from: '2026-08-26' }], false],
    ['on any other day', [], [{ date_from: '2026-08-27' }], true],
  ])('%s', async (_when, openings, holidays, isOpen) => {
    const callflow = await office.flow({ prompt_message: 'Open' })
    const business_hours = await hours(openings, holidays)
    const { markup } = await callTo({ ...destination, callflow, business_hours, ...closed })
    expect(markup.includes('Open')).toBe(isOpen)
    expect(markup.includes('We are closed &lt;today&gt;.')).toBe(!isOpen)
  })

  it('send calls outside of them to another extension', async () => {
    const callflow = await office.flow({ prompt_message: 'Open' })
    const night = await office.flow({ prompt_message: 'Night watch' })
    const closed_exten = await office.extension('180', 'connect.telco.callflow', night)
    const business_hours = await hours([], [{ date_from: '2026-08-26' }])
    const { markup } = await callTo({ ...destination, callflow, business_hours, closed_exten, ...closed })
    expect(markup).toContain('Night watch')
  })
})

describe('the fallback of a number', () => {
  it('takes the call when the destination cannot', async () => {
    const night = await office.flow({ prompt_message: 'Somebody else' })
    const fallback_exten = await office.extension('181', 'connect.telco.callflow', night)
    expect((await callTo({ fallback_exten, fallback_message: 'Nobody' })).markup).toContain('Somebody else')
    expect((await callTo({ fallback_message: 'Nobody & nothing' })).markup).toContain('Nobody &amp; nothing')
  })

  it('the fallback of a number that cannot take it either is not tried for ever', async () => {
    const broken = await office.create('connect.telco.exten', { number: '182' })
    expect((await callTo({ fallback_exten: broken, fallback_message: 'The end' })).markup).toContain('The end')
  })
})
