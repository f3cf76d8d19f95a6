// What docs/partitions.md says is done, word for word: log and inbox go on in months, and a month is dropped as a whole.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../src/database/drizzle.ts'
import { INSERT } from '../../src/deliveries/inbox/inbox-rows.ts'
import { endedRow, waitingRow, withKey } from '../../src/deliveries/inbox/stored-delivery.ts'
import { cleanUp } from '../../src/platform/records/clean-up.ts'
import { aConversationId, aTranscript, deliver, useSecret } from '../fixtures/post-call.ts'
import { runAt, sqlOfPage } from '../support/sql-of-page.ts'
import { TestApp } from '../support/test-app.ts'

const [CUT = '', MONTHLY = ''] = sqlOfPage('docs/partitions.md')
const EMBEDDED = 'the embedded engine is for a log that one machine holds easily'
const DAY_MS = 86_400_000

let app: TestApp

beforeAll(async () => {
  app = await TestApp.start()
  await useSecret(app)
})
afterAll(() => app.stop())

/** Months from now on, as partitions are named after them. */
function monthNamed(ahead: number, table = 'connect_delivery'): string {
  const now = Temporal.Now.zonedDateTimeISO('UTC').toPlainDate().with({ day: 1 }).add({ months: ahead })
  return `${table}_${now.year}_${String(now.month).padStart(2, '0')}`
}

async function partitions(table = 'connect_delivery'): Promise<string[]> {
  const rows = await app.db.query<{ name: string }>(
    sql`select inhrelid::regclass::text as name from pg_inherits where inhparent = ${table}::text::regclass order by 1`,
  )
  return rows.map(({ name }) => name)
}

/** A delivery that came so many months ahead of now; in which partition it is. */
async function logAt(months: number): Promise<string> {
  const [row] = await app.db.query<{ place: string }>(
    sql`insert into connect_delivery (area, route, verdict, received_at)
        values ('voiceai', 'later', 'handled', date_trunc('month', now() at time zone 'utc') + make_interval(months => ${months}::int, days => 3))
        returning tableoid::regclass::text as place`,
  )
  return row?.place ?? ''
}

describe('the log of deliveries in months', () => {
  it('the log is cut while it is in use, and everything that reads or writes it goes on', async ({ skip }) => {
    skip(app.db.kind === 'embedded', EMBEDDED)
    const id = aConversationId()
    await deliver(app, aTranscript({ conversationId: id }))
    await app.app.deliveries.drained()
    const before = await app.admin.ask<{ id: number }[]>('connect.delivery', 'search_read', { fields: ['id'] })
    expect(before).toHaveLength(1)

    await app.db.script(`begin; ${CUT} commit;`)
    await app.db.script(MONTHLY)
    expect(await partitions()).toEqual(
      [monthNamed(1), monthNamed(2), monthNamed(3), 'connect_delivery_before', 'connect_delivery_other'].toSorted(),
    )

    await deliver(app, aTranscript({ conversationId: id }))
    await app.app.deliveries.drained()
    const after = await app.admin.ask<{ id: number }[]>('connect.delivery', 'search_read', {
      fields: ['id', 'conversation'],
      order: 'id',
    })
    expect(after).toHaveLength(2)
    expect(after[1]?.id).toBeGreaterThan(before[0]?.id ?? 0)
    expect(after).toMatchObject([{ conversation: id }, { conversation: id }])
    for (const each of after) {
      expect(await app.admin.ask('connect.delivery', 'explain', { ids: [each.id] })).toMatchObject({
        verdict: 'handled',
      })
    }
    const places = await Promise.all([0, 1, 3, 9].map(logAt))
    expect(places).toEqual(['connect_delivery_before', monthNamed(1), monthNamed(3), 'connect_delivery_other'])
    const indexes = await app.db.query<{ count: number }>(
      sql`select count(*)::int as count from pg_index where indrelid = ${monthNamed(1)}::regclass`,
    )
    const wanted = await app.db.query<{ count: number }>(
      sql`select count(*)::int as count from pg_index where indrelid = 'connect_delivery_before'::regclass and not indisprimary`,
    )
    // As many as the log had, and that of the ids.
    expect(indexes[0]?.count).toBe(wanted[0]?.count)
  })

  it('what is old is removed as before, and a month that is over as a whole', async ({ skip }) => {
    skip(app.db.kind === 'embedded', EMBEDDED)
    await app.db.query(
      sql`update connect_delivery set received_at = received_at - interval '40 days' where conversation is not null`,
    )
    await cleanUp(app.db, app.app.platform)
    expect(await app.admin.ask('connect.delivery', 'search_count', { domain: [['conversation', '!=', null]] })).toBe(0)
    expect(await app.count('connect_delivery')).toBe(4)

    const [later] = await app.db.query<{ at: string }>(
      sql`select (date_trunc('month', now() at time zone 'utc') + interval '3 months 20 days')::text as at`,
    )
    await app.db.script(runAt(MONTHLY, later?.at ?? ''))
    // A later version of the service changes indexes by their names.
    await app.db.script('drop index connect_delivery_route_index; drop index connect_inbox_state_index')
    expect(await partitions()).toEqual(
      [
        ...[2, 3, 4, 5, 6].map((ahead) => monthNamed(ahead)),
        ...['connect_delivery_before', 'connect_delivery_other'],
      ].toSorted(),
    )
    expect(await app.count('connect_delivery')).toBe(3)
  })

  it('the inbox goes on in months as well: each delivery is stored once, and a month with something to do stays', async ({
    skip,
  }) => {
    skip(app.db.kind === 'embedded', EMBEDDED)
    const stored = () =>
      app.db.query<{ place: string; state: string }>(
        sql`select tableoid::regclass::text as place, state from connect_inbox order by id`,
      )
    const before = (await stored()).length
    await deliver(app, aTranscript({ conversationId: aConversationId() }))
    expect((await stored()).slice(before)).toEqual([{ place: 'connect_inbox_before', state: 'done' }])

    // As deliveries of later months would be: their keys begin with their time.
    const later = new Date(Temporal.Now.instant().add({ hours: 24 * 100 }).epochMilliseconds)
    const delivery = { kind: 'unknown', conversation: undefined, payload: '{}', mediaRef: 'audio-of-later.mp3' }
    const keyed = withKey(delivery, later)
    const insert = () => app.db.run(INSERT, { rows: [endedRow(keyed, 'done')] })
    expect(await insert()).toHaveLength(1)
    expect(await insert()).toEqual([])
    const waiting = withKey(delivery, new Date(later.getTime() + 40 * DAY_MS))
    await app.db.run(INSERT, { rows: [waitingRow(waiting, later)] })
    const named = ({ receivedAt }: { receivedAt: string }) =>
      `connect_inbox_${receivedAt.slice(0, 7).replace('-', '_')}`
    const places = (await stored()).slice(before + 1).map(({ place }) => place)
    expect(places).toEqual([named(keyed), named(waiting)])

    const end = new Date(later.getTime() + 200 * DAY_MS).toISOString()
    await app.db.script(runAt(MONTHLY, end))
    const left = await partitions('connect_inbox')
    expect(left).not.toContain(named(keyed))
    expect(left).toContain(named(waiting))
    const removed = await app.db.query(sql`select 1 from connect_media_removal where media_ref = 'audio-of-later.mp3'`)
    expect(removed).toHaveLength(1)
  })
})
