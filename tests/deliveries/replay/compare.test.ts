// A logged delivery is worked on once more and nothing is kept of it; or it is worked on again for good, and nothing happens twice.

import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../../src/database/drizzle.ts'
import { useSecret } from '../../fixtures/post-call.ts'
import { aCall, aPartner } from '../../fixtures/records.ts'
import { recordStatements } from '../../support/plans.ts'
import { ACCOUNT_SID, aVoiceRequest, sendTelco, setUpTelco } from '../../support/telco.ts'
import { type Caller, eventually, TestApp } from '../../support/test-app.ts'

const SECRET = 'the secret of the webhook'
const NUMBER = '+14155550110'
const SHOP = '+14155550111'
const MS_PER_SECOND = 1_000

interface Compared {
  then: { verdict: string; status: number; body: string }
  now: { verdict: string; status: number; body: string }
  is_same: boolean
}

interface Replayed {
  id: number
  is_replayed: boolean
  call: number | null
  sentence: string | null
}

let app: TestApp
let ada: Caller
let calls = 0

beforeAll(async () => {
  app = await TestApp.start()
  await setUpTelco(app)
  await useSecret(app, SECRET)
  ada = await app.person(['connect.group_admin'])
  await app.admin.ask('connect.telco.number', 'create', {
    vals_list: [{ phone_number: NUMBER }, { phone_number: SHOP }],
  })
})
afterAll(() => app.stop())

function aNewCall(fields: Record<string, string> = {}): Record<string, string> {
  calls += 1
  return aVoiceRequest({ CallSid: `CA${String(calls).padStart(32, '0')}`, To: NUMBER, ...fields })
}

function deliveryOf(domain: unknown[]): Promise<number> {
  return eventually(async () => {
    const [id] = await app.admin.ask<number[]>('connect.delivery', 'search', { domain, limit: 1 })
    return id
  })
}

const compare = (id: number) => ada.ask<Compared>('connect.delivery', 'compare', { ids: [id] })
const replayable = (...ids: number[]) => ada.ask<number[]>('connect.delivery', 'replayable', { ids })
const replay = (...ids: number[]) => ada.ask<Replayed[]>('connect.delivery', 'replay', { ids })

/** Every row that anybody could miss, as one text. */
async function everything(): Promise<string> {
  const tables = [
    'connect_call',
    'connect_channel',
    'connect_message',
    'helpdesk_ticket',
    'res_partner',
    'mail_message',
    'connect_recording',
  ]
  const texts: string[] = []
  for (const table of tables) {
    const rows = await app.db.query<{ row: string }>(
      sql`select (to_jsonb(t) - 'write_date' - 'write_uid')::text as row from ${sql.identifier(table)} t order by id`,
    )
    texts.push(`${table}\n${rows.map(({ row }) => row).join('\n')}`)
  }
  return texts.join('\n')
}

async function postCall(body: object): Promise<number> {
  const text = JSON.stringify(body)
  const seconds = Math.floor(Date.now() / MS_PER_SECOND)
  const digest = createHmac('sha256', SECRET).update(`${seconds}.${text}`).digest('hex')
  await app.post('/connect_voiceai/post_call', text, { 'voiceai-signature': `t=${seconds},v0=${digest}` })
  return deliveryOf([['route', '=', '/connect_voiceai/post_call']])
}

