import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../../src/database/drizzle.ts'
import { type DeliveryReport, type MessageProgress, mergeDelivery } from '../../../src/ledger/messages/delivery.ts'
import { MESSAGE_STATUSES, parseMessageStatus, STATUS_RANK } from '../../../src/ledger/messages/message-status.ts'
import { recordMessageStatuses } from '../../../src/ledger/messages/record-message-status.ts'
import { receiveMessages, recordMessageReports } from '../../../src/telco/messages/receive-message.ts'
import { asWebhook, aTelcoRequest } from '../../support/effects.ts'
import { ACCOUNT_SID, setUpTelco } from '../../support/telco.ts'
import { TestApp } from '../../support/test-app.ts'

const DRAFT: MessageProgress = { status: 'draft', rank: 0, hasError: false, errorCode: null, errorMessage: null }

const Status = fc.constantFrom(...MESSAGE_STATUSES.filter((status) => status !== 'draft' && status !== 'received'))
const Report = fc.record({
  status: Status,
  errorCode: fc.option(fc.constantFrom('30003', '30005', '63016')),
  errorMessage: fc.option(fc.constantFrom('unreachable', 'unknown')),
})

describe('the delivery of a message', () => {
  it('the delivery of a message is the same for every order and any repeats of its reports', () => {
    fc.assert(
      fc.property(
        fc.array(Report, { minLength: 1, maxLength: 6 }).chain((reports) =>
          fc.tuple(
            fc.constant(reports),
            fc
              .shuffledSubarray([...reports, ...reports], { minLength: reports.length, maxLength: 2 * reports.length })
              .filter((some) => reports.every((report) => some.includes(report))),
          ),
        ),
        ([reports, others]) => {
          expect(others.reduce(mergeDelivery, DRAFT)).toEqual(reports.reduce(mergeDelivery, DRAFT))
        },
      ),
    )
  })

  it('the delivery of a message never moves back', () => {
    fc.assert(
      fc.property(fc.array(Report, { maxLength: 8 }), (reports) => {
        let ranks = [0]
        reports.reduce((delivery, report) => {
          const next = mergeDelivery(delivery, report)
          ranks = [...ranks, next.rank]
          return next
        }, DRAFT)
        expect(ranks).toEqual(ranks.toSorted((a, b) => a - b))
      }),
    )
  })

  it('keeps code and message of one report together', () => {
    const reports: DeliveryReport[] = [
      { status: 'failed', errorCode: '30003', errorMessage: 'unreachable' },
      { status: 'failed', errorCode: '30005', errorMessage: null },
    ]
    for (const each of [reports, reports.toReversed()]) {
      expect(each.reduce(mergeDelivery, DRAFT)).toMatchObject({ errorCode: '30005', errorMessage: null })
    }
  })

  it('the delivery of a message has a rank of its own for each status', () => {
    expect(new Set(Object.values(STATUS_RANK)).size).toBe(MESSAGE_STATUSES.length)
  })

  it.each([
    ['accepted', 'queued'],
    ['scheduled', 'queued'],
    ['canceled', 'failed'],
    ['partially_delivered', 'delivered'],
    ['DELIVERED', 'delivered'],
    ['received', undefined],
    ['draft', undefined],
    ['constructor', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('reads the provider word %j as %j', (word, status) => {
    expect(parseMessageStatus(word)).toBe(status)
  })
})

describe('a status callback', () => {
  let app: TestApp

  beforeAll(async () => {
    app = await TestApp.start()
    await setUpTelco(app)
  })
  afterAll(() => app.stop())

  function report(form: Record<string, string>, query = ''): Promise<void> {
    return asWebhook(app, (env) => recordMessageStatuses(env, [aTelcoRequest(form, query)]))
  }

  async function aMessage(values: { sid: string | null; type?: string; partner?: number | null }): Promise<number> {
    const { sid, type = 'sms', partner = null } = values
    const [row] = await app.db.query<{ id: number }>(
      sql`insert into connect_message (message_sid, from_number, to_number, message_type, status, status_rank, direction, attempt, res_model, res_id)
          values (${sid}, '+15550100009', '+15550100001', ${type}, 'queued', 1, 'outgoing', 1,
            ${partner === null ? null : 'res.partner'}, ${partner}::bigint) returning id`,
    )
    return row?.id ?? 0
  }

  async function row(id: number): Promise<Record<string, unknown> | undefined> {
    const rows = await app.db.query(sql`select * from connect_message where id = ${id}::bigint`)
    return rows[0]
  }

  async function notes(partner: number): Promise<string[]> {
    const found = await app.db.query<{ body: string }>(
      sql`select body from mail_message where model = 'res.partner' and res_id = ${partner}::bigint order by id`,
    )
    return found.map((each) => each.body)
  }

  function aPartner(): Promise<number> {
    return app.admin.ask<number>('res.partner', 'create', { vals_list: { name: 'Zoe' } })
  }

  it('a status callback is not lost when the answer that tells the id is written while the message is looked for', async () => {
    const id = await aMessage({ sid: null })
    const form = { MessageSid: 'SM-race', MessageStatus: 'undelivered', ErrorCode: '30003' }
    let reported: Promise<void> = Promise.resolve()
    await app.db.transaction(async (tx) => {
      await tx.query(sql`update connect_message set message_sid = 'SM-race' where id = ${id}::bigint`)
      reported = report(form, `ref=${id}-1`)
      // The embedded engine does one thing at a time; a server has the other one wait for the row.
      for (let isWaiting = app.db.kind === 'embedded'; !isWaiting; ) {
        const [row] = await tx.query<{ waits: boolean }>(
          sql`select exists (select from pg_locks l where not l.granted and pg_backend_pid() = any(pg_blocking_pids(l.pid))) as waits`,
        )
        isWaiting = row?.waits === true
      }
    })
    await reported
    expect(await row(id)).toMatchObject({ status: 'undelivered', error_code: '30003', message_sid: 'SM-race' })
  })

  it('moves the message on, and an older one does not move it back', async () => {
    const id = await aMessage({ sid: 'SM1' })
    await report({ MessageSid: 'SM1', MessageStatus: 'delivered' })
    await report({ MessageSid: 'SM1', MessageStatus: 'sent' })
    await report({ SmsSid: 'SM1', SmsStatus: 'sending' })
    expect(await row(id)).toMatchObject({ status: 'delivered', has_error: false })
  })

  it('a status callback of a failure keeps why, and tells the people of the thread once', async () => {
    const partner = await aPartner()
    const id = await aMessage({ sid: 'SM2', partner })
    const failed = { MessageSid: 'SM2', MessageStatus: 'failed', ErrorCode: '30003', ErrorMessage: 'Unreachable' }
    await Promise.all([report(failed), report(failed)])
    await report(failed)
    expect(await row(id)).toMatchObject({
      status: 'failed',
      has_error: true,
      error_code: '30003',
      error_message: 'Unreachable',
    })
    expect(await notes(partner)).toEqual([expect.stringContaining('failed. Unreachable (error 30003)')])
  })

  it('tells that a message was read, and that the WhatsApp window is over', async () => {
    const partner = await aPartner()
    await aMessage({ sid: 'SM3', partner, type: 'WhatsApp' })
    await aMessage({ sid: 'SM4', partner, type: 'WhatsApp' })
    await report({ MessageSid: 'SM3', MessageStatus: 'read', EventType: 'READ' })
    await report({ MessageSid: 'SM4', MessageStatus: 'undelivered', ErrorCode: '63016' })
    const [read, over] = await notes(partner)
    expect(read).toContain('was read')
    expect(over).toContain('24-hour window is over, use a template')
  })

  it.each([
    ['WhatsApp', '63016', 'undelivered', '24-hour window is over, use a template. (error 63016)'],
    ['WhatsApp', '63016', 'failed', '24-hour window is over, use a template. (error 63016)'],
    ['WhatsApp', '63003', 'undelivered', 'was not delivered (error 63003): WhatsApp cannot find this recipient.'],
    ['WhatsApp', '63024', 'undelivered', '(error 63024): the number is no valid WhatsApp recipient.'],
    ['sms', '30005', 'undelivered', '(error 30005): the network does not know this number.'],
    ['WhatsApp', '63999', 'undelivered', 'was not delivered. (error 63999)'],
    ['WhatsApp', '', 'undelivered', 'was not delivered.'],
    ['sms', '0', 'undelivered', 'was not delivered.'],
    ['sms', '30007', 'undelivered', '(error 30007): the network filtered it out as unwanted.'],
    ['sms', '30032', 'undelivered', '(error 30032): our toll-free number is not verified.'],
    ['WhatsApp', '63041', 'undelivered', '(error 63041): WhatsApp has paused the template.'],
    ['sms', '30037', 'undelivered', '(error 30037): sending messages is switched off for the account at the provider.'],
    ['sms', '30450', 'failed', '(error 30450): the provider blocked it.'],
    ['WhatsApp', '63033', 'undelivered', '(error 63033): the recipient cannot receive messages from this sender.'],
    ['sms', '63035', 'undelivered', 'was not delivered. (error 63035)'],
    ['sms', '63036', 'undelivered', 'was not delivered. (error 63036)'],
    ['WhatsApp', '63029', 'failed', '(error 63029): their WhatsApp could not load the template.'],
    ['sms', '21610', 'failed', 'failed (error 21610): the recipient has unsubscribed with STOP.'],
  ])('a failed %s message with the code %j, %s, says what that code means', async (type, ErrorCode, status, said) => {
    const partner = await aPartner()
    const sid = `SM-${type}-${ErrorCode}-${status}`
    await aMessage({ sid, partner, type })
    await report({ MessageSid: sid, MessageStatus: status, ErrorCode })
    const [note = ''] = await notes(partner)
    expect(note).toContain(said)
    expect(note.includes('24-hour')).toBe(ErrorCode === '63016')
    expect(note).not.toContain('error 0')
  })

  it('an unknown status keeps the message where it is', async () => {
    const id = await aMessage({ sid: 'SM-unknown' })
    await report({ MessageSid: 'SM-unknown', MessageStatus: 'delivered' })
    await report({ MessageSid: 'SM-unknown', MessageStatus: 'teleported' })
    expect(await row(id)).toMatchObject({ status: 'delivered', has_error: false })
  })

  it.each([
    ['a text', 'message', { Body: 'Hello?' }],
    ['a text', 'message_status', { Body: 'Hello?' }],
    ['a picture', 'message_status', { Body: '', NumMedia: '1', MediaUrl0: 'https://api.telco.example/M0' }],
    ['a picture', 'message', { NumMedia: '1', MediaUrl0: 'https://api.telco.example/M0' }],
  ])('a form with %s and without a status that comes to /%s is an incoming message', async (_what, page, content) => {
    const MessageSid = `SM-in-${page}-${Object.keys(content).length}`
    const form = { MessageSid, AccountSid: ACCOUNT_SID, From: '+15550177001', To: '+15550100001', ...content }
    const record = page === 'message' ? receiveMessages : recordMessageReports
    for (let times = 0; times < 2; times += 1) await asWebhook(app, (env) => record(env, [aTelcoRequest(form)]))
    const rows = await app.db.query(
      sql`select direction, status, body from connect_message where message_sid = ${MessageSid}`,
    )
    expect(rows).toEqual([{ direction: 'incoming', status: 'received', body: 'Body' in content ? content.Body : '' }])
  })

  it('a status callback that overtakes the answer to our own request finds its message by our reference', async () => {
    const id = await aMessage({ sid: null })
    await report({ MessageSid: 'SM5', MessageStatus: 'sent' }, `ref=${id}-1`)
    expect(await row(id)).toMatchObject({ status: 'sent', message_sid: 'SM5' })
    // Not by the reference of another attempt, and not over another id.
    await report({ MessageSid: 'SM6', MessageStatus: 'read' }, `ref=${id}-2`)
    await report({ MessageSid: 'SM7', MessageStatus: 'read' }, `ref=${id}-1`)
    expect(await row(id)).toMatchObject({ status: 'sent', message_sid: 'SM5' })
  })

  it('a status callback without an id names no message, whatever its reference', async () => {
    const id = await aMessage({ sid: null })
    await report({ MessageStatus: 'sent' }, `ref=${id}-1`)
    expect(await row(id)).toMatchObject({ status: 'queued', message_sid: null })
  })

  it.each([
    [{}, ''],
    [{ MessageSid: 'SM404', MessageStatus: 'sent' }, ''],
    [{ MessageSid: 'SM404', MessageStatus: 'sent' }, 'ref=nonsense'],
    [{ MessageSid: 'SM404', MessageStatus: 'sent' }, 'ref=9999999999-1'],
    [{ MessageSid: 'SM1\u0000', MessageStatus: 'nonsense' }, ''],
    [{ MessageSid: 'x'.repeat(100_000), MessageStatus: 'sent' }, ''],
  ])('a status callback of nothing we know changes nothing: %#', async (form, query) => {
    const before = await app.db.query(sql`select * from connect_message order by id`)
    await report(form as Record<string, string>, query)
    expect(await app.db.query(sql`select * from connect_message order by id`)).toEqual(before)
  })

  it('a status callback may come to the address for messages', async () => {
    const id = await aMessage({ sid: 'SM8' })
    const form = { MessageSid: 'SM8', SmsStatus: 'delivered', AccountSid: ACCOUNT_SID, From: '+1', To: '+2' }
    await asWebhook(app, (env) => receiveMessages(env, [aTelcoRequest(form)]))
    expect(await row(id)).toMatchObject({ status: 'delivered' })
  })

  it('a status callback of every permutation leaves the same row', async () => {
    const reports = ['queued', 'sent', 'delivered', 'read'].map((MessageStatus) => ({ MessageSid: '', MessageStatus }))
    const orders = permutations(reports)
    const rows = new Set<string>()
    for (const [at, order] of orders.entries()) {
      const id = await aMessage({ sid: `SMP${at}` })
      for (const form of [...order, ...order]) await report({ ...form, MessageSid: `SMP${at}` })
      const { status, status_rank, has_error } = (await row(id)) ?? {}
      rows.add(JSON.stringify({ status, status_rank, has_error }))
    }
    expect([...rows]).toEqual([JSON.stringify({ status: 'read', status_rank: STATUS_RANK.read, has_error: false })])
  })
})

function permutations<Item>(items: readonly Item[]): Item[][] {
  if (items.length === 0) return [[]]
  return items.flatMap((item, at) => permutations(items.toSpliced(at, 1)).map((rest) => [item, ...rest]))
}
