import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { lastReasons } from '../fixtures/delivery-reasons.ts'
import { aCall, aPartner, aVoiceAgent } from '../fixtures/records.ts'
import { countRows } from '../fixtures/row-counts.ts'
import { ageAnswers } from '../fixtures/tool-answers.ts'
import { type Answer, TestApp } from '../support/test-app.ts'

const UPDATE = '/connect_voiceai_helpdesk/update_ticket'
const ACTIVITY = '/connect_voiceai_helpdesk/ticket_activity'
const UNKNOWN_ID = 2_000_000_000

let app: TestApp
let now = new Date()
let ticket: number

beforeAll(async () => {
  app = await TestApp.start({ clock: () => now })
})
beforeEach(async () => {
  now = new Date()
  ticket = await app.admin.ask<number>('helpdesk.ticket', 'create', {
    vals_list: { name: 'Broken', description: 'It leaks.', priority: '1' },
  })
})
afterAll(() => app.stop())

interface Ticket {
  name: string
  description: string
  priority: string
  stage_id: [number, string]
}

async function readTicket(): Promise<Ticket> {
  const fields = ['name', 'description', 'priority', 'stage_id', 'team_id', 'partner_id']
  const [row] = await app.admin.ask<Ticket[]>('helpdesk.ticket', 'read', { ids: [ticket], fields })
  if (row === undefined) throw new Error('the ticket is gone')
  return row
}

async function update(changes: object): Promise<Ticket> {
  const answer = await app.tool(UPDATE, { ticket_id: ticket, ...changes })
  expect([answer.status, answer.body]).toEqual([
    200,
    { message: 'Ticket updated successfully', ticket_id: ticket, say: `Ticket number ${ticket} is updated.` },
  ])
  return readTicket()
}

async function expectUnchanged(changes: object, status: number, error: unknown): Promise<void> {
  const [before, rows] = [await readTicket(), await countRows(app)]
  const answer = await app.tool(UPDATE, { ticket_id: ticket, ...changes })
  expect(answer).toMatchObject({ status, body: { error } })
  expect(await readTicket()).toEqual(before)
  expect(await countRows(app)).toEqual(rows)
}

describe('what agents write stands in the history of the ticket', () => {
  interface Listed {
    kind: string
    author: string | null
    text: string
    changes: { field: string; from: string | null; to: string | null }[] | null
  }
  const history = () => app.admin.ask<Listed[]>('helpdesk.ticket', 'message_list', { ids: [ticket] })
  const writer = async () => {
    const [row] = await app.admin.ask<{ write_uid: [number, string] | null }[]>('helpdesk.ticket', 'read', {
      ids: [ticket],
      fields: ['write_uid'],
    })
    return row?.write_uid
  }
  const uid = `agent_${Math.random().toString(36).slice(2)}`

  it('update_ticket leaves the same lines as a person, under the name of the agent of the call', async () => {
    const agent = await aVoiceAgent(app, uid, { name: 'Sophie' })
    const partner = await aPartner(app)
    await app.admin.ask('helpdesk.ticket', 'write', { ids: [ticket], vals: { partner_id: partner } })
    const call = await aCall(app, { partner, voiceai_agent: agent })
    const headers = { 'x-connect-call': String(call) }
    const changes = { subject: 'Leak', description: 'x '.repeat(500), priority: '3', stage_name: 'Resolved' }
    expect(await app.tool(UPDATE, { ticket_id: ticket, ...changes }, headers)).toMatchObject({ status: 200 })
    expect(await app.tool(ACTIVITY, { ticket_id: ticket, note: 'She called.' }, headers)).toMatchObject({ status: 200 })
    const [note, change] = await history()
    expect(note).toMatchObject({ author: 'Sophie', text: 'She called.' })
    expect(change).toMatchObject({ kind: 'change', author: 'Sophie' })
    expect(change?.changes?.map(({ field }) => field).toSorted()).toEqual([
      'description',
      'name',
      'priority',
      'stage_id',
    ])
    expect(change?.changes).toContainEqual({ field: 'stage_id', from: 'Inbox', to: 'Resolved' })
    expect(change?.text.length).toBeLessThan(500)
    expect(await writer()).toMatchObject([expect.any(Number), 'Connect Webhook'])
    const moved = await app.admin.ask('helpdesk.ticket', 'move', { ids: [ticket], stage_id: 2, from: 1_000_000 })
    expect(moved).toMatchObject({ moved: false, by: 'Sophie' })
  })

  it('a change without a known call stands under the name of the service', async () => {
    await update({ subject: 'Leak' })
    expect((await history())[0]).toMatchObject({ kind: 'change', author: 'Connect Webhook' })
    expect(await writer()).toMatchObject([expect.any(Number), 'Connect Webhook'])
  })

  it('a person who changes the subject stands there with it', async () => {
    await app.admin.ask('helpdesk.ticket', 'write', { ids: [ticket], vals: { name: 'Leak' } })
    expect((await history())[0]).toMatchObject({
      author: 'Local Administrator',
      changes: [{ field: 'name', from: 'Broken', to: 'Leak' }],
    })
  })
})

