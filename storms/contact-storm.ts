// What is done with a contact that has thousands of messages and hundreds of calls, while the phone provider reports other calls.
import path from 'node:path'
import type { Database } from '../src/database/database.ts'
import { sql } from '../src/database/drizzle.ts'
import { ACCOUNT_SID, sendSigned } from '../tests/support/telco.ts'
import { aCallSid } from './callers.ts'
import { ServiceUnderStorm } from './service.ts'
import { addTally, calm, eventually, pause, rounds, type Tally, type Weather } from './storm.ts'
import { fillDatabase, stormDatabase } from './storm-database.ts'

export const NAME = 'Zoe Miller'
export const NUMBER = '+14155550210'
const OURS = '+14155550110'
const MESSAGES = 5_000
const CALLS = 500
/** Deliveries that the log has of each call, and words of the transcript of its recording. */
const DELIVERIES_EACH = 8
const TRANSCRIPT_WORDS = 240
const REPORT_EVERY_MS = 50
const CALL_STATUS = '/telco/webhook/callstatus'
const ENDED_MS_MAX = 600_000

interface ContactStorm {
  /** Puts the contact in; gives their id. */
  fill(db: Database, size: number): Promise<number>
  /** Asks for what is done with them. */
  begin(service: ServiceUnderStorm, contact: number): Promise<ContactWork>
}

interface ContactWork {
  hasEnded(): Promise<boolean>
  /** Rows that should not be there any more. */
  countLeft(): Promise<number>
}

/** Whatever is done with a contact, nobody waits for it, and all of it is done in the end. */
export async function contactStorm(weather: Weather, { fill, begin }: ContactStorm): Promise<Tally> {
  const { databaseUrl } = await stormDatabase(weather)
  const starting = { dataDir: path.join(weather.folder, 'data'), databaseUrl }
  let service = await ServiceUnderStorm.start(starting)
  weather.afterwards(() => service.stop('SIGKILL'))
  await service.setUp()
  return rounds(weather, async () => {
    await service.stop()
    const contact = await fillDatabase(starting, (db) => fill(db, weather.size))
    const started = await ServiceUnderStorm.start(starting)
    service = started
    let isOver = false
    const reporting = reportCalls(started, () => isOver)
    await pause(REPORT_EVERY_MS)
    const began = performance.now()
    const work = await begin(started, contact)
    const hasEnded = await eventually(() => work.hasEnded(), ENDED_MS_MAX)
    const removedMs = performance.now() - began
    isOver = true
    const { longestMs, of, lost } = await reporting
    const wrong = (await work.countLeft()) + (hasEnded ? 0 : 1)
    return addTally(calm(), { ...calm(), of, lost, wrong, figures: { longestMs, removedMs } })
  })
}

/** Reports of calls, one every while whether the one before is answered or not. */
async function reportCalls(service: ServiceUnderStorm, isOver: () => boolean) {
  const all: Promise<void>[] = []
  let [longestMs, lost] = [0, 0]
  const one = async (): Promise<void> => {
    const asked = performance.now()
    const fields = {
      AccountSid: ACCOUNT_SID,
      CallSid: aCallSid(),
      CallStatus: 'ringing',
      Direction: 'inbound',
      From: '+14155550555',
      To: OURS,
    }
    const status = await sendSigned(service.url, CALL_STATUS, fields).catch(() => 0)
    longestMs = Math.max(longestMs, performance.now() - asked)
    if (status !== 200) lost += 1
  }
  while (!isOver()) {
    all.push(one())
    await pause(REPORT_EVERY_MS)
  }
  await Promise.all(all)
  return { longestMs, of: all.length, lost }
}

/** A person with all that; gives their contact. */
export async function fillPerson(db: Database, size: number): Promise<number> {
  const [contact] = await db.query<{ id: number }>(
    sql`insert into res_partner (name, phone, phone_normalized) values (${NAME}, ${NUMBER}, ${NUMBER}) returning id`,
  )
  const id = contact?.id ?? 0
  await db.query(sql`insert into connect_message (from_number, to_number, body, direction, status, partner)
      select ${NUMBER}, ${OURS}, repeat('I waited for the letter. ', 8), 'incoming', 'received', ${id}::bigint
      from generate_series(1, ${MESSAGES * size}::int)`)
  // One statement for all of them takes longer than the embedded database lets one take.
  for (let part = 0; part < size; part += 1) {
    await db.query(sql`with calls as (
          insert into connect_call (caller, called, direction, partner, summary)
          select ${NUMBER}, ${OURS}, 'incoming', ${id}::bigint, repeat('About the letter. ', 20)
          from generate_series(1, ${CALLS}::int) returning id),
        legs as (
          insert into connect_channel (sid, call, caller, called, caller_number)
          select 'CA' || md5('leg ' || id || n), id, ${NUMBER}, ${OURS}, ${NUMBER} from calls, generate_series(1, 2) n),
        recordings as (
          insert into connect_recording (sid, call, partner, transcript)
          select 'RE' || md5('recording ' || id), id, ${id}::bigint,
            (select string_agg(md5(id::text || n), ' ') from generate_series(1, ${TRANSCRIPT_WORDS}::int) n) from calls)
        insert into connect_delivery (area, route, verdict, received_at, call_ref, headers, body, reply)
        select 'telco', ${CALL_STATUS}, 'handled', now() at time zone 'utc', id, '{"host": "pbx.example.com"}',
          repeat(md5(id::text || n), 20), '' from calls, generate_series(1, ${DELIVERIES_EACH}::int) n`)
  }
  return id
}
