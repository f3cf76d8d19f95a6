// Calls of SIP phones and WhatsApp callers: docs/reference/domain.md#calls-of-sip-phones.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../src/database/drizzle.ts'
import { sentence } from '../../src/telco/sentences/sentence.ts'
import { ledgerCounts } from '../support/telco.ts'
import { CUSTOMER, type Form, HOOKS, newSid, Office, REPORTED, requestOf, SIP_HOST } from '../support/telco-office.ts'

const NOT_FOUND = '<Response><Say>Extension not found. Goodbye! </Say></Response>'
const SEVERAL = '<Response><Say>Multiple extensions found. Check your dialplan. Goodbye! </Say></Response>'
const NO_CALLER_ID = '<Response><Say>You must select a default number for caller ID!</Say></Response>'
const DEFAULT = '+14155550160'
const OWN = '+14155550161'

let office: Office
let alice: { id: number; loginId: number }
let bob: { id: number; loginId: number }

beforeAll(async () => {
  office = await Office.start()
  alice = await office.user('alice', '101', { record_calls: true })
  bob = await office.user('bob', '102')
  const pattern = await office.flow({ prompt_message: 'Pattern' })
  await office.extension('2\\d\\d', 'connect.telco.callflow', pattern)
  const exact = await office.flow({ prompt_message: 'Exactly' })
  await office.extension('250', 'connect.telco.callflow', exact)
})
afterAll(() => office.stop())

/** A call of a registered phone (docs/reference/providers.md#calls-of-a-sip-phone). */
function fromPhone(to: string, fields: Form = {}, username = 'alice'): Form {
  const leg = { sid: newSid(), from: `sip:${username}@${SIP_HOST}`, to }
  const sip = { SipDomain: SIP_HOST, SipDomainSid: 'SD1', SipCallId: 'abc@203.0.113.10', SipSourceIp: '203.0.113.10' }
  return { ...requestOf(leg), ...sip, ...fields }
}

const dial = (to: string, fields: Form = {}, username = 'alice'): Promise<string> =>
  office.voice('domain', fromPhone(to, fields, username))

describe('what was dialled', () => {
  it.each([
    `sip:102@${SIP_HOST}`,
    'sip:102@acme.sip.dublin.twilio.com',
    `sip:102@${SIP_HOST};transport=tls`,
    `sip:102@${SIP_HOST}:5061`,
    'client:102',
    '102',
    '+102',
  ])('%s is the extension 102', async (to) => {
    const answer = await dial(to)
    expect(answer).toContain('<Identity>bob@acme.sip.twilio.com</Identity>')
    // The phone shows the extension of the colleague who calls.
    expect(answer).toContain('callerId="101"')
    expect(answer).toContain('<Parameter name="CallerName" value="alice"/>')
  })

  it('comes into the ledger as a call of the user', async () => {
    const form = fromPhone(`sip:102@${SIP_HOST}`)
    await office.voice('domain', form)
    expect(await office.call(form.CallSid ?? '', ['caller', 'called', 'direction', 'caller_user'])).toMatchObject({
      caller: '101',
      called: '102',
      direction: 'outgoing',
      caller_user: [alice.loginId, expect.any(String)],
    })
  })

  it('exactly wins over patterns', async () => {
    expect(await dial(`sip:250@${SIP_HOST}`)).toContain('Exactly')
    expect(await dial(`sip:251@${SIP_HOST}`)).toContain('Pattern')
  })

  it('fits a pattern as a whole or not at all', async () => {
    expect(await dial(`sip:2510@${SIP_HOST}`)).toBe(NOT_FOUND)
    expect(await dial(`sip:x251@${SIP_HOST}`)).toBe(NOT_FOUND)
  })

  it('a number that several patterns match is refused', async () => {
    const flow = await office.flow({ prompt_message: 'Other' })
    const exten = await office.extension('2[67]\\d', 'connect.telco.callflow', flow)
    expect(await dial(`sip:261@${SIP_HOST}`)).toBe(SEVERAL)
    await office.app.admin.ask('connect.telco.exten', 'unlink', { ids: [exten] })
    expect(await dial(`sip:261@${SIP_HOST}`)).toContain('Pattern')
  })

  it('a pattern with a plus fits dialled numbers with one', async () => {
    const flow = await office.flow({ prompt_message: 'Zurich' })
    await office.extension('+4144\\d{7}', 'connect.telco.callflow', flow)
    expect(await dial(`sip:+41441234567@${SIP_HOST}`)).toContain('Zurich')
  })

  it('what was dialled is routed beside a pattern that no engine takes', async () => {
    const { sql } = await import('../../src/database/drizzle.ts')
    await office.app.db.query(sql`insert into connect_telco_exten (number) values ('9(9'), ('(a+)+$'), ('*7')`)
    expect(await dial(`sip:251@${SIP_HOST}`)).toContain('Pattern')
    expect(await dial(`sip:${'a'.repeat(60)}!@${SIP_HOST}`)).toBe(NOT_FOUND)
  })

  it.each(['sip:998@acme.sip.twilio.com', 'sip:nobody@acme.sip.twilio.com', '', 'sip:', '00447700900123'])(
    '%s is nothing we know',
    async (to) => {
      expect(await dial(to)).toBe(NOT_FOUND)
    },
  )
})

