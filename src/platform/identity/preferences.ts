import { type Static, Type } from 'typebox'
import { sql } from '../../database/drizzle.ts'
import { Refusal } from '../../errors.ts'
import { type Env, elevated } from '../access/env.ts'
import { method } from '../model/model.ts'
import { records } from '../records/records.ts'

const TEXT_CHARS_MAX = 200
/** What a page puts down for somebody, as JSON. */
const PREFERENCES_CHARS_MAX = 8_192

const Text = Type.Optional(Type.Union([Type.String({ maxLength: TEXT_CHARS_MAX }), Type.Null()]))
const Preferences = Type.Object({
  name: Type.Optional(Type.String({ minLength: 1, maxLength: TEXT_CHARS_MAX })),
  tz: Text,
  lang: Text,
  preferences: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
})

/**
 * `res.users/set_preferences {name?, tz?, lang?, preferences?}` writes one's own, with no right on users: what is left out
 * stays, `preferences` take the place of those before.
 */
export const setPreferences = method({
  label: 'Set my preferences',
  operation: 'any',
  isAudited: true,
  args: Preferences,
  reply: Type.Object({ id: Type.Integer() }),
  async run(env, _ids, given) {
    await save(env, given)
    return { id: env.identity.userId }
  },
})

async function save(env: Env, { name, tz, lang, preferences }: Static<typeof Preferences>): Promise<void> {
  const { userId, partnerId } = env.identity
  if (lang) await requireLanguage(env, lang)
  // Elevated: these are their own, and nothing else is written.
  const own = elevated(env)
  if (name !== undefined) await records(own, 'res.users').write([userId], { name })
  const place = { ...(tz === undefined ? {} : { tz }), ...(lang === undefined ? {} : { lang }) }
  if (partnerId !== undefined && Object.keys(place).length > 0) {
    await records(own, 'res.partner').write([partnerId], place)
  }
  if (preferences === undefined) return
  const text = JSON.stringify(preferences)
  if (text.length > PREFERENCES_CHARS_MAX) {
    throw new Refusal('refused', 'preferences-too-long', { chars: PREFERENCES_CHARS_MAX })
  }
  await env.db.query(sql`update res_users set preferences = ${text}::jsonb where id = ${userId}::bigint`)
}

async function requireLanguage({ db }: Env, code: string): Promise<void> {
  const known = await db.query(sql`select 1 from res_lang where code = ${code}`)
  if (known.length === 0) throw new Refusal('refused', 'unknown-language', { lang: code })
}