describe('update_ticket changes what is sent', () => {
  it('subject, description, priority and stage, each for itself', async () => {
    const before = await readTicket()
    expect(await update({ subject: 'Leak' })).toEqual({ ...before, name: 'Leak' })
    expect(await update({ description: 'More.' })).toEqual({ ...before, name: 'Leak', description: 'More.' })
    expect(await update({ priority: '3' })).toMatchObject({ priority: '3' })
    expect(await update({ stage_name: 'Resolved' })).toMatchObject({ stage_id: [expect.any(Number), 'Resolved'] })
  })

  it('update_ticket changes all at once, with the id as a text', async () => {
    const changes = {
      ticket_id: String(ticket),
      subject: ' Leak ',
      description: 'More.',
      priority: 2,
      stage_name: 'closed',
    }
    expect(await update(changes)).toMatchObject({
      name: 'Leak',
      description: 'More.',
      priority: '2',
      stage_id: [expect.any(Number), 'Closed'],
    })
  })

  it('blank values change nothing of theirs', async () => {
    const before = await readTicket()
    expect(await update({ subject: '', description: null, stage_name: ' ', priority: '0' })).toEqual({
      ...before,
      priority: '0',
    })
  })

  it.each(['0', '1', '2', '3', 0, 1, 2, 3, ' 2 ', '2.0', '3.00'])('priority %o is allowed', async (priority) => {
    expect(await update({ priority })).toMatchObject({ priority: String(Number(priority)) })
  })

  it.each(['4', -1, '-1', 'High', '1.5', 1.5, '00', {}, [], true, 1e9])(
    'priority %o is refused, and nothing is written',
    async (priority) => {
      await expectUnchanged({ priority, subject: 'Leak' }, 400, expect.stringMatching(/priority/))
    },
  )

  it.each([
    ['Inbox', 'Inbox'],
    ['IN PROGRESS', 'In Progress'],
    ['progress', 'In Progress'],
    ['in', 'Inbox'],
    ['on', 'On Hold'],
    ['hold', 'On Hold'],
    ['clos', 'Closed'],
    ['  resolved ', 'Resolved'],
  ])('stage_name %o is the stage %s', async (given, stage) => {
    await app.tool(UPDATE, { ticket_id: ticket, stage_name: stage === 'Inbox' ? 'Closed' : 'Inbox' })
    expect(await update({ stage_name: given })).toMatchObject({ stage_id: [expect.any(Number), stage] })
  })

  it.each(['Nowhere', '%', '_', 'In%s', 'Inbo_', '\\', 'x'.repeat(1_000)])(
    'the unknown stage %o is refused with the list of stages, and nothing is written',
    async (given) => {
      await expectUnchanged(
        { stage_name: given },
        400,
        expect.stringContaining('Inbox, In Progress, On Hold, Resolved, Closed'),
      )
      await expectUnchanged(
        { stage_name: given, subject: 'Leak', priority: '3' },
        400,
        expect.stringContaining('There is no stage'),
      )
    },
  )

  it("the stages of the ticket's own team come first", async () => {
    const team = await app.admin.ask<number>('helpdesk.team', 'create', { vals_list: { name: 'Workshop' } })
    const own = await app.admin.ask<number>('helpdesk.stage', 'create', {
      vals_list: { name: 'Closed for now', sequence: 99, team_ids: [team] },
    })
    expect(await update({ stage_name: 'Closed' })).toMatchObject({ stage_id: [expect.any(Number), 'Closed'] })
    await app.admin.ask('helpdesk.ticket', 'write', { ids: [ticket], vals: { team_id: team } })
    expect(await update({ stage_name: 'closed' })).toMatchObject({ stage_id: [own, 'Closed for now'] })
    expect(await update({ stage_name: 'inbox' })).toMatchObject({ stage_id: [expect.any(Number), 'Inbox'] })
  })

  it('the same change again is made again: an update is never swallowed', async () => {
    await update({ subject: 'Leak' })
    await app.admin.ask('helpdesk.ticket', 'write', { ids: [ticket], vals: { name: 'Changed by a person' } })
    expect(await update({ subject: 'Leak' })).toMatchObject({ name: 'Leak' })
  })
})

