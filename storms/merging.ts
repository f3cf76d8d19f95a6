// A contact with thousands of messages and hundreds of calls and tickets is merged into another while the phone provider reports calls.
import path from 'node:path'
import type { Database } from '../src/database/database.ts'
import { sql } from '../src/database/drizzle.ts'
import { fillPerson, reportCalls } from './erasing.ts'
import { ServiceUnderStorm } from './service.ts'
import { addTally, calm, eventually, pause, rounds, type Tally, type Weather } from './storm.ts'
import { fillDatabase, stormDatabase } from './storm-database.ts'

const TICKETS = 500
const SETTLED_MS = 200
const MERGED_MS_MAX = 600_000
const LINKS = [
  ['connect.message', 'partner'],
  ['connect.call', 'partner'],
  ['helpdesk.ticket', 'partner_id'],
] as const

/** Whatever is merged, nobody waits for it, and all of it names the contact that stays. */
export async function merging(weather: Weather): Promise<Tally> {
  const { databaseUrl } = await stormDatabase(weather)
  const starting = { dataDir: path.join(weather.folder, 'data'), databaseUrl }
  let service = await ServiceUnderStorm.start(starting)
  weather.afterwards(() => service.stop('SIGKILL'))
  await service.setUp()
  return rounds(weather, async () => {
    await service.stop()
    const contact = await fillDatabase(starting, (db) => fillIn(db, weather.size))
    const started = await ServiceUnderStorm.start(starting)
    service = started
    const keep = await started.call<number>('res.partner', 'create', { vals_list: { name: 'Zoe Miller-Smith' } })
    let isOver = false
    const reporting = reportCalls(started, () => isOver)
    await pause(SETTLED_MS)
    const began = performance.now()
    await started.call('res.partner', 'merge', { keep, others: [contact] })
    const isMerged = await eventually(() => isGone(started, contact), MERGED_MS_MAX)
    const removedMs = performance.now() - began
    isOver = true
    const { longestMs, of, lost } = await reporting
    const left = await Promise.all(
      LINKS.map(([model, link]) =>
        started.call<number>(model, 'search_count', { domain: [[link, '=', contact]] }).catch(() => 0),
      ),
    )
    const wrong = left.reduce((sum, each) => sum + each, isMerged ? 0 : 1)
    return addTally(calm(), { ...calm(), of, lost, wrong, figures: { longestMs, removedMs } })
  })
}

async function isGone(service: ServiceUnderStorm, contact: number): Promise<boolean> {
  return (await service.call<number>('res.partner', 'search_count', { domain: [['id', '=', contact]] })) === 0
}

async function fillIn(db: Database, size: number): Promise<number> {
  const id = await fillPerson(db, size)
  await db.query(sql`insert into helpdesk_ticket (name, partner_id)
    select 'The letter ' || n, ${id}::bigint from generate_series(1, ${TICKETS * size}::int) n`)
  return id
}
