// The hourly clean-up has a mountain of old rows to remove while deliveries arrive.
import path from 'node:path'
import type { Database } from '../src/database/database.ts'
import { sql } from '../src/database/drizzle.ts'
import { countAcknowledged } from './account.ts'
import { ring } from './callers.ts'
import { sendPostCalls } from './deliveries.ts'
import { ServiceUnderStorm } from './service.ts'
import { addTally, calm, eventually, pause, rounds, type Tally, type Weather } from './storm.ts'
import { fillDatabase, stormDatabase } from './storm-database.ts'

/** Deliveries of about so many seconds at 200 a second; the embedded engine is given fewer. */
const OLD_ROWS = { PostgreSQL: 400_000, embedded: 60_000 } as const
const OLD_DAYS = 31
const MS_PER_DAY = 86_400_000
const PER_SECOND = { PostgreSQL: 100, embedded: 20 } as const
/** By then the service has started, and deliveries arrive. */
const BEGINS_SECONDS = 12
const QUIET_MS = 1_000
const CLEAN_MS_MAX = 300_000

/** What is old goes, what is new stays, and nobody waits for it. */
export async function cleanUpStorm(weather: Weather): Promise<Tally> {
  const { databaseUrl } = await stormDatabase(weather)
  const starting = { dataDir: path.join(weather.folder, 'data'), databaseUrl }
  const rows = OLD_ROWS[weather.database] * weather.size
  let service = await ServiceUnderStorm.start(starting)
  weather.afterwards(() => service.stop('SIGKILL'))
  await service.setUp()
  return rounds(weather, async () => {
    await service.stop()
    await fillDatabase(starting, (db) => pileUp(db, rows))
    const started = await ServiceUnderStorm.start(starting)
    service = started
    let isOver = false
    const url = (): string => started.url
    const until = (): boolean => isOver
    const perSecond = PER_SECOND[weather.database]
    const sending = Promise.all([sendPostCalls({ url, until, perSecond }), ring({ url, until })])
    const isBegun = await eventually(async () => (await countOld(started)) < rows, CLEAN_MS_MAX)
    const began = performance.now()
    const isClean = isBegun && (await eventually(async () => (await countOld(started)) === 0, CLEAN_MS_MAX))
    const removedMs = performance.now() - began
    await pause(QUIET_MS)
    isOver = true
    const [sent, heard] = await sending
    const tally = await countAcknowledged({ services: [started], sent, heard, expected: ['200'] })
    const remark = `${rows} old rows`
    return addTally(tally, { ...calm(), wrong: isClean ? 0 : 1, figures: { removedMs }, remark })
  })
}

/** Old rows, and the job that removes them, due soon after the next start. */
async function pileUp(db: Database, rows: number): Promise<void> {
  await db.query(
    sql`insert into connect_delivery (area, route, verdict, received_at, headers, body, reply)
        select 'telco', '/telco/webhook/callstatus', 'handled',
          (now() at time zone 'utc') - make_interval(days => ${OLD_DAYS}::int, secs => number),
          '{"host": "pbx.example.com"}', repeat(md5(number::text), 20), ''
        from generate_series(1, ${rows}::int) number`,
  )
  await db.query(sql`insert into jobs.job (name, data, start_after)
        values ('clean-up', '{}', now() + make_interval(secs => ${BEGINS_SECONDS}::int))`)
}

function countOld(service: ServiceUnderStorm): Promise<number> {
  const before = new Date(Date.now() - (OLD_DAYS - 1) * MS_PER_DAY).toISOString().slice(0, 19).replace('T', ' ')
  return service.call<number>('connect.delivery', 'search_count', { domain: [['received_at', '<', before]] })
}
