import { sql } from '../../database/drizzle.ts'
import { Refusal } from '../../errors.ts'
import { records } from '../../platform/records/records.ts'
import { Resource } from '../../sync/resource.ts'
import { inServiceEnv } from '../../sync/service-env.ts'
import { listStored } from '../../sync/stored-records.ts'
import type { NumberConfig, ProviderNumber } from '../client/incoming-numbers.ts'
import { callsProblem, doubted, GONE, notHere } from '../sync/problems.ts'
import { TELCO, type TelcoParts } from '../sync/telco.ts'
import { numberModel } from './number.ts'
import { handleInRegion } from './number-region.ts'
import { isMisread } from './own-number.ts'

const MODEL = numberModel.name
/** The provider's limit for names of numbers. */
const NAME_CHARS_MAX = 64

type StoredNumber = Awaited<ReturnType<typeof listNumbers>>[number]

interface PhoneNumber {
  stored: StoredNumber
  wanted: NumberConfig
  there: ProviderNumber
  gone: never
}

/** Every number of the account, each leading to this service unless it is ignored; those that are gone go. */
export const numberResource = new Resource<TelcoParts, 'number', PhoneNumber>(TELCO, {
  kind: 'number',
  model: numberModel,
  step: 'numbers',
  // Also when somebody only saves it again: the provider is to lead its calls here.
  pushedOn: ({ values }) => values.is_ignored !== true,
  list: listNumbers,
  nameOf: ({ phone_number: number }) => number,
  uidOf: ({ sid }) => sid,
  wanted: (_parts, stored) => configOf(stored),
  actual: ({ account }) => account.numbers.list(),
  match: ({ sid }, actual) => actual.find((each) => each.sid === sid),
  async find({ account }, { phone_number: number }) {
    return (await account.numbers.list({ number })).find((each) => each.number === number)
  },
  idThere: ({ sid }) => sid,
  problem: addressProblem,
  drift: {
    absent: () => new Refusal('not-found', 'number-not-at-provider'),
    also: (_parts, _stored, { there, problem }) => trunkProblem(there)?.message ?? problem,
    strangers: (found, stored) => notHere(MODEL, found, { stored, nameOf: ({ number }) => number }),
  },
  blocked: ({ is_ignored: isIgnored }) => (isIgnored === true ? 'ignored' : undefined),
  update: ({ account }, { uid }, wanted) => account.numbers.update(uid, wanted),
  async settle(parts, there, { telcoRegion }) {
    const isMoved = await handleInRegion(parts, there.number, telcoRegion)
    const problem = trunkProblem(there)
    if (problem !== undefined) throw problem
    return isMoved
  },
  saved: (stored, { uid }) => ({ set: sql`sid = ${uid}`, isNotified: uid !== stored.sid }),
  mirror: {
    takes: 'new',
    nameThere: ({ number }) => number,
    same: ({ sid }, stored) => stored.find((each) => each.sid === sid),
    take: takeOver,
    gone: { ...GONE, doubt: doubted('numbers') },
  },
})

function listNumbers(parts: TelcoParts, id?: number) {
  const fields = {
    columns: ['id', 'phone_number', 'friendly_name', 'sid', 'is_ignored'],
    addresses: ['voice_url', 'voice_status_url', 'voice_fallback_url', 'message_url', 'message_fallback_url'],
  } as const
  return listStored(parts, numberModel, fields, id)
}

/** Calls of a number on a trunk do not come here, whatever its addresses say. */
function trunkProblem({ trunkSid: trunk }: ProviderNumber): Refusal | undefined {
  return trunk === undefined ? undefined : new Refusal('conflict', 'number-on-trunk', { trunk })
}

function addressProblem(wanted: NumberConfig, there: ProviderNumber): string | undefined {
  if (there.voiceApplicationSid !== undefined) return 'An application answers its calls in place of this service.'
  if (there.messageApplicationSid !== undefined) return 'An application gets its messages in place of this service.'
  const problem = callsProblem(there, wanted)
  if (problem !== undefined) return problem
  const isSame = there.messageUrl === wanted.messageUrl && there.messageFallbackUrl === wanted.messageFallbackUrl
  return isSame ? undefined : 'Twilio has another address for its messages.'
}

function configOf(stored: StoredNumber): NumberConfig {
  return {
    name: stored.friendly_name?.slice(0, NAME_CHARS_MAX).toWellFormed() || undefined,
    voiceUrl: stored.voice_url ?? '',
    fallbackUrl: stored.voice_fallback_url ?? undefined,
    statusUrl: stored.voice_status_url ?? '',
    messageUrl: stored.message_url ?? undefined,
    messageFallbackUrl: stored.message_fallback_url ?? undefined,
  }
}

/** Links a number that was entered by hand, or that came back under another id; else creates it. */
async function takeOver(
  parts: TelcoParts,
  { sid, number, name }: ProviderNumber,
  stored: readonly StoredNumber[],
): Promise<{ id: number | undefined; outcome: 'linked' | 'created' }> {
  return inServiceEnv(parts, async (env) => {
    const isUnknown = (each: StoredNumber) =>
      each.sid === null && isMisread(each.phone_number, number, env.settings.country)
    const same = stored.find((each) => each.phone_number === number) ?? stored.find(isUnknown)
    if (same !== undefined) {
      await records(env, MODEL).write([same.id], { sid, phone_number: number })
      return { id: same.id, outcome: 'linked' }
    }
    const [id] = await records(env, MODEL).create([{ phone_number: number, friendly_name: name, sid }])
    return { id, outcome: 'created' }
  })
}