describe('comparing', () => {
  it('an old report would change nothing and is answered the same', async () => {
    const form = aNewCall()
    await sendTelco(app, '/telco/webhook/number', form)
    await sendTelco(app, '/telco/webhook/callstatus', { ...form, CallStatus: 'completed', CallDuration: '7' })
    const id = await deliveryOf([
      ['route', '=', '/telco/webhook/callstatus'],
      ['call_sid', '=', form.CallSid],
    ])
    const before = await everything()
    const { then, now, is_same: isSame } = await compare(id)
    expect(then).toMatchObject({ verdict: 'handled', status: 200, body: expect.stringMatching(/^\d+$/) })
    expect(now).toEqual(then)
    expect(isSame).toBe(true)
    expect(await everything()).toBe(before)
  })

  it('a call is answered as its number leads now, at the time it came', async () => {
    const form = aNewCall()
    await sendTelco(app, '/telco/webhook/number', form)
    const id = await deliveryOf([['call_sid', '=', form.CallSid]])
    expect((await compare(id)).is_same).toBe(true)
    await app.db.query(sql`delete from connect_channel where sid = ${form.CallSid}`)
    expect((await compare(id)).now).toMatchObject({ verdict: 'handled', status: 200 })
    expect(await app.db.query(sql`select 1 from connect_channel where sid = ${form.CallSid}`)).toEqual([])
  })

  it('a tool says what it would answer, and makes nothing', async () => {
    const partner = await aPartner(app, { name: 'Zoe', phone: '+41 31 380 83 16' })
    const call = await aCall(app, { partner })
    await app.tool('/connect_voiceai_helpdesk/create_ticket', { call_id: call, subject: 'Leaking boiler' })
    const id = await deliveryOf([['route', '=', '/connect_voiceai_helpdesk/create_ticket']])
    await app.db.script('delete from connect_tool_answer')
    const tickets = await app.count('helpdesk_ticket')
    const { now } = await compare(id)
    expect(now).toMatchObject({ verdict: 'handled', status: 200 })
    expect(await app.count('helpdesk_ticket')).toBe(tickets)
  })

  it('a tool that refuses what it did then says so', async () => {
    const call = await aCall(app)
    await app.tool('/connect_voiceai_helpdesk/create_ticket', { call_id: call, subject: 'Soon gone' })
    const id = await deliveryOf([
      ['route', '=', '/connect_voiceai_helpdesk/create_ticket'],
      ['call_ref', '=', call],
    ])
    await app.db.script('delete from connect_tool_answer')
    await app.db.query(sql`delete from connect_call where id = ${call}::bigint`)
    const { then, now, is_same: isSame } = await compare(id)
    expect([then.verdict, now.verdict, isSame]).toEqual(['handled', 'refused', false])
    expect(now.status).toBeGreaterThanOrEqual(400)
  })

  it('what a conversation left is worked on again from where it is stored', async () => {
    const id = await postCall({
      type: 'post_call_transcription',
      data: { conversation_id: 'conv_compare', status: 'done', transcript: [], metadata: { call_duration_secs: 3 } },
    })
    const before = await everything()
    expect(await compare(id)).toMatchObject({ is_same: true, now: { verdict: 'handled' } })
    expect(await everything()).toBe(before)
  })

  it('the beginning of a body is not compared, and neither is what is not there', async () => {
    const form = aNewCall({ Note: 'x'.repeat(70_000) })
    await sendTelco(app, '/telco/webhook/callstatus', form)
    const id = await deliveryOf([['call_sid', '=', form.CallSid]])
    const answer = await ada.call('connect.delivery', 'compare', { ids: [id] })
    expect(answer.status).toBe(422)
    expect(answer.text).toContain('keeps only the beginning')
    expect((await ada.call('connect.delivery', 'compare', { ids: [id + 4_711] })).status).toBe(404)
    expect((await ada.call('connect.delivery', 'compare', { ids: [] })).status).toBe(422)
  })

  it('only administrators compare and replay', async () => {
    const user = await app.person(['connect.group_user'])
    for (const method of ['compare', 'replay']) {
      expect((await user.call('connect.delivery', method, { ids: [1] })).status).toBe(403)
    }
    expect((await user.call('connect.inbox', 'replay_matching', { domain: [] })).status).toBe(403)
  })
})