describe('a call to the outside', () => {
  it('needs a number to show', async () => {
    expect(await dial(`sip:${CUSTOMER}@${SIP_HOST}`)).toBe(NO_CALLER_ID)
  })

  it('shows the default number, is limited and reported, and recorded as the user wants', async () => {
    await office.create('connect.telco.outgoing_callerid', {
      number: DEFAULT,
      friendly_name: 'Main',
      callerid_type: 'number',
      is_default: true,
    })
    await office.settings({ call_duration_limit: 1800 })
    const number =
      `<Number statusCallback="${HOOKS}/callstatus${REPORTED}" statusCallbackEvent="initiated answered completed">` +
      `${CUSTOMER}</Number></Dial></Response>`
    const recorded = ` record="record-from-answer" recordingStatusCallback="${HOOKS}/recordingstatus${REPORTED}"`
    const head = `<Response><Dial timeout="60" callerId="${DEFAULT}" timeLimit="1800"`
    expect(await dial(`sip:${CUSTOMER}@${SIP_HOST}`)).toBe(`${head}${recorded}>${number}`)
    expect(await dial(`sip:${CUSTOMER}@${SIP_HOST}`, {}, 'bob')).toBe(`${head}>${number}`)
    expect(await dial(`sip:${CUSTOMER}@${SIP_HOST}`, {}, 'stranger')).toBe(`${head}>${number}`)
  })

  it("shows the user's own number", async () => {
    const values = { number: OWN, friendly_name: 'Own', callerid_type: 'number' }
    const own = await office.create('connect.telco.outgoing_callerid', values)
    await office.write('connect.user', bob.id, { telco_outgoing_callerid: own })
    expect(await dial(`sip:${CUSTOMER}@${SIP_HOST}`, {}, 'bob')).toContain(`callerId="${OWN}"`)
  })

  it('a call to a number of ours is a call to the outside too, so that nothing goes round', async () => {
    await office.number('+14155550190', { destination: 'user', user: bob.id })
    expect(await dial(`sip:+14155550190@${SIP_HOST}`)).toContain('+14155550190</Number>')
  })

  it('a call to the outside never takes a name for a number', async () => {
    expect(await dial(`sip:+1415;ext=<Sip>@${SIP_HOST}`)).not.toContain('<Sip>')
    expect(await dial('sip:+evil@acme.sip.twilio.com')).toBe(NOT_FOUND)
  })
})

