import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sql } from '../../../src/database/drizzle.ts'
import { recordMessageStatuses } from '../../../src/ledger/messages/record-message-status.ts'
import type { OpenEnv } from '../../../src/platform/access/env.ts'
import { receiveMessages } from '../../../src/telco/messages/receive-message.ts'
import { loadDialPlan } from '../../../src/telco/routing/load-dial-plan.ts'
import { GatheredRecords } from '../../../src/telco/webhooks/gathered-records.ts'
import { rowAt } from '../../../src/telco/webhooks/table.ts'
import { asWebhook, aTelcoRequest } from '../../support/effects.ts'
import { recordOwnStatements, recordStatements } from '../../support/plans.ts'
import { inLists, randomFrom, shuffled } from '../../support/random-lists.ts'
import { ACCOUNT_SID, setUpTelco } from '../../support/telco.ts'
import { TestApp } from '../../support/test-app.ts'

const ROUNDS = 8
const LIST_MAX = 6
const [OURS, OURS_TOO] = ['+15550100009', '+15550100008']

type Form = Record<string, string>

let app: TestApp

beforeAll(async () => {
  app = await TestApp.start()
  await setUpTelco(app)
})
afterAll(() => app.stop())
beforeEach(clear)

async function clear(): Promise<void> {
  await app.db.query(sql`delete from mail_message`)
  await app.db.query(sql`delete from connect_message`)
  await app.db.query(sql`delete from connect_conversation`)
  await app.db.query(sql`delete from res_partner where phone is not null`)
}

function aText(sid: string, fields: Form = {}): Form {
  const form = { SmsStatus: 'received', AccountSid: ACCOUNT_SID, From: '+15550100001', To: OURS, NumMedia: '0' }
  return { ...form, Body: `The text ${sid}`, MessageSid: sid, ...fields }
}

/** A contact who is known, strangers, a name that is no number, WhatsApp, an answer, a picture, a repeat, another account. */
const TEXTS: readonly Form[] = [
  aText('SM01'),
  aText('SM02', { From: '+15550100002' }),
  aText('SM03', { From: '+15550100002', Body: 'And once more' }),
  aText('SM04', { From: 'ACME' }),
  aText('SM05', { From: 'ACME' }),
  aText('SM06', { From: 'ACME', To: OURS_TOO }),
  aText('SM07', { From: 'whatsapp:+15550100003', To: `whatsapp:${OURS}` }),
  aText('SM08', {
    From: '+15550100003',
    NumMedia: '1',
    MediaUrl0: 'https://api.twilio.com/a',
    MediaContentType0: 'image/png',
  }),
  aText('SM09', { From: '+15550100001', OriginalRepliedMessageSid: 'SM08' }),
  aText('SM09', { From: '+15550100001', OriginalRepliedMessageSid: 'SM08' }),
  aText('SM10', { From: '+15550100004', OriginalRepliedMessageSid: 'SM10' }),
  aText('SM11', { From: '+15550100005', AccountSid: 'AC-another' }),
  aText('SM12', { From: '+15550100002', To: OURS_TOO, Body: 'Über 😀 "alles" <b>' }),
  aText('SM13', { From: '' }),
]

async function receive(forms: readonly Form[]): Promise<void> {
  await asWebhook(app, (env) =>
    receiveMessages(
      env,
      forms.map((form) => aTelcoRequest(form)),
    ),
  )
}

async function aContact(): Promise<void> {
  await app.admin.ask('res.partner', 'create', { vals_list: { name: 'Zoe', phone: '+15550100001' } })
}

/** Everything that messages left but ids and times. */
async function stored(): Promise<unknown> {
  const messages = await app.db.query(
    sql`select m.message_sid, m.from_number, m.to_number, m.body, m.media, m.status, m.message_type, p.name as contact, m.res_model,
          m.res_id = m.partner as is_of_contact, r.message_sid as answers, c.channel, c.ours, c.theirs
        from connect_message m left join res_partner p on p.id = m.partner
        left join connect_message r on r.id = m.parent_message left join connect_conversation c on c.id = m.conversation
        order by m.message_sid`,
  )
  const conversations = await app.db.query(
    sql`select c.channel, c.ours, c.theirs, p.name, l.message_sid as last, o.message_sid as open, i.message_sid as incoming
        from connect_conversation c left join res_partner p on p.id = c.partner
        left join connect_message l on l.id = c.last_message left join connect_message o on o.id = c.last_open
        left join connect_message i on i.id = c.last_incoming order by c.channel, c.ours, c.theirs`,
  )
  const posts = await app.db.query(
    sql`select m.message_sid, replace(n.body, '/message/' || m.id || '/', '/message/of-this/') as body, n.message_type, n.subtype, n.model, p.name as author
        from mail_message n left join connect_message m on m.id = n.connect_message left join res_partner p on p.id = n.author_id
        order by m.message_sid`,
  )
  const contacts = await app.db.query(
    sql`select name, phone from res_partner where phone is not null order by name, phone`,
  )
  return { messages, conversations, posts, contacts }
}