describe('replaying', () => {
  it('a report is recorded again, and nothing happens twice', async () => {
    const form = aNewCall()
    await sendTelco(app, '/telco/webhook/callstatus', { ...form, CallStatus: 'in-progress' })
    const id = await deliveryOf([['call_sid', '=', form.CallSid]])
    const before = await everything()
    expect(await replay(id)).toMatchObject([{ id, is_replayed: true, sentence: null }])
    await replay(id)
    expect(await everything()).toBe(before)
    await app.db.query(sql`delete from connect_channel where sid = ${form.CallSid}`)
    await replay(id, id)
    expect(await app.db.query(sql`select 1 from connect_channel where sid = ${form.CallSid}`)).toHaveLength(1)
  })

  it('a text message is there once, however often it is replayed', async () => {
    const sid = `SM${'7'.repeat(32)}`
    const form = {
      MessageSid: sid,
      From: '+14155550100',
      To: NUMBER,
      Body: 'Hello',
      NumMedia: '0',
      AccountSid: ACCOUNT_SID,
      SmsStatus: 'received',
    }
    await sendTelco(app, '/telco/webhook/message', form)
    const id = await deliveryOf([['route', '=', '/telco/webhook/message']])
    const before = await everything()
    expect(before).toContain(sid)
    await replay(id)
    await replay(id)
    expect(await everything()).toBe(before)
  })

  it('what a conversation left is worked on again, and changes nothing twice', async () => {
    const id = await postCall({
      type: 'post_call_transcription',
      data: { conversation_id: 'conv_replay', status: 'done', transcript: [], metadata: { call_duration_secs: 3 } },
    })
    const before = await everything()
    expect(await replay(id)).toMatchObject([{ is_replayed: true }])
    expect(await everything()).toBe(before)
  })

  it('a rejected call that the provider signed for another address of ours is recorded, and a stranger is not', async () => {
    const form = aNewCall()
    const url = `http://pbx.example.com/telco/webhook/number`
    expect((await sendTelco(app, '/telco/webhook/number', form, { url })).text).toContain('Invalid')
    const id = await deliveryOf([
      ['target', '=', '/telco/webhook/number'],
      ['verdict', '=', 'rejected'],
    ])
    expect(await replay(id)).toMatchObject([{ is_replayed: true, call: expect.any(Number) }])
    expect(await app.db.query(sql`select 1 from connect_channel where sid = ${form.CallSid}`)).toHaveLength(1)
    const fields = ['verdict', 'replayed_at', 'call_ref']
    const [made] = await app.admin.ask<object[]>('connect.delivery', 'read', { ids: [id], fields })
    expect(made).toMatchObject({ verdict: 'rejected', replayed_at: expect.any(String), call_ref: expect.any(Number) })
    const forged = aNewCall()
    await sendTelco(app, '/telco/webhook/number', forged, { token: 'another token' })
    const stranger = await eventually(async () => {
      const [found] = await app.admin.ask<number[]>('connect.delivery', 'search', {
        domain: [
          ['id', '>', id],
          ['verdict', '=', 'rejected'],
        ],
      })
      return found
    })
    const compared = await app.admin.ask<object>('connect.delivery', 'compare', { ids: [stranger] })
    expect(compared).toMatchObject({ now: { verdict: 'rejected' }, is_same: true })
    // Where it is refused, it is not offered.
    expect(await replayable(id, stranger)).toEqual([id])
    expect(await replay(stranger)).toMatchObject([
      { is_replayed: false, sentence: expect.stringContaining('nothing shows that it came from the provider') },
    ])
    expect(await app.db.query(sql`select 1 from connect_channel where sid = ${forged.CallSid}`)).toEqual([])
    const [left] = await app.admin.ask<object[]>('connect.delivery', 'read', { ids: [stranger], fields })
    expect(left).toMatchObject({ verdict: 'rejected', replayed_at: null })
  })

  it('a tool is not replayed: nobody waits for its answer any more', async () => {
    await app.tool('/connect_voiceai/get_current_date', {})
    const id = await deliveryOf([['route', '=', '/connect_voiceai/get_current_date']])
    expect(await replayable(id)).toEqual([])
    expect(await replay(id)).toMatchObject([
      { is_replayed: false, sentence: expect.stringContaining('needed an answer at once') },
    ])
  })

  it('however many deliveries are asked about, the log and the inbox are read once', async () => {
    const all = await app.admin.ask<number[]>('connect.delivery', 'search', { domain: [], order: 'id desc', limit: 50 })
    const each: number[] = []
    for (const id of all) each.push(...(await replayable(id)))
    let together: number[] = []
    const ran = await recordStatements(app.db, async () => {
      together = await replayable(...all)
    })
    expect(together).toEqual(each)
    expect(together.length).toBeGreaterThan(1)
    expect(ran.filter(({ text }) => /from connect_delivery/i.test(text) && text.includes('body_bytes'))).toHaveLength(1)
    expect(ran.filter(({ text }) => /from connect_inbox/i.test(text) && text.includes('where id'))).toHaveLength(1)
  })

  it('all stored deliveries that fit a filter are worked on again', async () => {
    await app.db.script(`update connect_inbox set state = 'dead', attempts = 8 where conversation = 'conv_replay'`)
    const domain = [['state', '=', 'dead']]
    expect(await ada.ask('connect.inbox', 'replay_matching', { domain })).toEqual({ replayed: 1 })
    await eventually(async () => {
      const dead = await app.admin.ask<number>('connect.inbox', 'search_count', { domain })
      const done = await app.admin.ask<number>('connect.inbox', 'search_count', {
        domain: [
          ['conversation', '=', 'conv_replay'],
          ['state', 'in', ['done', 'ignored']],
        ],
      })
      return (dead === 0 && done === 1) || undefined
    })
  })

  it('every replay stands in the audit', async () => {
    const lines = await app.admin.ask<{ what: string; model: string; user: [number, string] }[]>(
      'connect.audit',
      'search_read',
      {
        domain: [['what', 'in', ['replay', 'replay_matching']]],
        fields: ['what', 'model', 'user'],
      },
    )
    expect(lines.every(({ user }) => user[0] === ada.userId)).toBe(true)
    expect(new Set(lines.map(({ model, what }) => `${model} ${what}`))).toEqual(
      new Set(['connect.delivery replay', 'connect.inbox replay_matching']),
    )
  })
})

it('no table has a trigger that notes what is written', async () => {
  expect(await app.db.query(sql`select tgname from pg_trigger where tgname = 'connect_note_write'`)).toEqual([])
})
