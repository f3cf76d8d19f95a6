// What a caller pressed or said in a call flow: docs/reference/domain.md#call-flows.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sentence } from '../../src/telco/sentences/sentence.ts'
import { ledgerCounts } from '../support/telco.ts'
import {
  CUSTOMER,
  EDGE,
  type Form,
  HANGUP,
  HOOKS,
  newSid,
  Office,
  OUR_NUMBER,
  REPORTED,
  requestOf,
  SIP_HOST,
} from '../support/telco-office.ts'

const NO_ACTIONS = '<Say>This callflow has no actions! Goodbye!</Say><Pause length="1"/><Hangup/>'
const NOT_FOUND = `<Response><Say>${sentence('callflowNotFound')}</Say><Hangup/></Response>`

let office: Office
let menu: number
let sales: number

beforeAll(async () => {
  office = await Office.start()
  await office.number(OUR_NUMBER, {})
  sales = await office.flow({ prompt_message: 'This is sales' })
  const support = await office.flow({ prompt_message: 'This is support' })
  menu = await office.flow({
    prompt_message: 'Press 1 & wait',
    invalid_input_message: 'That was <wrong>',
    gather_input: true,
    gather_input_type: 'dtmf speech',
    gather_digits: 2,
    gather_timeout: 7,
    gather_hints: 'sales, support',
  })
  await choice(menu, '1', await office.extension('201', 'connect.telco.callflow', sales), 'sales')
  await choice(menu, '22', await office.extension('202', 'connect.telco.callflow', support), 'Technical Support')
})
afterAll(() => office.stop())

function choice(callflow: number, digits: string, exten: number, speech?: string): Promise<number> {
  return office.create('connect.telco.callflow_choice', {
    callflow,
    choice_digits: digits,
    exten,
    speech: speech ?? null,
  })
}

/** The result of a gather (docs/reference/providers.md#gathered-input). */
function gathered(fields: Form, sid = newSid()): Form {
  return { ...requestOf({ sid }), CallStatus: 'in-progress', FinishedOnKey: '', msg: 'Gather End', ...fields }
}

const gather = (fields: Form, id: number | string = menu, query = ''): Promise<string> =>
  office.voice(`callflow/${id}/gather${query}`, gathered(fields))

describe('the question of a flow', () => {
  it('the question of a flow is asked with everything the flow says', async () => {
    const to = '+14155557001'
    await office.number(to, { destination: 'callflow', callflow: menu })
    expect(await office.voice('number', requestOf({ sid: newSid(), to }))).toBe(
      `<Response><Gather action="${HOOKS}/callflow/${menu}/gather${EDGE}" method="POST" timeout="7" numDigits="2" ` +
        'input="dtmf speech" language="en-US" hints="sales, support"><Say language="en-US" voice="woman">Press 1 &amp; wait</Say>' +
        `</Gather>${NO_ACTIONS}</Response>`,
    )
  })

  it('the question of a flow has hints only where speech is understood', async () => {
    const flow = await office.flow({ prompt_message: 'Press', gather_input: true, gather_hints: 'sales' })
    const answer = await gather({ Digits: '7' }, flow)
    expect(answer).toContain('input="dtmf"')
    expect(answer).not.toContain('hints')
  })
})

describe('digits', () => {
  it.each([
    ['1', 'This is sales'],
    ['22', 'This is support'],
  ])('%s lead to the extension of their choice', async (Digits, prompt) => {
    expect(await gather({ Digits })).toContain(prompt)
  })

  it('digits win over speech', async () => {
    expect(await gather({ Digits: '1', SpeechResult: 'technical support' })).toContain('This is sales')
  })

  it.each(['2', '11', '', '#', '１'])('"%s" that mean nothing are wrong input', async (Digits) => {
    const answer = await gather({ Digits })
    expect(answer).toMatch(/^<Response><Say [^>]+>That was &lt;wrong&gt;<\/Say><Gather /)
    expect(answer).toContain(`action="${HOOKS}/callflow/${menu}/gather?invalid=1${EDGE}"`)
  })
})

describe('speech', () => {
  it.each(['sales', 'Sales.', 'I want SALES, please!', 'to the sales-people'])(
    '"%s" is understood',
    async (SpeechResult) => {
      expect(await gather({ SpeechResult, Confidence: '0.91' })).toContain('This is sales')
    },
  )

  it('speech of several words is understood with any punctuation', async () => {
    expect(await gather({ SpeechResult: 'technical, support' })).toContain('This is support')
  })

  it.each(['', '...', 'nothing of the kind', 'sa les'])('"%s" is wrong input', async (SpeechResult) => {
    expect(await gather({ SpeechResult })).toContain('That was &lt;wrong&gt;')
  })
})

describe('wrong input', () => {
  it('wrong input is told twice; after the third time the flow goes on as if there had been none', async () => {
    const sid = newSid()
    const answer = (query: string) => office.voice(`callflow/${menu}/gather${query}`, gathered({ Digits: '9' }, sid))
    expect(await answer('')).toContain('gather?invalid=1')
    expect(await answer('?invalid=1')).toContain('gather?invalid=2')
    expect(await answer('?invalid=2')).toBe(`<Response>${NO_ACTIONS}</Response>`)
    expect(await answer('?invalid=77')).toBe(`<Response>${NO_ACTIONS}</Response>`)
  })

  it('any input in a flow without choices is wrong input', async () => {
    const flow = await office.flow({
      prompt_message: 'Say something',
      gather_input: true,
      invalid_input_message: 'Hm?',
    })
    expect(await gather({ Digits: '1' }, flow)).toContain('>Hm?</Say><Gather ')
  })

  it('wrong input ends in a message where the flow takes one', async () => {
    const values = { prompt_message: 'Press', gather_input: true, voicemail_enabled: true, voicemail_prompt: 'Speak' }
    const flow = await office.flow(values)
    expect(await gather({ Digits: '9' }, flow, '?invalid=2')).toMatch(
      /^<Response><Pause length="1"\/><Say [^>]+>Speak<\/Say><Record [^>]+\/><\/Response>$/,
    )
  })
})

