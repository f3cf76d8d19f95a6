import { sql } from '../../database/drizzle.ts'
import { Refusal } from '../../errors.ts'
import type { RowOf } from '../../platform/model/model.ts'
import { notifyChanged } from '../../platform/records/notify-changed.ts'
import { isMask, MASK, secretPlace } from '../../platform/secrets/secrets.ts'
import type { Difference, StepContext } from '../../sync/provider.ts'
import { createOrFind, pushRecord, savePushed, unlessMissing } from '../../sync/push.ts'
import { inServiceEnv } from '../../sync/service-env.ts'
import { workOnEach } from '../../sync/work-on-each.ts'
import type { ProviderCredential } from '../client/credential-lists.ts'
import type { domainModel } from '../sip-domains/domain.ts'
import { pushDomain } from '../sip-domains/push-domain.ts'
import { type Push, type PushOutcome, TELCO, type TelcoParts } from '../sync/telco.ts'
import { pbxUserModel } from './phone-user.ts'

const MODEL = pbxUserModel.name

/** What the provider has to know of somebody's SIP phone; the password is encrypted. */
export type StoredPhone = RowOf<typeof pbxUserModel, 'id' | 'username' | 'sid' | 'password'> &
  RowOf<typeof domainModel, 'cred_list_sid'> & { name: string; is_wanted: boolean; domain: number }

const FIND = sql`select u.id, coalesce(u.name, u.username, 'phone user ' || u.id) as name, u.username, u.sid, u.password,
    (u.active is not false and u.sip_enabled is true and coalesce(u.username, '') <> '') as is_wanted,
    d.id as domain, d.cred_list_sid
  from connect_user u join connect_telco_domain d on d.id = u.domain`

/** Gives every SIP phone of the domains its credential, and takes it from those that are none any more. */
export async function syncCredentials(parts: TelcoParts, step: StepContext): Promise<void> {
  const phones = await listPhones(parts)
  const lists = new Set(phones.map((phone) => phone.cred_list_sid).filter((listSid) => listSid !== null))
  await step.progress.count('phones', phones.filter((phone) => phone.is_wanted).length)
  for (const listSid of lists) {
    const known = await parts.account.credentialLists.listCredentials(listSid)
    const ofList = phones.filter((phone) => phone.cred_list_sid === listSid)
    for (const stranger of findStrangers(ofList, known)) await step.progress.difference(stranger)
    await workOnEach(step, {
      model: MODEL,
      targets: ofList,
      work: async ({ id, sid }) => `phones ${await pushCredential(parts, id, { sid, known })}`,
      retry: ({ id }): Push => ({ kind: 'credential', id }),
    })
  }
}

/** Phones that have a credential, or are to have one. */
export async function listPhones({ db }: TelcoParts): Promise<StoredPhone[]> {
  return db.query<StoredPhone>(
    sql`${FIND} where u.sid is not null or (u.active is not false and u.sip_enabled is true) order by u.id`,
  )
}

/** Credentials that may register although they belong to nobody here. */
export function findStrangers(phones: readonly StoredPhone[], known: readonly ProviderCredential[]): Difference[] {
  const strangers = known.filter(
    ({ sid, username }) => !phones.some((phone) => phone.sid === sid || phone.username === username),
  )
  return strangers.map(({ username: name }) => ({
    what: MODEL,
    name,
    message:
      'A phone may register under this name, which no phone user here has. Remove it at Twilio if nobody needs it.',
  }))
}

/**
 * Brings the credential of a SIP phone in sync with ours, and masks its password here once the provider has it; a
 * credential that exists already is imported. What was `listed` counts as long as the phone has the credential that it had
 * before: another push may have made one since. Throws, and saves why.
 */
export async function pushCredential(
  parts: TelcoParts,
  id: number,
  listed?: { sid: string | null; known: readonly ProviderCredential[] },
): Promise<PushOutcome> {
  const found = await findPhone(parts, id)
  // Before the lease, because it takes the domain's.
  if (found?.is_wanted === true && found.cred_list_sid === null) await pushDomain(parts, found.domain)
  return pushRecord(parts, TELCO, {
    model: MODEL,
    what: 'credential',
    id,
    find: async () => {
      const phone = await findPhone(parts, id)
      return phone?.cred_list_sid ? { phone, listSid: phone.cred_list_sid } : undefined
    },
    async push({ phone, listSid }) {
      if (!phone.is_wanted) return remove(parts, phone, listSid)
      const isListed = listed !== undefined && listed.sid === phone.sid
      const known = isListed ? listed.known : await parts.account.credentialLists.listCredentials(listSid)
      return push(parts, phone, { listSid, known })
    },
  })
}

