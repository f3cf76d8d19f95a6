import { sql } from '../../database/drizzle.ts'
import { Refusal } from '../../errors.ts'
import { records } from '../../platform/records/records.ts'
import { touches } from '../../sync/requests.ts'
import { Resource } from '../../sync/resource.ts'
import { inServiceEnv } from '../../sync/service-env.ts'
import { fittingTexts, listStored } from '../../sync/stored-records.ts'
import type { ProviderSender, SenderConfig } from '../client/senders.ts'
import { defaultApplication } from '../sip-domains/domain.ts'
import { doubted, GONE, notHere } from '../sync/problems.ts'
import { outsideMessageRegion } from '../sync/readiness.ts'
import { TELCO, type TelcoParts } from '../sync/telco.ts'
import { stateProblem } from './template-resource.ts'
import { whatsappSenderModel } from './whatsapp-sender.ts'

const MODEL = whatsappSenderModel.name
/** Senders that the provider is still setting up take no changes. */
const UNFINISHED = new Set(['CREATING', 'DRAFT', 'STUBBED', 'PENDING_VERIFICATION', 'VERIFYING', 'TWILIO_REVIEW'])

type StoredSender = Awaited<ReturnType<typeof listSenders>>[number]

interface Sender {
  stored: StoredSender
  wanted: SenderConfig
  there: ProviderSender
  gone: never
}

/**
 * Every WhatsApp sender of the account, each leading to this service unless it is to be left alone. It is changed only when
 * it differs: every change takes the sender off the line for a moment.
 */
export const senderResource = new Resource<TelcoParts, 'sender', Sender>(TELCO, {
  kind: 'sender',
  model: whatsappSenderModel,
  step: 'WhatsApp senders',
  // A new one is the provider's, unless somebody says more of it.
  pushedOn: ({ values }) => touches(values, ['voice_application', 'no_sync']),
  skips: outsideMessageRegion,
  list: listSenders,
  nameOf: ({ number }) => number,
  uidOf: ({ sid }) => sid,
  wanted: configOf,
  actual: ({ account }) => account.senders.list(),
  match: findBySid,
  find: async ({ account }, stored) => findBySid(stored, await account.senders.list()),
  idThere: ({ sid }) => sid,
  problem: addressProblem,
  drift: {
    absent: () => new Refusal('not-found', 'sender-not-at-provider'),
    also: (_parts, { status }, { there, problem }) => problem ?? stateProblem(status, there.status),
    strangers: (found, stored) => notHere(MODEL, found, { stored, nameOf: ({ number }) => number }),
  },
  blocked({ no_sync: isLeftAlone }, there) {
    if (isLeftAlone === true) return 'ignored'
    return there !== undefined && UNFINISHED.has(there.status) ? 'waiting' : undefined
  },
  update: ({ account }, { uid }, wanted) => account.senders.update(uid, wanted),
  mirror: {
    takes: 'all',
    nameThere: ({ number }) => number,
    same: findSame,
    take: takeOver,
    isKnown: ({ no_sync: isLeftAlone }) => isLeftAlone !== true,
    gone: { ...GONE, doubt: doubted('WhatsApp senders') },
  },
})

function findBySid({ sid }: StoredSender, actual: readonly ProviderSender[]): ProviderSender | undefined {
  return actual.find((each) => each.sid === sid)
}

function findSame({ sid, number }: ProviderSender, stored: readonly StoredSender[]): StoredSender | undefined {
  return stored.find((each) => each.sid === sid) ?? stored.find((each) => each.number === number)
}

function listSenders(parts: TelcoParts, id?: number) {
  const fields = {
    columns: ['id', 'number', 'sid', 'no_sync', 'status'],
    addresses: ['callback_url', 'status_callback_url'],
  } as const
  return listStored(parts, whatsappSenderModel, fields, id)
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

/** Saves what the provider says of a sender. */
async function takeOver(
  parts: TelcoParts,
  sender: ProviderSender,
  stored: readonly StoredSender[],
): Promise<{ id: number; outcome: 'updated' | 'created' }> {
  const same = findSame(sender, stored)
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
      return { id: same.id, outcome: 'updated' }
    }
    const [id] = await senders.create([{ ...values, ...application }])
    if (id === undefined) throw new Error('the sender was not created')
    return { id, outcome: 'created' }
  })
}