describe('and 7 update_ticket with no updatable field is rejected', () => {
  it.each([
    {},
    { subject: '' },
    { subject: '🔥' },
    { subject: '\u200b', description: '\u200e\u2060', stage_name: '\ufeff' },
    { subject: ' ', description: null, priority: '', stage_name: 'None' },
    { name: 'x', stage: 'Closed', partner_id: 1, team_name: 'Workshop' },
  ])('%j', async (changes) => {
    const before = await readTicket()
    const answer = await app.tool(UPDATE, { ticket_id: ticket, ...changes })
    expect(answer.status).toBe(400)
    expect(answer.body).toEqual({
      error: expect.stringContaining('No updates provided'),
      message: 'No updates provided',
      ticket_id: ticket,
    })
    expect(await readTicket()).toEqual(before)
  })

  it('values that are no texts are refused', async () => {
    for (const value of [{}, [], true, ['x']])
      await expectUnchanged({ subject: value }, 400, expect.stringContaining('subject'))
  })
})

describe('update_ticket and ticket_activity: the ticket', () => {
  const requests: [string, string, object][] = [
    ['update_ticket', UPDATE, { subject: 'Leak' }],
    ['ticket_activity', ACTIVITY, { note: 'Called back.' }],
  ]

  it.each(requests)('%s without an id is refused', async (_name, route, body) => {
    for (const given of [undefined, null, '', ' ', 'None', false]) {
      const answer: Answer = await app.tool(route, { ...body, ticket_id: given })
      expect([answer.status, answer.body]).toEqual([400, { error: 'Ticket ID is required' }])
    }
    for (const given of ['x', 0, -1, [], {}]) {
      expect(await app.tool(route, { ...body, ticket_id: given })).toMatchObject({
        status: 400,
        body: { error: 'The ticket_id must be a number.' },
      })
    }
  })

  it.each(requests)('%s of an unknown one is 404 and writes nothing', async (_name, route, body) => {
    const before = await countRows(app)
    expect(await app.tool(route, { ...body, ticket_id: UNKNOWN_ID })).toMatchObject({
      status: 404,
      body: { error: 'Ticket not found' },
    })
    expect(await countRows(app)).toEqual(before)
  })
})

interface Post {
  body: string
  message_type: string
  subtype: string
  author_id: [number, string] | null
  model: string
  res_id: number
}

function postsOf(id: number): Promise<Post[]> {
  return app.admin.ask<Post[]>('mail.message', 'search_read', {
    domain: [
      ['model', '=', 'helpdesk.ticket'],
      ['res_id', '=', id],
    ],
    order: 'id',
  })
}