async function findPhone({ db }: TelcoParts, id: number): Promise<StoredPhone | undefined> {
  const [phone] = await db.query<StoredPhone>(sql`${FIND} where u.id = ${id}::bigint`)
  return phone
}

async function push(
  parts: TelcoParts,
  phone: StoredPhone,
  { listSid, known }: { listSid: string; known: readonly ProviderCredential[] },
): Promise<PushOutcome> {
  const { credentialLists } = parts.account
  const password = readPassword(parts, phone)
  const there = findCredential(phone, known)
  if (there === undefined) {
    if (password === undefined) throw new Refusal('refused', 'sip-password-unknown')
    const made = await create(parts, phone, { listSid, password })
    await save(parts, phone, { sid: made.sid, listSid })
    return made.outcome
  }
  if (password !== undefined) await credentialLists.setPassword(listSid, there.sid, password)
  await save(parts, phone, { sid: there.sid, listSid })
  if (there.sid !== phone.sid) return 'adopted'
  return password === undefined ? 'unchanged' : 'updated'
}

function findCredential(
  { sid, username }: StoredPhone,
  known: readonly ProviderCredential[],
): ProviderCredential | undefined {
  return known.find((each) => each.sid === sid) ?? known.find((each) => each.username === username)
}

function placeOf(id: number): string {
  return secretPlace('connect_user', 'password', id)
}

/** The password that the provider has not got yet; undefined when there is none, or its mask stands in its place. */
function readPassword({ platform }: TelcoParts, { id, password }: StoredPhone): string | undefined {
  const plain = password === null || password === '' ? undefined : platform.cipher.decrypt(password, placeOf(id))
  return plain === undefined || plain === '' || isMask(plain) ? undefined : plain
}

async function create(
  { account: { credentialLists } }: TelcoParts,
  phone: StoredPhone,
  { listSid, password }: { listSid: string; password: string },
): Promise<{ sid: string; outcome: PushOutcome }> {
  return createOrFind<{ sid: string; outcome: PushOutcome }>(
    TELCO,
    async () => {
      const credential = { username: phone.username ?? '', password }
      return { sid: await credentialLists.createCredential(listSid, credential), outcome: 'created' }
    },
    async () => {
      const there = findCredential(phone, await credentialLists.listCredentials(listSid))
      if (there === undefined) return undefined
      await credentialLists.setPassword(listSid, there.sid, password)
      return { sid: there.sid, outcome: 'adopted' }
    },
  )
}

/** Takes the credential away: the phone may not register any more, and needs a new password to do so again. */
async function remove(parts: TelcoParts, phone: StoredPhone, listSid: string): Promise<PushOutcome> {
  const { sid, id } = phone
  if (sid === null) return 'unchanged'
  await unlessMissing(TELCO, () => parts.account.credentialLists.deleteCredential(listSid, sid))
  const isKnown = readPassword(parts, phone) === undefined
  await inServiceEnv(parts, async (env) => {
    await env.db.query(
      sql`update connect_user set sid = null, sync_error = null,
            password = case when ${isKnown}::bool and password = ${phone.password} then null else password end
          where id = ${id}::bigint and sid = ${sid}`,
    )
    await notifyChanged(env, MODEL, [id])
  })
  return 'removed'
}

/** Saves the credential's id, and the mask in place of the password that was pushed, unless there is another by now. */
async function save(
  parts: TelcoParts,
  { id, password }: StoredPhone,
  { sid, listSid }: { sid: string; listSid: string },
): Promise<void> {
  const masked = password === null || password === '' ? null : parts.platform.cipher.encrypt(MASK, placeOf(id))
  await savePushed(parts, {
    model: MODEL,
    id,
    set: sql`sid = ${sid}, password = case when password = ${password} then ${masked} else password end`,
    isNotified: true,
    remove: () => unlessMissing(TELCO, () => parts.account.credentialLists.deleteCredential(listSid, sid)),
  })
}
