import { RINGS_NO_ONE } from '../../telco/callflows/callflow-remarks.ts'
import { REACHES_NO_ONE } from '../../telco/phone-users/phone-user-remarks.ts'
import { publishedTime } from '../../time.ts'
import type { Connection } from '../own-api/connection.ts'
import { type InstallationCheck, type Installed, note, type Outcome, ok, wrong } from './finding.ts'
import { REJECTED_CHECK } from './rejected.ts'

const WAITING_MINUTES_MAX = 10
const MS_PER_MINUTE = 60_000
/** A message is with the provider in a second or two. */
const UNSENT_MINUTES_MAX = 1

/** Records that are looked at, and remarks that one report tells. */
const RECORDS_MAX = 500
const REMARKS_MAX = 20
/** Models whose records say what of them does not work together, and how one of them is called. */
const WITH_REMARKS = {
  'connect.telco.number': 'Number',
  'connect.telco.callflow': 'Call flow',
  'connect.telco.exten': 'Extension',
  'connect.user': 'Phone user',
  'connect.voiceai_agent': 'Voice agent',
  'connect.whatsapp_sender': 'WhatsApp sender',
}
/** Remarks with which calls are lost, and what is to be done; every other remark is a note. */
const LOSES_CALLS: Readonly<Record<string, string>> = {
  [REACHES_NO_ONE]: 'Add a phone, a mobile or voicemail.',
  [RINGS_NO_ONE]: 'Add a phone or a mobile to one of them.',
}

interface Recorded {
  connection: Pick<Connection, 'call'>
  settings: Pick<Installed, 'announce_recordings' | 'secrets_set'>
}

/** What the installation's own records say: deliveries and messages that wait, rejected requests, recordings. */
export const RECORD_CHECKS: readonly InstallationCheck<Recorded>[] = [
  {
    check: 'dead deliveries',
    look: whenCounted(
      'connect.inbox',
      () => [['state', '=', 'dead']],
      'none',
      (dead) =>
        wrong(
          `${dead} failed for good`,
          'connect deliveries list --inbox says why; connect deliveries replay <id> tries them again.',
        ),
    ),
  },
  {
    check: 'waiting deliveries',
    look: whenCounted(
      'connect.inbox',
      waiting,
      `nothing has waited longer than ${WAITING_MINUTES_MAX} minutes`,
      (count) =>
        wrong(
          `${count} webhooks have waited longer than ${WAITING_MINUTES_MAX} minutes`,
          'Run the service (or a worker) and check its log.',
        ),
    ),
  },
  { check: 'waiting messages', look: whenCounted('connect.message', unsent, 'none', describeUnsent) },
  REJECTED_CHECK,
  { check: 'recordings', look: lookAtRecordings },
  { check: 'call settings', look: lookAtCallSettings },
]

/** Counts the records of a domain: fine without any, else as described. */
function whenCounted(
  model: string,
  domainOf: () => unknown[],
  none: string,
  describe: (count: number, connection: Recorded['connection']) => Outcome | Promise<Outcome>,
): InstallationCheck<Recorded>['look'] {
  return async ({ connection }) => {
    const count = await connection.call<number>(model, 'search_count', { domain: domainOf() })
    return count === 0 ? ok(none) : describe(count, connection)
  }
}

function waiting(): unknown[] {
  return [
    ['state', 'in', ['received', 'failed']],
    ['received_at', '<', minutesAgo(WAITING_MINUTES_MAX)],
  ]
}

function unsent(): unknown[] {
  return [
    ['status', '=', 'draft'],
    ['direction', '=', 'outgoing'],
    ['attempt', '>', 0],
    ['create_date', '<', minutesAgo(UNSENT_MINUTES_MAX)],
  ]
}

async function describeUnsent(count: number, connection: Recorded['connection']): Promise<Outcome> {
  const args = { domain: unsent(), fields: ['waits_for'], order: 'id', limit: 1 }
  const [oldest] = await connection.call<{ waits_for: string | null }[]>('connect.message', 'search_read', args)
  const finding = `${count} text messages are not sent yet; the oldest says: ${oldest?.waits_for ?? 'it is on its way'}`
  return wrong(finding, 'Open each message to see why.')
}

/** Whether calls are recorded and callers hear nothing of it, which the law of many countries wants them to. */
async function lookAtRecordings({ connection, settings }: Recorded): Promise<Outcome> {
  const count = (model: string): Promise<number> =>
    connection.call<number>(model, 'search_count', { domain: [['record_calls', '=', true]] })
  const users = await count('connect.user')
  const flows = await count('connect.telco.callflow')
  if (users + flows === 0) return ok('no phone user and no call flow records')
  if (settings.announce_recordings) {
    return ok(`calls are recorded (phone users: ${users}, call flows: ${flows}), and callers are told first`)
  }
  return note(
    `calls are recorded (phone users: ${users}, call flows: ${flows}) without telling the callers`,
    'Tell callers (connect settings set announce_recordings on), or do not record where the law forbids it.',
    'announce_recordings',
  )
}

/** What of numbers, call flows, phone users, agents and the like does not work together, as each says of itself. */
async function lookAtCallSettings({ connection }: Recorded): Promise<Outcome[]> {
  const said: Outcome[] = []
  for (const [model, kind] of Object.entries(WITH_REMARKS)) {
    const args = { fields: ['display_name', 'remarks'], limit: RECORDS_MAX }
    const rows = await connection.call<{ display_name: string; remarks: string[] }[]>(model, 'search_read', args)
    const told = (row: (typeof rows)[number]) =>
      row.remarks.map((remark) => remarked(`${kind} "${row.display_name}": ${remark}`, LOSES_CALLS[remark]))
    said.push(...rows.flatMap(told))
  }
  if (said.length === 0) return [ok('no contradictions')]
  const more = said.length - REMARKS_MAX
  // What loses calls is told first.
  const told = said.toSorted((one, other) => Number(other.result === 'WRONG') - Number(one.result === 'WRONG'))
  return [...told.slice(0, REMARKS_MAX), ...(more > 0 ? [note(`${more} more of this kind`)] : [])]
}

function remarked(finding: string, fix: string | undefined): Outcome {
  return fix === undefined ? note(finding) : wrong(finding, fix)
}

function minutesAgo(minutes: number): string {
  return publishedTime(new Date(Date.now() - minutes * MS_PER_MINUTE))
}