describe('ticket_activity posts the note as a comment', () => {
  it('ticket_activity posts the note as the webhook user', async () => {
    const answer = await app.tool(ACTIVITY, { ticket_id: String(ticket), note: ' Called back. ' })
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        message: 'Note added to ticket successfully',
        ticket_id: ticket,
        say: `I have added the note to ticket number ${ticket}.`,
      },
    ])
    expect(await postsOf(ticket)).toMatchObject([
      {
        body: '<p>Called back.</p>',
        message_type: 'comment',
        subtype: 'comment',
        author_id: [expect.any(Number), 'Connect Webhook'],
      },
    ])
  })

  it('escaped, with its lines', async () => {
    const note = `<script>alert("1")</script> & 'x'\nsecond line\n\nsecond paragraph {{ 7 * 7 }}`
    await app.tool(ACTIVITY, { ticket_id: ticket, note })
    const [post] = await postsOf(ticket)
    expect(post?.body).toBe(
      '<p>&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &#39;x&#39;<br>second line</p><p>second paragraph {{ 7 * 7 }}</p>',
    )
  })

  it('ticket_activity posts a note of any length up to the limit as a comment; a longer one is cut, and the log says so', async () => {
    const longest = 'ä'.repeat(32 * 1024)
    expect((await app.tool(ACTIVITY, { ticket_id: ticket, note: longest })).status).toBe(200)
    expect((await postsOf(ticket))[0]?.body).toBe(`<p>${longest}</p>`)
    expect((await app.tool(ACTIVITY, { ticket_id: ticket, note: `${longest}ä` })).status).toBe(200)
    expect((await postsOf(ticket)).at(-1)?.body).toBe(`<p>${longest.slice(2)}…</p>`)
    expect(await lastReasons(app, ACTIVITY, 1)).toEqual(['The note was cut to 64 kB.'])
  })

  it('a note that is missing or blank is refused and nothing is posted', async () => {
    const before = await countRows(app)
    for (const note of [undefined, null, '', '   ', '\n', 'None', '\u0000', '\u200b', '<p><br></p>']) {
      const answer = await app.tool(ACTIVITY, { ticket_id: ticket, note })
      expect([answer.status, answer.body]).toEqual([400, { error: 'Note content is required' }])
    }
    expect(await countRows(app)).toEqual(before)
  })

  it.each([{}, [], ['x'], true])('a note of %j is no text', async (note) => {
    const before = await countRows(app)
    expect((await app.tool(ACTIVITY, { ticket_id: ticket, note })).status).toBe(400)
    expect(await countRows(app)).toEqual(before)
  })

  it('the same note on the same ticket within 90 seconds is posted once, also 20 at once', async () => {
    const send = () => app.tool(ACTIVITY, { ticket_id: ticket, note: 'Once.' })
    const answers = await Promise.all(Array.from({ length: 20 }, send))
    await ageAnswers(app, 80)
    answers.push(await send())
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(await postsOf(ticket)).toHaveLength(1)
    await ageAnswers(app, 20)
    await send()
    expect(await postsOf(ticket)).toHaveLength(2)
  })

  it('the same note of another call is another note', async () => {
    const calls = [await aCall(app), await aCall(app)]
    for (const id of calls) await app.admin.ask('connect.call', 'write', { ids: [id], vals: { ticket } })
    for (const id of [...calls, ...calls]) {
      const headers = { 'x-connect-call': String(id) }
      expect((await app.tool(ACTIVITY, { ticket_id: ticket, note: 'Called again.' }, headers)).status).toBe(200)
    }
    expect(await postsOf(ticket)).toHaveLength(2)
  })

  it('another note, or another ticket, is posted', async () => {
    const other = await app.admin.ask<number>('helpdesk.ticket', 'create', { vals_list: { name: 'Other' } })
    for (const [id, note] of [
      [ticket, 'One.'],
      [ticket, 'Two.'],
      [other, 'One.'],
    ] as const) {
      expect((await app.tool(ACTIVITY, { ticket_id: id, note })).status).toBe(200)
    }
    expect(await postsOf(ticket)).toHaveLength(2)
    expect(await postsOf(other)).toHaveLength(1)
  })
})