describe('what going out may cost', () => {
  const NOT_ALLOWED = `<Response><Say>${sentence('callNotAllowed')}</Say><Hangup/></Response>`
  const ask = async (model: string, method: string, args: object): Promise<unknown[]> => {
    const { status, body } = await office.app.admin.call(model, method, args)
    const { context } = body as { context?: { code?: string } }
    return [status, context?.code]
  }

  it.each(['+19005550100', '+88216123456', '+8836123456', '+979123456789', '+41900123456'])(
    'the number %s is neither called nor forwarded to nor dialled by markup',
    async (number) => {
      expect(await dial(`sip:${number}@${SIP_HOST}`)).toBe(NOT_ALLOWED)
      expect(await office.voice('domain', { ...fromPhone('sip:1@x'), forward_to: number })).toBe(NOT_ALLOWED)
      const encoded = encodeURIComponent(number)
      expect(await office.voice(`domain?forward_to=${encoded}`, fromPhone('sip:1@x'))).toBe(NOT_ALLOWED)
      const written = `&#43;${number.slice(1)}`
      for (const dialled of ['{{ Caller }}', number, written, `<Number><![CDATA[${number}]]></Number>`]) {
        const markup = `<Response><Dial>${dialled}</Dial></Response>`
        const id = await office.create('connect.telco.markup', { name: newSid('app'), markup })
        const answer = await office.voice(`markup/${id}`, requestOf({ sid: newSid(), from: number }))
        expect(answer, dialled).toBe(NOT_ALLOWED)
      }
      expect(await ask('connect.user', 'originate', { ids: [alice.id], number })).toEqual([422, 'number-is-barred'])
    },
  )

  it('calls of a day end at the limit of the person and of all, also many at once, and a forward from the page counts once', async () => {
    const to = `sip:${CUSTOMER}@${SIP_HOST}`
    await office.app.db.query(sql`delete from connect_outgoing_count`)
    await office.settings({ calls_a_day: 5, calls_a_day_of_user: 3 })
    const answers = await Promise.all(Array.from({ length: 6 }, () => dial(to)))
    expect(answers.filter((answer) => answer === NOT_ALLOWED)).toHaveLength(3)
    const counted = () => office.app.db.query(sql`select count from connect_outgoing_count where "user" = 0`)
    // The three that were refused to one person are nobody's.
    expect(await counted()).toEqual([{ count: 3 }])
    await office.app.db.query(sql`update connect_outgoing_count set count = 4 where "user" = 0`)
    expect(await dial(to, {}, 'bob')).not.toBe(NOT_ALLOWED)
    expect(await dial(to, {}, 'bob')).toBe(NOT_ALLOWED)
    const forward = `domain?forward_to=${encodeURIComponent(CUSTOMER)}`
    expect(await office.voice(forward, fromPhone('sip:1@x'))).toContain(`${CUSTOMER}</Number>`)
    expect(await ask('connect.user', 'originate', { ids: [alice.id], number: CUSTOMER })).toEqual([
      429,
      'calls-of-day-reached',
    ])
    await office.settings({ calls_a_day: 0, calls_a_day_of_user: 0 })
    expect(await dial(to)).not.toBe(NOT_ALLOWED)
  })

  it('a call that markup makes counts where one of us makes it, or to a number that the caller chose', async () => {
    await office.app.db.query(sql`delete from connect_outgoing_count`)
    await office.settings({ calls_a_day: 2, calls_a_day_of_user: 1 })
    const application = (dialled: string) =>
      office.create('connect.telco.markup', {
        name: newSid('app'),
        markup: `<Response><Dial>${dialled}</Dial></Response>`,
      })
    const [fixed, chosen] = [await application(CUSTOMER), await application('{{ Caller }}')]
    const outside = requestOf({ sid: newSid(), from: '+14155550199' })
    const own = fromPhone(`sip:${CUSTOMER}@${SIP_HOST}`)
    expect(await office.voice(`markup/${fixed}`, own)).toContain(CUSTOMER)
    expect(await office.voice(`markup/${fixed}`, { ...own, CallSid: newSid() })).toBe(NOT_ALLOWED)
    expect(await office.voice(`markup/${chosen}`, outside)).toContain('+14155550199')
    expect(await office.voice(`markup/${chosen}`, { ...outside, CallSid: newSid() })).toBe(NOT_ALLOWED)
    // Anyone who calls in is put through to a number that we have written ourselves.
    expect(await office.voice(`markup/${fixed}`, { ...outside, CallSid: newSid() })).toContain(CUSTOMER)
    await office.settings({ calls_a_day: 0, calls_a_day_of_user: 0 })
  })

  it.each(['\u200e+1900', '＋1\u20119\u201100', '+881, (+1)900'])(
    'the list %j of beginnings of numbers bars them',
    async (prefixes) => {
      await office.settings({ barred_prefixes: prefixes })
      expect(await dial(`sip:+19005550100@${SIP_HOST}`)).toBe(NOT_ALLOWED)
    },
  )

  it.each([
    ['+41(0)900', '+41900123456'],
    ['+39(0)6', '+390612345678'],
  ])(
    'the beginning %s is barred with its 0 in brackets, or without it, as its country is dialled',
    async (prefix, number) => {
      await office.settings({ barred_prefixes: prefix })
      expect(await dial(`sip:${number}@${SIP_HOST}`)).toBe(NOT_ALLOWED)
    },
  )

  it('what is no list of beginnings of numbers is refused, and none at all bars nothing', async () => {
    const vals = { barred_prefixes: '1900' }
    expect(await ask('connect.settings', 'write', { ids: [1], vals })).toEqual([422, 'settings-barred-prefixes'])
    await office.settings({ barred_prefixes: null })
    expect(await dial(`sip:+19005550100@${SIP_HOST}`)).toContain('+19005550100</Number>')
  })
})