describe('a menu in a menu', () => {
  it('a menu in a menu is entered through its extension and starts with no wrong inputs of its own', async () => {
    const inner = await office.flow({ prompt_message: 'Inner', gather_input: true })
    const outer = await office.flow({ prompt_message: 'Outer', gather_input: true })
    await choice(inner, '1', (await office.list('connect.telco.exten', [['number', '=', '201']], []))[0]?.id ?? 0)
    await choice(outer, '5', await office.extension('205', 'connect.telco.callflow', inner))
    const answer = await gather({ Digits: '5' }, outer)
    expect(answer).toContain('>Inner</Say></Gather>')
    expect(answer).toContain(`/callflow/${inner}/gather`)
    expect(await gather({ Digits: '1' }, inner)).toContain('This is sales')
  })

  it('a choice that leads nowhere is answered with a sentence', async () => {
    const flow = await office.flow({ prompt_message: 'Press', gather_input: true })
    await choice(flow, '1', await office.create('connect.telco.exten', { number: '206' }))
    expect(await gather({ Digits: '1' }, flow)).toBe('<Response><Say>Extension not configured!</Say></Response>')
  })
})

describe('a group of phones', () => {
  it('rings together after the question, with the number of the caller', async () => {
    const anna = await office.user('anna', '301', { sip_enabled: true })
    const ben = await office.user('ben', '302')
    const flow = await office.flow({ prompt_message: 'Hi', record_calls: true, ring_users: [anna.id, ben.id] })
    const exten = await office.extension('207', 'connect.telco.callflow', flow)
    await choice(menu, '7', exten)
    const answer = await gather({ Digits: '7' })
    expect(answer).toContain(
      `<Dial callerId="${CUSTOMER}" action="${HOOKS}/connect.telco.callflow/call_action/${flow}${EDGE}" ` +
        `record="record-from-answer-dual" recordingStatusCallback="${HOOKS}/recordingstatus${REPORTED}">`,
    )
    const identities = [...answer.matchAll(/<Identity>(\w+)@|>sip:(\w+)@/g)].map(([, web, sip]) => web ?? `sip ${sip}`)
    expect(identities.toSorted()).toEqual(['anna', 'ben', 'sip anna'])
    expect(answer.match(/statusCallbackEvent="answered completed"/g)).toHaveLength(3)
  })

  it('a group of phones is not rung by a phone of ours without a default number to show', async () => {
    const from = `client:anna@${SIP_HOST}`
    const form = { ...gathered({ Digits: '7' }), From: from, Caller: from }
    expect(await office.voice(`callflow/${menu}/gather`, form)).toBe(
      '<Response><Say>You must select a default number for caller ID!</Say></Response>',
    )
    await office.create('connect.telco.outgoing_callerid', {
      number: '+14155550166',
      friendly_name: 'Main',
      callerid_type: 'number',
      is_default: true,
    })
    expect(await office.voice(`callflow/${menu}/gather`, form)).toContain('<Dial callerId="+14155550166"')
  })
})

describe('a gather that cannot be', () => {
  it.each(['0', '999999', 'abc', '99999999999999999999'])('for the flow %s is a spoken error', async (id) => {
    const before = await ledgerCounts(office.app)
    expect(await gather({ Digits: '1' }, id)).toBe(NOT_FOUND)
    expect(await ledgerCounts(office.app)).toEqual(before)
  })

  it('a gather without a CallSid is answered with a spoken error', async () => {
    const { CallSid: _none, ...form } = gathered({ Digits: '1' })
    expect(await office.voice(`callflow/${menu}/gather`, form)).toMatch(/<Say>.+<\/Say><Hangup\/>/)
  })

  it('writes nothing of a call that the ledger does not know', async () => {
    const before = await ledgerCounts(office.app)
    await gather({ Digits: '1' })
    expect(await ledgerCounts(office.app)).toEqual(before)
  })

  it('goes to the fallback of the called number where it has one', async () => {
    const to = '+14155557002'
    await office.number(to, { fallback_message: 'Please hold the line' })
    const form = { ...gathered({ Digits: '1' }), To: to, Called: to }
    expect(await office.voice('callflow/999999/gather', form)).toContain('Please hold the line')
  })
})

describe('a flow that was deleted while it rang', () => {
  it('ends the call with a sentence, never silence', async () => {
    const form = { ...requestOf({ sid: newSid() }), CallStatus: 'in-progress', DialCallStatus: 'no-answer' }
    const answer = await office.voice('connect.telco.callflow/call_action/999999', form)
    expect(answer).toContain('<Say>')
    expect(
      await office.voice('connect.telco.callflow/call_action/999999', { ...form, DialCallStatus: 'completed' }),
    ).toBe(HANGUP)
  })
})
