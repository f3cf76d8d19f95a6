import { type Static, Type } from 'typebox'
import { ADDRESS_CHARS_MAX, formsOf, NUMBER_FORMS, toContactKey, zoneOfNumber } from '../phone.ts'
import type { Env } from '../platform/access/env.ts'
import { method } from '../platform/model/model.ts'
import { records } from '../platform/records/records.ts'
import { explainMatch, MATCH_RULES } from './find-by-number.ts'

const FIELDS = ['name', 'phone', 'mobile', 'parent_id', 'is_company', 'create_date', 'is_staff']

const Args = Type.Object({
  number: Type.String({
    minLength: 1,
    maxLength: ADDRESS_CHARS_MAX,
    description: 'A phone number as it was dialled or written, or the id of a WhatsApp user who shows none.',
  }),
})

const Reply = Type.Object({
  e164: Type.Union([Type.String(), Type.Null()]),
  tz: Type.Union([Type.String(), Type.Null()]),
  match: Type.Union([Type.Integer(), Type.Null()]),
  candidates: Type.Array(Type.Object({ id: Type.Integer() })),
  forms_tried: Type.Array(
    Type.Object({
      form: Type.Union(NUMBER_FORMS.map((form) => Type.Literal(form))),
      e164: Type.Union([Type.String(), Type.Null()]),
    }),
  ),
  rule: Type.Union(MATCH_RULES.map((rule) => Type.Literal(rule))),
})

/** Who calls from a number, and why: by the code that answers calls. Contacts that one may not see are not named. */
export const lookup = method({
  label: 'Who calls from this number',
  operation: 'read',
  args: Args,
  reply: Reply,
  run: (env, _ids, args) => explain(env, args),
})

async function explain(env: Env, { number }: Static<typeof Args>): Promise<object> {
  const { country } = env.settings
  const key = toContactKey(number, country)
  const e164 = key?.startsWith('+') === true ? key : null
  const forms = formsOf(number, country)
  if (key === undefined) {
    return { e164: null, tz: null, match: null, candidates: [], forms_tried: forms, rule: 'nobody' }
  }
  const { contact, rule, candidates } = await explainMatch(env.db, key)
  const partners = records(env, 'res.partner')
  const ids = candidates.map(({ id }) => id)
  const shown = ids.length === 0 ? [] : await partners.search([['id', 'in', ids]], { order: 'id' })
  const isShown = contact !== undefined && (await partners.search([['id', '=', contact.id]], { limit: 1 })).length > 0
  return {
    e164,
    tz: (isShown ? contact.tz : null) ?? zoneOfNumber(key) ?? null,
    match: isShown ? contact.id : null,
    candidates: await partners.read(shown, FIELDS),
    forms_tried: forms,
    rule,
  }
}
