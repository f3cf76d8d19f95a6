// A ledger that an earlier version cut into months works on, and what docs/partitions.md says brings it back into one table.
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../src/database/drizzle.ts'
import { aConversationId, anAudio, aTranscript, deliver, useSecret } from '../fixtures/post-call.ts'
import { root } from '../support/source-files.ts'
import { runAt, sqlOfPage } from '../support/sql-of-page.ts'
import { ACCOUNT_SID, aVoiceRequest, sendTelco, setUpTelco } from '../support/telco.ts'
import { TestApp } from '../support/test-app.ts'

const LEDGER = ['connect_call', 'connect_channel', 'connect_recording', 'connect_message']
const [, , BACK = ''] = sqlOfPage('docs/partitions.md')
const [CUT = '', MONTH = ''] = ['ledger-cut.sql', 'ledger-month.sql'].map((file) =>
  readFileSync(path.join(root, 'tests/fixtures', file), 'utf8'),
)

let app: TestApp

beforeAll(async () => {
  app = await TestApp.start()
  await setUpTelco(app)
  await useSecret(app)
})
afterAll(() => app.stop())

/** A finished call with its recording, its conversation with an agent and a text of the caller. */
interface Story {
  leg: string
  recording: string
  conversation: string
  text: string
  from: string
}

let stories = 0

async function tell(): Promise<Story> {
  stories += 1
  const from = `+1415556${String(stories).padStart(4, '0')}`
  const story = {
    leg: `CA${randomUUID().replaceAll('-', '')}`,
    recording: `RE${randomUUID().replaceAll('-', '')}`,
    conversation: aConversationId(),
    text: `SM${randomUUID().replaceAll('-', '')}`,
    from,
  }
  await sendTelco(app, '/telco/webhook/number', aVoiceRequest({ CallSid: story.leg, From: from }))
  await report(story, 'in-progress')
  await reportRecording(story)
  await report(story, 'completed')
  await deliver(app, aTranscript({ conversationId: story.conversation, callSid: story.leg, external: from }))
  await deliver(app, anAudio(story.conversation, Buffer.from('ID3')))
  await sendTelco(app, '/telco/webhook/message', {
    ...{ MessageSid: story.text, SmsStatus: 'received', AccountSid: ACCOUNT_SID, NumMedia: '0' },
    ...{ From: from, To: '+14155550199', Body: 'Hello' },
  })
  return story
}

function report({ leg, from }: Story, status: string) {
  return sendTelco(
    app,
    '/telco/webhook/callstatus',
    aVoiceRequest({ CallSid: leg, From: from, CallStatus: status, CallDuration: '37' }),
  )
}

function reportRecording({ leg, recording, from }: Story) {
  return sendTelco(app, '/telco/webhook/recordingstatus', {
    ...aVoiceRequest({ CallSid: leg, From: from }),
    ...{ RecordingSid: recording, RecordingStatus: 'completed', RecordingDuration: '30' },
  })
}

/** Columns, constraints, indexes, triggers, sequences and functions, by name. */
async function catalog(): Promise<string[]> {
  const rows = await app.db.query<{ line: string }>(sql`
    select c.relname || '.' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod) || a.attnotnull::text || a.attidentity::text || a.attgenerated::text
        || coalesce(pg_get_expr(d.adbin, d.adrelid), '') as line
      from pg_attribute a join pg_class c on c.oid = a.attrelid left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped
    union all select conrelid::regclass::text || ' ' || conname || ' ' || pg_get_constraintdef(oid) from pg_constraint
      where connamespace = 'public'::regnamespace and contype in ('p', 'u', 'f', 'c')
    union all select indexdef from pg_indexes where schemaname = 'public'
    union all select pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
    union all select 'sequence ' || relname from pg_class where relkind = 'S' and relnamespace = 'public'::regnamespace
    union all select 'kind ' || relname || relkind::text || coalesce(reloptions::text, '') from pg_class where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace
    union all select 'function ' || proname from pg_proc where pronamespace = 'public'::regnamespace
    order by line`)
  return rows.map(({ line }) => line)
}

/** Every row of the ledger, as one text. */
async function rowsOfLedger(): Promise<string[]> {
  const texts: string[] = []
  for (const table of LEDGER) {
    const rows = await app.db.query<{ row: string }>(
      sql`select (to_jsonb(t) - 'write_date')::text as row from ${sql.identifier(table)} t order by id`,
    )
    texts.push(...rows.map(({ row }) => `${table} ${row}`))
  }
  return texts
}

/** The first moment of a month, so many from now on. */
function monthAt(ahead: number): string {
  return `${Temporal.Now.zonedDateTimeISO('UTC').toPlainDate().with({ day: 1 }).add({ months: ahead }).toString()} 00:00:00`
}

describe('a ledger in months', () => {
  it('works on, and goes back into one table with every row, index and link', async ({ skip }) => {
    skip(app.db.kind === 'embedded', 'only a ledger on PostgreSQL could be cut')
    await app.db.script('drop function if exists connect_recent_id()')
    const before = await tell()
    const whole = await catalog()
    await app.db.script(`begin; ${runAt(CUT, monthAt(0))} commit`)
    for (const ahead of [0, 1, 2]) await app.db.script(runAt(MONTH, monthAt(ahead)))
    const inMonths = await tell()
    for (const story of [before, inMonths]) await report(story, 'completed')
    expect(await app.count('connect_channel')).toBe(stories)
    const rows = await rowsOfLedger()
    const call = await app.admin.ask<number[]>('connect.call', 'search', { domain: [['call_sid', '=', inMonths.leg]] })
    const ticket = await app.admin.ask<number>('helpdesk.ticket', 'create', { vals_list: { name: 'Roof' } })
    await app.db.query(
      sql`update helpdesk_ticket set made_in_call = ${call[0] ?? 0}::bigint where id = ${ticket}::bigint`,
    )

    await app.db.script(`begin; ${BACK} commit`)
    expect(await rowsOfLedger()).toEqual(rows)
    expect(await catalog()).toEqual(whole)
    await app.db.script(`begin; ${BACK} commit`)
    expect(await catalog()).toEqual(whole)

    await tell()
    for (const story of [before, inMonths]) {
      await report(story, 'completed')
      await reportRecording(story)
    }
    expect(await app.count('connect_channel')).toBe(stories)
    await app.admin.ask('connect.call', 'unlink', { ids: call })
    const [left] = await app.db.query(sql`select made_in_call from helpdesk_ticket where id = ${ticket}::bigint`)
    expect(left).toEqual({ made_in_call: null })
  })
})
