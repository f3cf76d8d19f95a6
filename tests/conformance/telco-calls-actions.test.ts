// Call actions: docs/reference/domain.md#generic-call-action, docs/reference/domain.md#call-actions,
// docs/reference/domain.md#ringing-a-user.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sentence } from '../../src/telco/sentences/sentence.ts'
import { ledgerCounts } from '../support/telco.ts'
import {
  CUSTOMER,
  callback,
  EDGE,
  type Form,
  HANGUP,
  HOOKS,
  newSid,
  Office,
  requestOf,
} from '../support/telco-office.ts'

const NOBODY = sentence('nobodyAnswers')
const UNANSWERED = `<Response><Say>${NOBODY}</Say><Pause length="1"/><Hangup/></Response>`
const SORRY = `<Response><Say>${NOBODY}</Say><Hangup/></Response>`

let office: Office
/** A user with a web phone, a SIP phone and voicemail, and the number that rings her. */
let alice: { id: number; steps: Record<string, number> }
const NUMBER = '+14155550111'

beforeAll(async () => {
  office = await Office.start()
  const { id } = await office.user('alice', '101', {
    sip_enabled: true,
    voicemail_enabled: true,
    voicemail_prompt: '{{user.name}} is away.',
  })
  alice = { id, steps: await office.steps(id) }
  await office.number(NUMBER, { destination: 'user', user: id })
})
afterAll(() => office.stop())

/** The request after a dial (docs/reference/providers.md#after-a-dial). */
function afterDial(sid: string, dialStatus: string | undefined, fields: Form = {}): Form {
  const dialled = dialStatus === undefined ? {} : { DialCallStatus: dialStatus, DialCallSid: newSid() }
  return { ...requestOf({ sid, to: NUMBER }), CallStatus: 'in-progress', ...dialled, ...fields }
}

const action = (id = alice.id, query = ''): string => `connect.user/call_action/${id}${query}`

/** A call to the number, whose first phone is ringing. */
async function ringing(): Promise<string> {
  const sid = newSid()
  expect(await office.voice('number', requestOf({ sid, to: NUMBER }))).toContain('<Client ')
  return sid
}

function tried(): Promise<unknown[]> {
  return office.list('connect.telco.user_callflow_call', [], ['call', 'callflow'])
}

describe('callaction', () => {
  it.each([{}, { DialCallStatus: 'completed' }, { Digits: 'hangup', RecordingUrl: 'https://x.example.com/RE1' }])(
    'always hangs up (%o)',
    async (fields) => {
      expect(await office.voice('callaction', { ...requestOf({ sid: newSid() }), ...fields })).toBe(HANGUP)
    },
  )
})

describe('a model that has no call actions', () => {
  it.each(['res.users', 'connect.settings', 'connect.telco.number', 'connect.call', '__proto__', 'constructor'])(
    '%s hangs up, and nothing is written',
    async (model) => {
      const before = await ledgerCounts(office.app)
      expect(await office.voice(`${model}/call_action/1`, afterDial(newSid(), 'no-answer'))).toBe(HANGUP)
      expect(await ledgerCounts(office.app)).toEqual(before)
    },
  )
})

describe('an id that no record has', () => {
  it.each(['999999', '0', '-1', 'abc', '1e3', '99999999999999999999', '1%00'])(
    '%s is a sentence and the end, for users and flows, and nothing is written',
    async (id) => {
      const before = await ledgerCounts(office.app)
      expect(await office.voice(`connect.user/call_action/${id}`, afterDial(newSid(), 'no-answer'))).toBe(SORRY)
      expect(await office.voice(`connect.callflow/call_action/${id}`, afterDial(newSid(), 'no-answer'))).toBe(SORRY)
      expect(await ledgerCounts(office.app)).toEqual(before)
    },
  )
})

