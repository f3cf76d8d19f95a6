// A contact with thousands of messages and hundreds of calls and tickets is merged into another while the phone provider reports calls.
import type { Database } from '../src/database/database.ts'
import { sql } from '../src/database/drizzle.ts'
import { contactStorm, fillPerson } from './contact-storm.ts'
import type { ServiceUnderStorm } from './service.ts'
import type { Tally, Weather } from './storm.ts'

const TICKETS = 500
const LINKS = [
  ['connect.message', 'partner'],
  ['connect.call', 'partner'],
  ['helpdesk.ticket', 'partner_id'],
] as const

/** Whatever is merged, nobody waits for it, and all of it names the contact that stays. */
export function merging(weather: Weather): Promise<Tally> {
  return contactStorm(weather, {
    fill: fillIn,
    async begin(service, contact) {
      const keep = await service.call<number>('res.partner', 'create', { vals_list: { name: 'Zoe Miller-Smith' } })
      await service.call('res.partner', 'merge', { keep, others: [contact] })
      return {
        hasEnded: () => isGone(service, contact),
        countLeft: () => countLinked(service, contact),
      }
    },
  })
}

/** What still names the contact that is gone. */
async function countLinked(service: ServiceUnderStorm, contact: number): Promise<number> {
  const left = await Promise.all(
    LINKS.map(([model, link]) =>
      service.call<number>(model, 'search_count', { domain: [[link, '=', contact]] }).catch(() => 0),
    ),
  )
  return left.reduce((sum, each) => sum + each, 0)
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