describe('incoming messages in one list', () => {
  it('leave the same rows as one after another, however they are grouped, and so do their repeats', async () => {
    await aContact()
    for (const form of TEXTS) await receive([form])
    const one = await stored()
    expect(one).toMatchObject({ messages: { length: 11 }, posts: { length: 11 }, contacts: { length: 6 } })
    for (let round = 0; round < ROUNDS; round += 1) {
      await clear()
      await aContact()
      const lists = round === 0 ? [[...TEXTS]] : inLists([...TEXTS], LIST_MAX, randomFrom(round))
      for (const list of lists) await receive(list)
      expect(await stored()).toEqual(one)
      // As the provider sends them once more when we died between the commit and the answer.
      await receive([...TEXTS].reverse())
      expect(await stored()).toEqual(one)
    }
  })

  it('lists of the same messages in opposite orders store each once, no matter who comes first', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      await clear()
      const random = randomFrom(round + 1)
      const order = shuffled(TEXTS, random)
      const lists = [...inLists(order, LIST_MAX, random), ...inLists(order.toReversed(), LIST_MAX, random)]
      await Promise.all(lists.map(receive))
      expect(await app.count('connect_message')).toBe(11)
      expect(await app.count('mail_message')).toBe(11)
      // ACME writes to two numbers of ours, and is somebody else for each.
      const contacts = await app.db.query(
        sql`select phone, count(*)::int from res_partner where phone is not null group by 1 order by 1`,
      )
      expect(contacts).toEqual([
        ...['1', '2', '3', '4'].map((digit) => ({ phone: `+1555010000${digit}`, count: 1 })),
        { phone: 'ACME', count: 2 },
      ])
    }
  })

  it('take as many statements as one, and their locks first, in one order', async () => {
    await aContact()
    const known = (count: number): Form[] => Array.from({ length: count }, (_each, at) => aText(`SM${count}-${at}`))
    const one = await recordOwnStatements(app.db, () => receive(known(1)))
    const many = await recordOwnStatements(app.db, () => receive(known(20)))
    expect(one.length).toBeGreaterThan(0)
    expect(many.map(({ name }) => name)).toEqual(one.map(({ name }) => name))
    const mixed = await recordStatements(app.db, () => receive(shuffled(TEXTS, randomFrom(3))))
    const locks = mixed.filter(({ name }) => name === 'ledger_lock').map(({ values: [keys] }) => keys as string[])
    expect(locks).toHaveLength(1)
    expect(locks[0]).toEqual([...new Set(locks[0])].sort())
    expect(mixed.findIndex(({ name }) => name === 'ledger_lock')).toBeLessThan(
      mixed.findIndex(({ name }) => name === 'messages_named'),
    )
  })

  it('one that fails is the only one that is not stored', async () => {
    const row = rowAt('/message')
    const failing: typeof row = {
      ...row,
      async record(env, requests) {
        const recorded = await row.record?.(env, requests)
        if (requests.some(({ form }) => form.Body === 'bad')) throw new Error('a bad one')
        return recorded ?? []
      },
    }
    const open: OpenEnv = (work) => asWebhook(app, work)
    const gathered = new GatheredRecords(app.db.kind, ({ db }) => loadDialPlan(db))
    const forms = [...TEXTS.slice(0, 4), aText('SM99', { Body: 'bad' }), ...TEXTS.slice(4)]
    const sent = forms.map((form) => gathered.recordRequest(failing, { open, request: aTelcoRequest(form) }))
    const ended = await Promise.allSettled(sent)
    expect(ended.flatMap(({ status }, at) => (status === 'rejected' ? [at] : []))).toEqual([4])
    expect(await app.count('connect_message')).toBe(11)
    expect(await app.db.query(sql`select id from connect_message where body = 'bad'`)).toEqual([])
  })
})

describe('reports on messages of ours in one list', () => {
  const STATUSES = ['queued', 'sent', 'delivered', 'undelivered', 'read', 'failed']
  const SIDS = ['SMA', 'SMB', 'SMC', 'SMD', 'SME']

  /** Messages of ours, of which the provider's answer with its id has come for some. */
  async function sent(): Promise<Map<string, number>> {
    const rows = await app.db.query<{ id: number; body: string }>(
      sql`insert into connect_message (message_sid, body, from_number, to_number, message_type, status, status_rank, direction, attempt)
          select case when sid < 'SMC' then sid end, sid, ${OURS}, '+15550100001', 'sms', 'queued', 1, 'outgoing', 1
          from unnest(${sql.param(SIDS)}::text[]) sid returning id, body`,
    )
    return new Map(rows.map(({ id, body }) => [body, id]))
  }

  async function deliveries(): Promise<unknown> {
    return app.db.query(
      sql`select message_sid, body, status, status_rank, has_error, error_code from connect_message order by body`,
    )
  }

  const report = (ids: Map<string, number>, list: readonly { sid: string; status: string }[]): Promise<void> =>
    asWebhook(app, (env) =>
      recordMessageStatuses(
        env,
        list.map(({ sid, status }) => {
          const form = { MessageSid: sid, MessageStatus: status, ...(status === 'failed' && { ErrorCode: '30003' }) }
          return aTelcoRequest(form, `ref=${ids.get(sid)}-1`)
        }),
      ),
    )

  it('lists of reports end in the same rows, in every order and grouping, and in opposite orders at once', async () => {
    const reports = SIDS.flatMap((sid, at) => STATUSES.slice(0, 2 + at).map((status) => ({ sid, status })))
    const first = await sent()
    for (const each of reports) await report(first, [each])
    const one = await deliveries()
    expect(one).toMatchObject(
      ['sent', 'delivered', 'delivered', 'read', 'read'].map((status, at) => ({ message_sid: SIDS[at], status })),
    )
    for (let round = 0; round < ROUNDS; round += 1) {
      await clear()
      const ids = await sent()
      const random = randomFrom(round + 1)
      const order = shuffled([...reports, ...reports], random)
      const lists = [...inLists(order, LIST_MAX, random), ...inLists(order.toReversed(), LIST_MAX, random)]
      await Promise.all(lists.map((list) => report(ids, list)))
      expect(await deliveries()).toEqual(one)
    }
  })
})