describe('a user of a call that the ledger knows', () => {
  it('a user of a call that the ledger knows is rung on one phone after another, then takes a message, then there is no more', async () => {
    const sid = await ringing()
    const second = await office.voice(action(), afterDial(sid, 'no-answer'))
    expect(second).toContain('>sip:alice@acme.sip.twilio.com</Sip>')
    expect(second).toContain(`action="${HOOKS}/connect.user/call_action/${alice.id}${EDGE}"`)
    expect(second).not.toContain('<Client')
    const third = await office.voice(action(), afterDial(sid, 'busy'))
    expect(third).toContain('>alice is away.</Say><Record ')
    expect(third).not.toContain('<Dial')
    expect(await office.voice(action(), afterDial(sid, 'failed'))).toBe(HANGUP)
    expect(await tried()).toEqual([])
  })

  it('counts the steps that the address says were tried, and drops what are none', async () => {
    const sid = await ringing()
    const steps = [alice.steps.sip, 'x', '999999', '', alice.steps.client].join(',')
    const answer = await office.voice(action(alice.id, `?done_callflows=${steps}`), afterDial(sid, 'no-answer'))
    expect(answer).toContain('<Record ')
    await office.voice(action(), afterDial(sid, 'completed'))
  })

  it.each([
    ['the dialled leg completed', 'completed', {}],
    ['the dialled leg was answered', 'answered', {}],
    ['the dialled leg was canceled', 'canceled', {}],
    ['the caller hung up', 'no-answer', { CallStatus: 'completed' }],
    ['the caller gave up', 'no-answer', { CallStatus: 'canceled' }],
    ['the call was busy', 'busy', { CallStatus: 'busy' }],
    ['the call failed', 'failed', { CallStatus: 'failed' }],
    ['the call was not answered', undefined, { CallStatus: 'no-answer' }],
  ])(
    'a user of a call that the ledger knows is rung no more when %s, and the steps are forgotten',
    async (_what, dialStatus, fields) => {
      const sid = await ringing()
      expect(await tried()).toHaveLength(1)
      expect(await office.voice(action(), afterDial(sid, dialStatus, fields))).toBe(HANGUP)
      expect(await tried()).toEqual([])
    },
  )

  it('leaves nothing behind when the caller hangs up while a message is taken', async () => {
    const sid = await ringing()
    await office.voice(action(), afterDial(sid, 'no-answer'))
    expect(await office.voice(action(), afterDial(sid, 'no-answer'))).toContain('<Record ')
    expect(await tried()).toHaveLength(3)
    await office.voice('callaction', { ...requestOf({ sid, to: NUMBER }), Digits: 'hangup' })
    await office.reports(callback({ sid, to: NUMBER }, 'completed', { sequence: 3 }))
    expect(await tried()).toEqual([])
  })

  it('a user of a call that the ledger knows is rung on when somebody picked up and declined', async () => {
    const sid = await ringing()
    const answer = await office.voice(action(), afterDial(sid, 'completed', { DialBridged: 'false' }))
    expect(answer).toContain('<Sip ')
    await office.voice(action(), afterDial(sid, 'completed'))
  })

  it('a user of a call that the ledger knows is rung on when nothing was dialled', async () => {
    const sid = await ringing()
    expect(await office.voice(action(), afterDial(sid, undefined))).toContain('<Sip ')
    await office.voice(action(), afterDial(sid, 'completed'))
  })

  it('tells the ledger that the caller is being answered', async () => {
    const sid = await ringing()
    await office.voice(action(), afterDial(sid, 'completed'))
    expect(await office.leg(sid, ['status'])).toMatchObject({ status: 'in-progress' })
  })
})

describe('a user of a call that the ledger does not know', () => {
  it('a user of a call that the ledger does not know is rung by the steps in the address, which carries them on', async () => {
    const { client, sip, voicemail } = alice.steps
    const before = await ledgerCounts(office.app)
    const sid = newSid()
    const first = await office.voice(action(), afterDial(sid, 'no-answer'))
    expect(first).toContain(`call_action/${alice.id}?done_callflows=${client}${EDGE}"`)
    const second = await office.voice(action(alice.id, `?done_callflows=${client}`), afterDial(sid, 'no-answer'))
    expect(second).toContain(`call_action/${alice.id}?done_callflows=${client},${sip}${EDGE}"`)
    const third = await office.voice(action(alice.id, `?done_callflows=${client},${sip}`), afterDial(sid, 'busy'))
    expect(third).toContain('<Record ')
    const all = `?done_callflows=${client},${sip},${voicemail}`
    expect(await office.voice(action(alice.id, all), afterDial(sid, 'no-answer'))).toBe(HANGUP)
    expect(await ledgerCounts(office.app)).toEqual(before)
  })
})

describe('a call flow', () => {
  const silent = { voicemail_enabled: false, voicemail_prompt: '' }
  const taking = {
    name: 'Messages',
    prompt_message: '',
    voicemail_enabled: true,
    voicemail_prompt: 'Speak <now> & go.',
  }

  it.each(['connect.telco.callflow', 'connect.callflow'])(
    'under the name %s hangs up when somebody talked',
    async (model) => {
      const id = await office.flow(taking)
      expect(await office.voice(`${model}/call_action/${id}`, afterDial(newSid(), 'completed'))).toBe(HANGUP)
    },
  )

  it.each(['no-answer', 'busy', 'failed', 'canceled', undefined])('takes a message after %s', async (status) => {
    const id = await office.flow(taking)
    const answer = await office.voice(`connect.callflow/call_action/${id}`, afterDial(newSid(), status))
    expect(answer).toMatch(
      /^<Response><Pause length="1"\/><Say language="en-US" voice="woman">Speak &lt;now&gt; &amp; go.<\/Say><Record maxLength="120" finishOnKey="#" playBeep="true" /,
    )
    expect(answer).toContain(`action="${HOOKS}/callaction${EDGE}"`)
  })

  it.each([silent, { ...taking, voicemail_enabled: false }, { ...taking, voicemail_prompt: '' }])(
    'without voicemail or a prompt for it says sorry',
    async (values) => {
      const id = await office.flow(values)
      expect(await office.voice(`connect.telco.callflow/call_action/${id}`, afterDial(newSid(), 'no-answer'))).toBe(
        UNANSWERED,
      )
    },
  )
})

describe('a voice agent that was called over SIP', () => {
  it('a voice agent that was called over SIP is followed by the fallback of the number, or the end after a conversation', async () => {
    const agent = await office.agent({ agent_uid: 'agent_1' })
    await office.number('+14155550112', {
      destination: 'voiceai_agent',
      voiceai_agent: agent,
      fallback_message: 'Please call again.',
    })
    const to = { To: '+14155550112', Called: '+14155550112', From: CUSTOMER }
    const route = `connect.voiceai_agent/call_action/${agent}`
    expect(await office.voice(route, afterDial(newSid(), 'failed', to))).toContain('Please call again.')
    expect(await office.voice(route, afterDial(newSid(), 'completed', to))).toBe(HANGUP)
  })
})
