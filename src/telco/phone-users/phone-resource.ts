import { sql } from '../../database/drizzle.ts'
import { idList } from '../../database/ids.ts'
import { Refusal } from '../../errors.ts'
import type { Env } from '../../platform/access/env.ts'
import type { Change } from '../../platform/model/model.ts'
import { isMask, MASK, secretPlace } from '../../platform/secrets/secrets.ts'
import type { StepContext } from '../../sync/provider.ts'
import { touches } from '../../sync/requests.ts'
import { Resource } from '../../sync/resource.ts'
import type { ProviderCredential } from '../client/credential-lists.ts'
import { domainResource } from '../sip-domains/domain-resource.ts'
import { NOT_THERE } from '../sync/problems.ts'
import { TELCO, type TelcoParts } from '../sync/telco.ts'
import { pbxUserModel } from './phone-user.ts'
import { findPhone, findStrangers, listPhones, type StoredPhone } from './stored-phones.ts'

/** A phone of a domain that has its list of credentials. */
type ListedPhone = StoredPhone & { cred_list_sid: string }

interface Phone {
  stored: ListedPhone
  /** The password that the provider has not got yet. */
  wanted: { username: string; password: string | undefined }
  there: ProviderCredential
  gone: { sid: string; listSid: string }
}

/**
 * The credentials of SIP phones: those of phones that are none any more go, one that exists already is imported. A password
 * is masked here once the provider has it. They stand in the lists of their domains, which compare them.
 */
export const phoneResource = new Resource<TelcoParts, 'credential', Phone>(TELCO, {
  kind: 'credential',
  model: pbxUserModel,
  step: 'SIP domains',
  pushedOn: isChanged,
  async list(parts, id) {
    const phones = id === undefined ? await listPhones(parts) : [await findPhone(parts, id)]
    return phones.filter((phone) => phone !== undefined).filter(isListed)
  },
  nameOf: ({ name }) => name,
  uidOf: ({ sid }) => sid,
  wanted: (parts, phone) => ({ username: phone.username ?? '', password: readPassword(parts, phone) }),
  actual: ({ account }, list = '') => account.credentialLists.listCredentials(list),
  match: findCredential,
  find: async (parts, phone) => findCredential(phone, await credentialsBeside(parts, phone)),
  idThere: ({ sid }) => sid,
  problem: ({ password }) => (password === undefined ? undefined : 'It has another password.'),
  drift: { absent: () => NOT_THERE },
  async needs(parts, id) {
    const phone = await findPhone(parts, id)
    if (phone?.is_wanted === true && phone.cred_list_sid === null) await domainResource.push(parts, phone.domain)
  },
  async create({ account }, { username, password }, { cred_list_sid: listSid }) {
    if (password === undefined) throw new Refusal('refused', 'sip-password-unknown')
    return { uid: await account.credentialLists.createCredential(listSid, { username, password }) }
  },
  async findMade(parts, { password }, phone) {
    const there = findCredential(phone, await credentialsBeside(parts, phone))
    if (there === undefined) return undefined
    await setPassword(parts, phone, { sid: there.sid, password })
    return { uid: there.sid }
  },
  update: (parts, { uid: sid }, { password }, phone) => setPassword(parts, phone, { sid, password }),
  saved: ({ id, password }, { uid }, { parts }) => {
    const masked = password === null || password === '' ? null : parts.platform.cipher.encrypt(MASK, placeOf(id))
    return {
      // Unless there is another password by now.
      set: sql`sid = ${uid}, password = case when password = ${password} then ${masked} else password end`,
      isNotified: true,
    }
  },
  removal: {
    of: ({ cred_list_sid: listSid }, { uid: sid }) => ({ sid, listSid }),
    read: readGone,
    remove: ({ account }, { sid, listSid }) => account.credentialLists.deleteCredential(listSid, sid),
    isDue: ({ is_wanted: isWanted }) => !isWanted,
    // To register again, the phone needs a new password: nobody knows one that was masked.
    cleared(parts, phone) {
      const isKnown = readPassword(parts, phone) === undefined
      return sql`sid = null,
        password = case when ${isKnown}::bool and password = ${phone.password} then null else password end`
    },
  },
})

/** Its password above all, where it is not the mask of the one that the provider has. */
function isChanged({ values, isNew }: Change): boolean {
  if (isNew) return values.sip_enabled === true
  const { password } = values
  const isPassword = typeof password === 'string' && password !== '' && !isMask(password)
  return isPassword || touches(values, ['sip_enabled', 'username', 'domain', 'active'])
}

/** What lets the SIP phones of users register. */
function readGone({ db }: Env, ids: readonly number[]): Promise<Phone['gone'][]> {
  return db.query(
    sql`select u.sid, d.cred_list_sid as "listSid" from connect_user u join connect_telco_domain d on d.id = u.domain
        where u.id in (${idList(ids)}) and u.sid is not null and d.cred_list_sid is not null order by u.id`,
  )
}

/** Gives every SIP phone of the domains its credential, and takes it from those that are none any more. */
export async function syncPhones(parts: TelcoParts, step: StepContext): Promise<void> {
  const phones = await listPhones(parts)
  await step.progress.count('phones', phones.filter((phone) => phone.is_wanted).length)
  const listed = phones.filter(isListed)
  for (const listSid of new Set(listed.map((phone) => phone.cred_list_sid))) {
    const actual = await parts.account.credentialLists.listCredentials(listSid)
    const targets = listed.filter((phone) => phone.cred_list_sid === listSid)
    for (const stranger of findStrangers(targets, actual)) await step.progress.difference(stranger)
    await phoneResource.pushEach(parts, step, { targets, actual, counted: (outcome) => `phones ${outcome}` })
  }
}

function isListed(phone: StoredPhone): phone is ListedPhone {
  return phone.cred_list_sid !== null
}

function credentialsBeside({ account }: TelcoParts, { cred_list_sid: listSid }: ListedPhone) {
  return account.credentialLists.listCredentials(listSid)
}

async function setPassword(
  { account }: TelcoParts,
  { cred_list_sid: listSid }: ListedPhone,
  { sid, password }: { sid: string; password: string | undefined },
): Promise<void> {
  if (password !== undefined) await account.credentialLists.setPassword(listSid, sid, password)
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