describe('a blind forward', () => {
  it.each(['form', 'query'])('goes where forward_to in the %s says, not where the call was to', async (place) => {
    const form = fromPhone(`sip:101@${SIP_HOST}`)
    const query = place === 'query' ? '?forward_to=102' : ''
    const answer = await office.voice(`domain${query}`, place === 'form' ? { ...form, forward_to: '102' } : form)
    expect(answer).toContain('<Identity>bob@')
  })

  it('takes an encoded plus for what it is', async () => {
    const answer = await office.voice(`domain?forward_to=${encodeURIComponent(CUSTOMER)}`, fromPhone('sip:101@x'))
    expect(answer).toContain(`${CUSTOMER}</Number>`)
  })
})

describe('a call over WhatsApp', () => {
  const whatsapp = (to: string): Promise<string> => {
    const leg = { sid: newSid(), from: 'whatsapp:+380501234567', to: `whatsapp:${to}` }
    return office.voice('domain', requestOf(leg))
  }

  it('rings the extension with the number of the sender', async () => {
    const flow = await office.flow({ prompt_message: 'Hello WhatsApp' })
    await office.extension('+14155550181', 'connect.telco.callflow', flow)
    expect(await whatsapp('+14155550181')).toContain('Hello WhatsApp')
  })

  it('goes to the destination of the number with that phone number', async () => {
    const callflow = await office.flow({ prompt_message: 'By number' })
    await office.number('+14155550182', { destination: 'callflow', callflow })
    expect(await whatsapp('+14155550182')).toContain('By number')
  })

  it('a WhatsApp call reaches an agent', async () => {
    const agent = await office.agent({ agent_uid: 'agent_w', connect_method: 'sip' })
    await office.extension('+14155550183', 'connect.voiceai_agent', agent)
    expect(await whatsapp('+14155550183')).toContain('sip:agent_w@sip.rtc.elevenlabs.io')
  })

  it('a WhatsApp call never dials out', async () => {
    expect(await whatsapp('+14155559999')).toBe(
      `<Response><Say>${sentence('whatsappExtensionNotFound')}</Say></Response>`,
    )
  })
})

describe('a call without a CallSid', () => {
  it('a call without a CallSid is not routed, and nothing is written', async () => {
    const before = await ledgerCounts(office.app)
    const { CallSid: _none, ...form } = fromPhone(`sip:102@${SIP_HOST}`)
    expect(await office.voice('domain', form)).toMatch(/<Say>.+<\/Say><Hangup\/>/)
    expect(await ledgerCounts(office.app)).toEqual(before)
  })
})
