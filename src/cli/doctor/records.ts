import type { Connection } from '../service/connection.ts'
import type { Finding } from './finding.ts'

const WAITING_MINUTES_MAX = 10
const MS_PER_MINUTE = 60_000

/** A message is with the provider in a second or two. */
const UNSENT_MINUTES_MAX = 1

/** What the installation's own records say: dead deliveries, deliveries and messages that wait, rejected requests. */
export async function checkRecords(connection: Connection): Promise<Finding[]> {
  return [
    await checkDead(connection),
    await checkWaiting(connection),
    await checkUnsent(connection),
    await checkRejected(connection),
  ]
}

async function checkDead(connection: Connection): Promise<Finding> {
  const dead = await connection.call<number>('connect.inbox', 'search_count', { domain: [['state', '=', 'dead']] })
  const check = 'dead deliveries'
  if (dead === 0) return { result: 'ok', check, finding: 'none', fix: '' }
  const fix = 'connect deliveries list --inbox tells why; connect deliveries replay <id> works on them again.'
  return { result: 'WRONG', check, finding: `${dead} could not be worked on`, fix }
}

async function checkWaiting(connection: Connection): Promise<Finding> {
  const since = wireTime(Date.now() - WAITING_MINUTES_MAX * MS_PER_MINUTE)
  const domain = [
    ['state', 'in', ['received', 'failed']],
    ['received_at', '<', since],
  ]
  const waiting = await connection.call<number>('connect.inbox', 'search_count', { domain })
  const check = 'waiting deliveries'
  if (waiting === 0)
    return { result: 'ok', check, finding: `nothing waits longer than ${WAITING_MINUTES_MAX} minutes`, fix: '' }
  const fix = 'Run the service (or a worker), and look at its log.'
  return {
    result: 'WRONG',
    check,
    finding: `${waiting} deliveries wait longer than ${WAITING_MINUTES_MAX} minutes`,
    fix,
  }
}

async function checkUnsent(connection: Connection): Promise<Finding> {
  const domain = [
    ['status', '=', 'draft'],
    ['direction', '=', 'outgoing'],
    ['attempt', '>', 0],
    ['create_date', '<', wireTime(Date.now() - UNSENT_MINUTES_MAX * MS_PER_MINUTE)],
  ]
  const check = 'waiting messages'
  const unsent = await connection.call<number>('connect.message', 'search_count', { domain })
  if (unsent === 0) return { result: 'ok', check, finding: 'none', fix: '' }
  const [oldest] = await connection.call<{ waits_for: string | null }[]>('connect.message', 'search_read', {
    domain,
    fields: ['waits_for'],
    order: 'id',
    limit: 1,
  })
  const finding = `${unsent} text messages are not sent yet; the oldest says: ${oldest?.waits_for ?? 'it is on its way'}`
  return { result: 'WRONG', check, finding, fix: '"waits_for" of each connect.message says why.' }
}

async function checkRejected(connection: Connection): Promise<Finding> {
  const since = wireTime(Date.now() - 60 * MS_PER_MINUTE)
  const domain = [
    ['verdict', '=', 'rejected'],
    ['received_at', '>=', since],
  ]
  const rejected = await connection.call<number>('connect.delivery', 'search_count', { domain })
  const check = 'rejected deliveries'
  if (rejected === 0) return { result: 'ok', check, finding: 'none in the last hour', fix: '' }
  const fix = 'connect deliveries list --rejected; connect deliveries explain <id> names the setting that is wrong.'
  return { result: 'note', check, finding: `${rejected} in the last hour`, fix }
}

function wireTime(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19).replace('T', ' ')
}
