import { sql } from '../../database/drizzle.ts'
import { Refusal } from '../../errors.ts'
import { records } from '../../platform/records/records.ts'
import { sayRefusal } from '../../refusals.ts'
import { type Difference, differing, type StepContext } from '../../sync/provider.ts'
import { pushRecord, saveSyncError } from '../../sync/push.ts'
import { removeGone } from '../../sync/remove-gone.ts'
import { inServiceEnv } from '../../sync/service-env.ts'
import { fittingTexts, listStored } from '../../sync/stored-records.ts'
import { workOnEach } from '../../sync/work-on-each.ts'
import type { ProviderSender, SenderConfig } from '../client/senders.ts'
import { defaultApplication } from '../sip-domains/domain.ts'
import { doubted, GONE, notHere } from '../sync/problems.ts'
import { type PushOutcome, TELCO, type TelcoParts } from '../sync/telco.ts'
import { stateProblem } from './sync-templates.ts'
import { whatsappSenderModel } from './whatsapp-sender.ts'

const MODEL = whatsappSenderModel.name
/** Senders that the provider is still setting up take no changes. */
const UNFINISHED = new Set(['CREATING', 'DRAFT', 'STUBBED', 'PENDING_VERIFICATION', 'VERIFYING', 'TWILIO_REVIEW'])

type StoredSender = Awaited<ReturnType<typeof listSenders>>[number]

/** Has every WhatsApp sender of the account here, each leading to this service unless it is to be left alone. */
export async function syncSenders(parts: TelcoParts, step: StepContext): Promise<void> {
  const found = await parts.account.senders.list()
  await step.progress.count('total', found.length)
  const before = await listSenders(parts)
  await workOnEach(step, {
    model: MODEL,
    targets: found.map((sender) => {
      const same = findSame(before, sender)
      return { sender, same, id: same?.id, name: sender.number }
    }),
    async work({ sender, same }) {
      if (same?.no_sync === true) return 'ignored'
      const id = await upsertSender(parts, same, sender)
      const outcome = await pushSender(parts, id, sender)
      return same === undefined ? 'created' : outcome
    },
  })
  const known = before.filter((each) => each.sid !== null && each.no_sync !== true)
  const sids = new Set(found.map((sender) => sender.sid))
  const numbers = new Set(found.map((sender) => sender.number))
  const gone = known.filter((each) => !sids.has(each.sid ?? '') && !numbers.has(each.number))
  await removeGone(parts, step, {
    model: MODEL,
    found: found.length,
    known: known.length,
    gone: gone.map(({ id, number }) => ({ id, name: number })),
    doubt: doubted('WhatsApp senders'),
    ...GONE,
  })
}

function findSame(stored: readonly StoredSender[], { sid, number }: ProviderSender): StoredSender | undefined {
  return stored.find((each) => each.sid === sid) ?? stored.find((each) => each.number === number)
}

export async function compareSenders(parts: TelcoParts): Promise<Difference[]> {
  const found = await parts.account.senders.list()
  const stored = await listSenders(parts)
  const differences: Difference[] = []
  for (const sender of stored.filter((each) => each.no_sync !== true)) {
    const there = found.find((each) => each.sid === sender.sid)
    const problem =
      there === undefined
        ? sayRefusal('sender-not-at-provider').message
        : addressProblem(await configOf(parts, sender), there)
    const subject = { what: MODEL, id: sender.id, name: sender.number }
    differences.push(...differing(subject, problem ?? stateProblem(sender.status, there?.status)))
  }
  return [...differences, ...notHere(MODEL, found, { stored, nameOf: ({ number }) => number })]
}

function listSenders(parts: TelcoParts, id?: number) {
  const fields = {
    columns: ['id', 'number', 'sid', 'no_sync', 'status'],
    addresses: ['callback_url', 'status_callback_url'],
  } as const
  return listStored(parts, whatsappSenderModel, fields, id)
}

/**
 * Brings the provider's sender in sync with ours, and only when it differs: every change takes the sender off the line for
 * a moment. Throws, and saves why.
 */
export function pushSender(parts: TelcoParts, id: number, known?: ProviderSender): Promise<PushOutcome | 'waiting'> {
  return pushRecord<StoredSender, PushOutcome | 'waiting'>(parts, TELCO, {
    model: MODEL,
    what: 'sender',
    id,
    find: async () => (await listSenders(parts, id)).find((sender) => sender.no_sync !== true),
    async push(stored) {
      const there = known ?? (await findAtProvider(parts, stored))
      if (UNFINISHED.has(there.status)) return 'waiting'
      const config = await configOf(parts, stored)
      const isSame = addressProblem(config, there) === undefined
      if (!isSame) await parts.account.senders.update(there.sid, config)
      await saveSyncError(parts, { model: MODEL, id }, null)
      return isSame ? 'unchanged' : 'updated'
    },
  })
}

async function findAtProvider({ account }: TelcoParts, { sid }: StoredSender): Promise<ProviderSender> {
  const there = (await account.senders.list()).find((each) => each.sid === sid)
  if (there === undefined) throw new Refusal('not-found', 'sender-not-at-provider')
  return there
}

function addressProblem(config: SenderConfig, there: ProviderSender): string | undefined {
  if (there.messageUrl !== config.messageUrl) return 'Twilio has another address for its messages.'
  if (there.statusUrl !== config.statusUrl) return 'Twilio has another address for message events.'
  const isOther = config.applicationSid !== undefined && there.applicationSid !== config.applicationSid
  return isOther ? 'Another application answers its calls.' : undefined
}

async function configOf({ db }: TelcoParts, stored: StoredSender): Promise<SenderConfig> {
  const [application] = await db.query<{ sid: string | null }>(
    sql`select m.sid from connect_whatsapp_sender s join connect_telco_markup m on m.id = s.voice_application
        where s.id = ${stored.id}::bigint`,
  )
  return {
    messageUrl: stored.callback_url ?? '',
    statusUrl: stored.status_callback_url ?? '',
    applicationSid: application?.sid ?? undefined,
  }
}

/** Saves what the provider says of a sender; the id of its record. */
async function upsertSender(parts: TelcoParts, same: StoredSender | undefined, sender: ProviderSender) {
  const said = fittingTexts(whatsappSenderModel, {
    status: sender.status,
    url: sender.address,
    offline_reasons: sender.offlineReasons,
    ...sender.profile,
    messaging_limit: sender.messagingLimit,
    quality_rating: sender.qualityRating,
  })
  const values = { number: sender.number, sid: sender.sid, ...said }
  return inServiceEnv(parts, async (env) => {
    const senders = records(env, MODEL)
    const [before] = same === undefined ? [] : await senders.read([same.id], ['voice_application'])
    const application = before?.voice_application ? {} : { voice_application: await defaultApplication(env) }
    if (same !== undefined) {
      await senders.write([same.id], { ...values, ...application })
      return same.id
    }
    const [id] = await senders.create([{ ...values, ...application }])
    if (id === undefined) throw new Error('the sender was not created')
    return id
  })
}
