// What each of the 26 webhooks is typically sent, about records that are there.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { ACCOUNT_SID } from './play-scenarios.ts'
import type { Recorder } from './recorder.ts'

/** How a webhook proves who sent it. */
export type Proof = 'token' | 'post_call' | 'telco'

export interface Webhook {
  /** As the documents name it. */
  route: string
  proof: Proof
  target: string
  /** One or several typical bodies, each sent in full, twice, in another order, and with something odd in each place. */
  bodies: readonly Readonly<Record<string, unknown>>[]
}

export const OUR_NUMBER = '+14155550111'
const CUSTOMER = '+14155550288'
const FIXTURES = path.join(import.meta.dirname, '../fixtures/post-call')
const POST_CALLS = [
  'transcript',
  'transcript-nulls',
  'transcript-web',
  'audio',
  'failure-sip',
  'failure-telco',
  'unknown-type',
]

/** Ids of what the scenarios have left, read once before the webhooks. */
export interface Known {
  call: number
  sid: string
  partner: number
  ticket: number
  event: number
  user: number
  phoneUser: number
  callflow: number
  markup: number
  agent: string
  extension: string
  number: string
}

export async function findKnown({ service }: Recorder): Promise<Known> {
  const one = async (text: string): Promise<never> => Object.values((await service.query(text))[0] ?? {})[0] as never
  const idOf = async (table: string, where = 'true'): Promise<number> =>
    Number((await one(`select id from ${table} where ${where} order by id desc limit 1`)) ?? 0)
  return {
    call: await idOf('connect_call'),
    sid: (await one('select sid from connect_channel order by id desc limit 1')) ?? 'CA0',
    partner: await idOf('res_partner', 'phone is not null'),
    ticket: await idOf('helpdesk_ticket'),
    event: await idOf('calendar_event'),
    user: await idOf('res_users', 'active'),
    phoneUser: await idOf('connect_user'),
    callflow: await idOf('connect_telco_callflow'),
    markup: await idOf('connect_telco_markup'),
    agent:
      (await one('select agent_uid from connect_voiceai_agent where agent_uid is not null order by id limit 1')) ??
      'agent_1',
    extension: (await one('select number from connect_telco_exten order by id limit 1')) ?? '101',
    number: (await one('select phone_number from connect_telco_number order by id limit 1')) ?? OUR_NUMBER,
  }
}

/** Every webhook of the contract. */
export function listWebhooks(known: Known): Webhook[] {
  return [...voiceaiWebhooks(known), ...helpdeskWebhooks(known), ...telcoWebhooks(known)]
}

function voiceaiWebhooks({ call, sid, partner, event, user, agent, extension, number }: Known): Webhook[] {
  const tool = (name: string, ...bodies: Webhook['bodies']): Webhook => {
    return { route: `/connect_voiceai/${name}`, proof: 'token', target: `/connect_voiceai/${name}`, bodies }
  }
  const times = { start: '2031-03-06 10:00:00', stop: '2031-03-06 10:30:00', timezone: 'Europe/Zurich' }
  return [
    tool(
      'conversation_initiation',
      { caller_id: CUSTOMER, called_number: number, agent_id: agent, call_sid: sid },
      {
        caller_id: 'sip:41313808316',
        called_number: number,
        agent_id: agent,
        sip_headers: { 'X-Connect-Call-Ref': call },
      },
    ),
    {
      route: '/connect_voiceai/post_call',
      proof: 'post_call',
      target: '/connect_voiceai/post_call',
      bodies: postCalls(sid),
    },
    tool('transfer', { channel_sid: sid, exten: extension }),
    tool('create_partner', { call_id: call, name: 'Zoe Recorded', email: 'zoe.recorded@example.com', phone: CUSTOMER }),
    tool('get_available_slots', { user_id: user, start: '2031-03-05', timezone: 'Europe/Zurich' }),
    tool('create_event', { user_id: user, name: 'Visit', call_id: call, partner_id: partner, ...times }),
    tool('get_current_date', { timezone: 'Europe/Zurich' }),
    tool('get_meetings', { partner_id: partner, call_id: call }),
    tool('remove_meeting', { event_id: event, call_id: call }),
  ]
}

function postCalls(sid: string): Webhook['bodies'] {
  const read = (name: string): Record<string, unknown> =>
    JSON.parse(readFileSync(path.join(FIXTURES, `${name}.json`), 'utf8')) as Record<string, unknown>
  const ofCall = read('transcript')
  const data = ofCall.data as { conversation_id: string; metadata: { phone_call: Record<string, unknown> } }
  data.conversation_id = 'conv_recorded'
  data.metadata.phone_call.call_sid = sid
  return [ofCall, ...POST_CALLS.map(read)]
}

function helpdeskWebhooks({ call, partner, ticket }: Known): Webhook[] {
  const tool = (name: string, body: Webhook['bodies'][number]): Webhook => {
    const target = `/connect_voiceai_helpdesk/${name}`
    return { route: target, proof: 'token', target, bodies: [body] }
  }
  return [
    tool('create_ticket', {
      subject: 'Recorded',
      description: 'It leaks',
      team_name: 'support',
      partner_id: partner,
      call_id: call,
    }),
    tool('search_tickets', { partner_id: partner, only_open: true }),
    tool('fetch_ticket', { ticket_id: ticket }),
    tool('update_ticket', {
      ticket_id: ticket,
      subject: 'New',
      description: 'More',
      priority: '2',
      stage_name: 'progress',
    }),
    tool('ticket_activity', { ticket_id: ticket, note: 'Called back' }),
  ]
}

