// What a voice agent reads when a tool refuses: each refusal by its code, its status and its sentence.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RefusalCode } from '../../src/refusals.ts'
import { TestApp } from '../support/test-app.ts'

const UNKNOWN = 2_000_000_000
/** More names than a tool takes, in a body that is not short. */
const COMPLEX = `{${Array.from({ length: 20_000 }, (_none, at) => `"a${at}":1`).join(',')}}`

let app: TestApp
let organiser: number
let ticket: number

beforeAll(async () => {
  app = await TestApp.start()
  organiser = (await app.person(['connect.group_user'], { tz: 'Europe/Zurich' })).userId
  ticket = await app.admin.ask<number>('helpdesk.ticket', 'create', { vals_list: { name: 'Leak' } })
})
afterAll(() => app.stop())

type Case = readonly [
  code: RefusalCode,
  path: string,
  body: object | string | (() => object),
  status: number,
  sentence: string | RegExp,
]

const event = (values: object) => () => ({
  user_id: organiser,
  start: '2032-01-05 09:00:00',
  stop: '2032-01-05 10:00:00',
  ...values,
})

describe('a tool that refuses', () => {
  const CASES: readonly Case[] = [
    ['agent-body-not-object', '/create_event', '[1]', 400, 'The body must be a JSON object.'],
    [
      'agent-body-too-complex',
      '/create_event',
      COMPLEX,
      413,
      'The body has too many values: a tool takes a small flat object.',
    ],
    ['agent-user-id-required', '/create_event', event({ user_id: null }), 400, 'The user_id is required.'],
    [
      'no-colleague-with-id',
      '/create_event',
      event({ user_id: UNKNOWN }),
      404,
      'There is no colleague with the id 2000000000.',
    ],
    [
      'agent-start-required',
      '/create_event',
      event({ start: null }),
      400,
      'The start is required, written YYYY-MM-DD HH:MM:SS.',
    ],
    [
      'agent-stop-required',
      '/create_event',
      event({ stop: null }),
      400,
      'The stop is required, written YYYY-MM-DD HH:MM:SS.',
    ],
    [
      'agent-local-time',
      '/create_event',
      event({ start: 'noon' }),
      400,
      'The start must be a local time written YYYY-MM-DD HH:MM:SS.',
    ],
    [
      'agent-stop-before-start',
      '/create_event',
      event({ stop: '2032-01-05 08:00:00' }),
      400,
      'The stop must be after the start.',
    ],
    [
      'agent-meeting-too-short',
      '/create_event',
      event({ stop: '2032-01-05 09:00:30' }),
      400,
      'A meeting lasts a minute at least. When does it end?',
    ],
    [
      'agent-meeting-too-long',
      '/create_event',
      event({ stop: '2032-01-07 09:00:00' }),
      400,
      'A meeting lasts a day at most. When does it end?',
    ],
    [
      'agent-start-past',
      '/create_event',
      event({ start: '2020-01-06 09:00:00', stop: '2020-01-06 10:00:00' }),
      400,
      'The start is in the past.',
    ],
    [
      'agent-date-far',
      '/create_event',
      event({ start: '2090-01-05 09:00:00', stop: '2090-01-05 10:00:00' }),
      400,
      'The date is more than 10 years away.',
    ],
    [
      'agent-timezone',
      '/create_event',
      event({ timezone: 'Mars' }),
      400,
      'The timezone must be a name such as Europe/Zurich or an offset such as +2.',
    ],
    [
      'agent-date',
      '/get_available_slots',
      () => ({ user_id: organiser, start: 'soon' }),
      400,
      'The start must be a date written YYYY-MM-DD.',
    ],
    ['agent-event-id-required', '/remove_meeting', {}, 400, 'event_id is required'],
    ['agent-meetings-contact-required', '/get_meetings', {}, 400, 'partner_id is required'],
    [
      'agent-contact-name-required',
      '/create_partner',
      { call_id: 1 },
      400,
      'The name is required to create a contact.',
    ],
    [
      'agent-contact-call-required',
      '/create_partner',
      { name: 'Ann Baker' },
      400,
      'The call_id is required to create a contact.',
    ],
    [
      'agent-no-call-for-contact',
      '/create_partner',
      { name: 'Ann Baker', call_id: UNKNOWN },
      404,
      'There is no call 2000000000, so no contact was created.',
    ],
    [
      'agent-ticket-call-required',
      '_helpdesk/create_ticket',
      { subject: 'x' },
      400,
      'The call_id is required to create a ticket.',
    ],
    [
      'agent-no-call-for-ticket',
      '_helpdesk/create_ticket',
      { subject: 'x', call_id: UNKNOWN },
      404,
      'There is no call 2000000000, so no ticket was created.',
    ],
    ['agent-ticket-id-required', '_helpdesk/update_ticket', {}, 400, 'Ticket ID is required'],
    [
      'agent-ticket-not-found',
      '_helpdesk/update_ticket',
      { ticket_id: UNKNOWN, subject: 'x' },
      404,
      'Ticket not found',
    ],
    [
      'agent-no-updates',
      '_helpdesk/update_ticket',
      () => ({ ticket_id: ticket }),
      400,
      'No updates provided: say what is to change.',
    ],
    [
      'agent-priority',
      '_helpdesk/update_ticket',
      () => ({ ticket_id: ticket, priority: '9' }),
      400,
      /^The priority must be one of 0 \(/,
    ],
    [
      'agent-stage',
      '_helpdesk/update_ticket',
      () => ({ ticket_id: ticket, stage_name: 'Moon' }),
      400,
      /^There is no stage "Moon"\. The stages are: /,
    ],
    [
      'agent-transfer-incomplete',
      '/transfer',
      {},
      400,
      'Not all parameters passed. You must provide channel_sid and exten (only digits)',
    ],
  ]
  it.each(CASES)('%s: %s', async (_code, path, body, status, sentence) => {
    const before = await count()
    const answer = await app.tool(`/connect_voiceai${path}`, typeof body === 'function' ? body() : body)
    const error = typeof sentence === 'string' ? sentence : expect.stringMatching(sentence)
    expect(answer).toMatchObject({ status, body: { error } })
    expect(await count()).toEqual(before)
  })
})

/** What tools write, none of which a refused one has. */
function count(): Promise<number[]> {
  return Promise.all(
    ['calendar_event', 'res_partner', 'helpdesk_ticket', 'mail_message'].map((table) => app.count(table)),
  )
}
