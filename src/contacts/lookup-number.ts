import { type Static, Type } from 'typebox'
import { Refusal } from '../errors.ts'
import { formsOfSubscriber } from '../number-plans.ts'
import { ADDRESS_CHARS_MAX, toContactKey } from '../phone.ts'
import type { Env } from '../platform/access/env.ts'
import { method } from '../platform/model/model.ts'
import type { Domain } from '../platform/records/domain-syntax.ts'
import { records } from '../platform/records/records.ts'
import { readWritten } from '../written-number.ts'
import { findContactByNumber } from './find-by-number.ts'

const MATCHES_MAX = 50
/** Fewer digits are in nearly every number. */
const PART_DIGITS_MIN = 4
const FIELDS = ['name', 'phone', 'mobile', 'phone_normalized', 'mobile_normalized', 'email', 'parent_id']

const Args = Type.Object({
  number: Type.String({
    minLength: 1,
    maxLength: ADDRESS_CHARS_MAX,
    description: 'A phone number in any written form, or the id of a WhatsApp user who shows none.',
  }),
})

/**
 * The contacts with a number, as people look for them: `contact` is the one that a call of that number is shown as, null
 * when there is none or several companies share it; `matches` are all of them. With "number_search_operation" `like`,
 * part of a number is enough for `matches`.
 */
export const lookupNumber = method({
  label: 'Look up a contact by number',
  operation: 'read',
  args: Args,
  reply: Type.Object({
    contact: Type.Union([Type.Integer(), Type.Null()]),
    matches: Type.Array(Type.Object({ id: Type.Integer() }, { additionalProperties: true })),
  }),
  run: (env, _ids, args) => lookUp(env, args),
})

async function lookUp(
  env: Env,
  { number }: Static<typeof Args>,
): Promise<{ contact: number | null; matches: object[] }> {
  const { country, searchesPartsOfNumbers } = env.settings
  const key = toContactKey(number, country)
  const digits = readWritten(number).text.replaceAll(/\D/g, '').replace(/^0+/, '')
  // The digits of an id are no part of a number.
  const isId = key !== undefined && !key.startsWith('+')
  const isPart = searchesPartsOfNumbers && !isId && digits.length >= PART_DIGITS_MIN
  if (key === undefined && !isPart) throw new Refusal('refused', 'not-phone-number', { number })
  const forms = key === undefined ? [] : formsOfSubscriber(key)
  const whole: Domain = ['|', ['phone_normalized', 'in', forms], ['mobile_normalized', 'in', forms]]
  const part: Domain = ['|', ['phone_normalized', 'like', digits], ['mobile_normalized', 'like', digits]]
  const partners = records(env, 'res.partner')
  const found = await partners.search(isPart ? ['|', ...whole, ...part] : whole, { limit: MATCHES_MAX, order: 'id' })
  const matches = await partners.read(found, FIELDS)
  const contact = await findContactByNumber(env.db, key, country)
  const isReadable =
    contact !== undefined && (await partners.search([['id', '=', contact.id]], { limit: 1 })).length > 0
  return { contact: isReadable ? contact.id : null, matches }
}