function telcoWebhooks({ callflow, markup, phoneUser, number, sid: knownSid }: Known): Webhook[] {
  const webhook = (route: string, target: string, ...bodies: Webhook['bodies']): Webhook => {
    return { route: `/telco/webhook/${route}`, proof: 'telco', target: `/telco/webhook/${target}`, bodies }
  }
  const sidOf = (kind: string, at: number): string => `${kind}${at.toString(16).padStart(32, '0')}`
  const call = (at: number, fields: object = {}): Record<string, string> => ({
    ...voiceRequest(sidOf('CA', at), number),
    ...fields,
  })
  const status = (CallStatus: string, at: number, fields: object = {}): Record<string, string> =>
    call(at, {
      CallStatus,
      SequenceNumber: '1',
      Timestamp: 'Mon, 03 Mar 2031 09:00:10 +0000',
      CallbackSource: 'call-progress-events',
      ...fields,
    })
  const recording = (at: number): Record<string, string> => ({
    CallSid: knownSid,
    AccountSid: ACCOUNT_SID,
    RecordingSid: sidOf('RE', at),
    RecordingStatus: 'completed',
    RecordingUrl: `https://api.twilio.com/2010-04-01/Accounts/${ACCOUNT_SID}/Recordings/${sidOf('RE', at)}`,
    RecordingDuration: '12',
    RecordingSource: 'DialVerb',
    RecordingStartTime: 'Mon, 03 Mar 2031 09:00:00 +0000',
  })
  const message = {
    MessageSid: sidOf('SM', 1),
    SmsSid: sidOf('SM', 1),
    AccountSid: ACCOUNT_SID,
    From: CUSTOMER,
    To: number,
  }
  return [
    webhook(
      'callstatus',
      'callstatus',
      status('initiated', 1),
      status('in-progress', 1, { SequenceNumber: '2' }),
      status('completed', 1, { SequenceNumber: '3', CallDuration: '10' }),
      status('no-answer', 2, { ParentCallSid: knownSid, Direction: 'outbound-dial' }),
    ),
    webhook('callaction', 'callaction', call(3, { DialCallStatus: 'no-answer' })),
    webhook(
      '<model>/call_action/<id>',
      `connect.user/call_action/${phoneUser}`,
      call(4, { DialCallStatus: 'no-answer' }),
      call(4, { DialCallStatus: 'completed' }),
    ),
    webhook(
      '<model>/call_action/<id>',
      `connect.telco.callflow/call_action/${callflow}`,
      call(5, { DialCallStatus: 'busy' }),
    ),
    webhook(
      '<model>/call_action/<id>',
      `connect.callflow/call_action/${callflow}`,
      call(6, { DialCallStatus: 'failed' }),
    ),
    webhook('<model>/call_action/<id>', 'connect.nothing/call_action/1', call(7)),
    webhook('number', 'number', call(8), call(9, { To: '+14155559999', Called: '+14155559999' })),
    webhook('markup/<id>', `markup/${markup}`, call(10)),
    webhook('markup/<id>', 'markup/999999', call(11)),
    webhook(
      'callflow/<id>/gather',
      `callflow/${callflow}/gather`,
      call(12, { Digits: '1' }),
      call(12, { SpeechResult: 'sales', Confidence: '0.9' }),
      call(12, { Digits: '9' }),
    ),
    webhook('callflow/<id>/gather', 'callflow/999999/gather', call(13, { Digits: '1' })),
    webhook(
      'domain',
      'domain',
      call(14, { From: 'sip:ann@acme.sip.example.com', To: 'sip:101@acme.sip.example.com' }),
      call(15, { To: 'sip:+14155550999@acme.sip.example.com' }),
    ),
    webhook('recordingstatus', 'recordingstatus', recording(1)),
    webhook('vm_recordingstatus', 'vm_recordingstatus', recording(2)),
    webhook(
      'message',
      'message',
      { ...message, Body: 'Hello', NumMedia: '0' },
      {
        ...message,
        MessageSid: sidOf('MM', 2),
        From: `whatsapp:${CUSTOMER}`,
        To: `whatsapp:${number}`,
        Body: 'Hi',
        NumMedia: '1',
        MediaUrl0: 'https://api.twilio.com/media/1',
        MediaContentType0: 'image/png',
      },
    ),
    webhook(
      'message_status',
      'message_status',
      { ...message, MessageStatus: 'delivered' },
      { ...message, MessageStatus: 'failed', ErrorCode: '30005' },
    ),
    webhook(
      'outgoing_callerid',
      'outgoing_callerid',
      call(16, { VerificationStatus: 'success', OutgoingCallerIdSid: sidOf('PN', 1) }),
    ),
  ]
}

function voiceRequest(CallSid: string, To: string): Record<string, string> {
  const account = {
    CallSid,
    AccountSid: ACCOUNT_SID,
    ApiVersion: '2010-04-01',
    Direction: 'inbound',
    CallStatus: 'ringing',
  }
  return { ...account, From: CUSTOMER, Caller: CUSTOMER, To, Called: To, FromCity: '', FromCountry: 'US' }
}
