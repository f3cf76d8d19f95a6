import { SENT_BY_CHECKS } from '../../telco/webhooks/explain.ts'
import { publishedTime } from '../../time.ts'
import { type Connection, ServiceRefusal } from '../own-api/connection.ts'
import { type InstallationCheck, type Installed, note, type Outcome, ok } from './finding.ts'

const REJECTED_MINUTES = 60
const MS_PER_MINUTE = 60_000
/** From this status on the service could not answer, which says nothing of the webhook. */
const SERVER_FAULTS_FROM = 500
/** Rejected telephony webhooks whose signature is looked at, newest first; each takes some milliseconds. */
const EXPLAINED_MAX = 20

interface Rejected {
  connection: Pick<Connection, 'call'>
  settings: Pick<Installed, 'secrets_set'>
}

type Domain = readonly unknown[]

/** Webhooks whose sender is proven by one secret. */
interface Kind {
  readonly secret: keyof NonNullable<Installed['secrets_set']>
  readonly webhooks: Domain
  /** Of those that were accepted, the provider's own: the checks send some themselves, signed with whatever secret is set. */
  readonly fromProvider: Domain
  /** Whether the log of a rejected one can tell that the provider has signed it. */
  readonly isExplained?: true
}

const POST_CALL = '/connect_voiceai/post_call'
const KINDS: readonly Kind[] = [
  {
    secret: 'auth_token',
    webhooks: [['area', '=', 'telco']],
    fromProvider: [['route', '!=', SENT_BY_CHECKS]],
    isExplained: true,
  },
  {
    secret: 'voiceai_post_call_webhook_secret',
    webhooks: [['route', '=', POST_CALL]],
    fromProvider: [['conversation', '!=', null]],
  },
  {
    secret: 'voiceai_agent_token',
    webhooks: [
      ['area', '!=', 'telco'],
      ['route', '!=', POST_CALL],
    ],
    fromProvider: ['|', ['conversation', '!=', null], ['call_ref', '!=', null]],
  },
]

/** Webhooks that were rejected: whether a setting may be wrong, or somebody else has sent them. */
export const REJECTED_CHECK: InstallationCheck<Rejected> = {
  check: 'rejected deliveries',
  async look(subject) {
    const count = { open: 0, forged: 0 }
    for (const kind of KINDS) {
      const rejected = await countOf(subject, [...kind.webhooks, ...sinceAnHour(), ['verdict', '=', 'rejected']])
      if (rejected > 0) count[(await areForged(subject, kind)) ? 'forged' : 'open'] += rejected
    }
    return count.open + count.forged === 0 ? [ok('none in the last hour')] : described(count)
  },
}

function described({ open, forged }: { open: number; forged: number }): Outcome[] {
  const ofSettings = note(
    `${open} in the last hour`,
    'connect deliveries list --rejected; connect deliveries explain <id> says whether a setting is wrong.',
  )
  const ofStrangers = note(
    `${forged} in the last hour, not from the provider`,
    'Others of the same kind were accepted with the same settings, so nothing has to be changed.',
  )
  return [...(open === 0 ? [] : [ofSettings]), ...(forged === 0 ? [] : [ofStrangers])]
}

/** With the secret that is set now others were accepted, and none of the rejected ones is the provider's. */
async function areForged(subject: Rejected, kind: Kind): Promise<boolean> {
  const setAt = subject.settings.secrets_set?.[kind.secret]?.at
  const accepted: Domain = [
    ...kind.webhooks,
    ...kind.fromProvider,
    ...sinceAnHour(),
    ['verdict', '!=', 'rejected'],
    ...(setAt === undefined ? [] : [['received_at', '>=', setAt]]),
  ]
  if ((await countOf(subject, accepted)) === 0) return false
  return kind.isExplained !== true || !(await isOneSigned(subject, kind))
}

/** Whether the provider has signed one of the newest, for another address than ours. */
async function isOneSigned({ connection }: Rejected, { webhooks }: Kind): Promise<boolean> {
  const domain = [...webhooks, ...sinceAnHour(), ['verdict', '=', 'rejected']]
  const args = { domain, fields: ['id'], limit: EXPLAINED_MAX }
  for (const { id } of await connection.call<{ id: number }[]>('connect.delivery', 'search_read', args)) {
    if (await isSigned(connection, id)) return true
  }
  return false
}

/** One that is larger than what the log keeps is none of the provider's. */
async function isSigned(connection: Rejected['connection'], id: number): Promise<boolean> {
  try {
    const args = { delivery_id: id }
    return (await connection.call<{ isSigned: boolean }>('connect.settings', 'explain_signature', args)).isSigned
  } catch (error) {
    if (error instanceof ServiceRefusal && error.status < SERVER_FAULTS_FROM) return false
    throw error
  }
}

function countOf({ connection }: Rejected, domain: Domain): Promise<number> {
  return connection.call<number>('connect.delivery', 'search_count', { domain })
}

function sinceAnHour(): Domain {
  return [['received_at', '>=', publishedTime(new Date(Date.now() - REJECTED_MINUTES * MS_PER_MINUTE))]]
}
