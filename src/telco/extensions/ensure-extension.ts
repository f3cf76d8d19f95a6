import { type Static, Type } from 'typebox'
import { sql } from '../../database/drizzle.ts'
import { Refusal } from '../../errors.ts'
import type { Env } from '../../platform/access/env.ts'
import { GROUP } from '../../platform/access/identity.ts'
import { method } from '../../platform/model/model.ts'
import { records } from '../../platform/records/records.ts'
import { readMobile } from '../mobiles/mobile-number.ts'
import { givePhone } from '../phone-users/give-phone.ts'
import { speechLanguage } from '../routing/decide/speech.ts'
import { EXTEN_NUMBER_CHARS_MAX } from './extension-number.ts'
import { parseReference } from './extension-target.ts'
import { freeExtension } from './free-extension.ts'

const EXTENSION = 'connect.telco.exten'
const PHONE_USER = 'connect.user'
const FLOW = 'connect.telco.callflow'
const NAME_CHARS_MAX = 100

const Args = Type.Object({
  dst: Type.Optional(Type.String({ maxLength: 100, description: 'What it leads to: "model,id".' })),
  user: Type.Optional(
    Type.Integer({ description: 'A user: one without a phone gets one, with voicemail until a phone rings.' }),
  ),
  mobile: Type.Optional(Type.String({ maxLength: EXTEN_NUMBER_CHARS_MAX, description: 'A mobile that is rung.' })),
  voicemail: Type.Optional(
    Type.String({ minLength: 1, maxLength: NAME_CHARS_MAX, description: 'The name of a new box that takes messages.' }),
  ),
  language: Type.Optional(
    Type.String({
      maxLength: 10,
      description: 'What a new phone or box speaks, such as de-DE. Without it: what callers of the company speak.',
    }),
  ),
})
type Asked = Static<typeof Args>
type Spoken = Omit<Asked, 'language'> & { language: string }

const Made = Type.Object({ model: Type.String(), id: Type.Integer() })

/** Short numbers that are made where one is needed: what already has one keeps it. */
export const ensureExtension = method({
  label: 'Extension of a person, a mobile or a voicemail box',
  operation: 'create',
  groups: [GROUP.connectAdmin],
  args: Args,
  reply: Type.Object({
    extension: Type.Integer(),
    number: Type.String(),
    name: Type.Union([Type.String(), Type.Null()], { description: 'What it leads to, by its name.' }),
    made: Type.Array(Made, {
      description:
        'What was not there before. The phone of a user is removed again with `keeps_groups` in the context, so that they stay in Connect.',
    }),
  }),
  async run(env, _ids, asked) {
    requireOne(asked)
    const own = await findOwn(env, asked)
    if (own !== undefined) return { ...own, made: [] }
    const number = await freeExtension(env)
    const others = await make(
      env,
      { ...asked, language: speechLanguage(asked.language ?? null) ?? env.settings.speechLanguage },
      number,
    )
    const box = others.find(({ model }) => model === FLOW)
    const made = await findOwn(env, box === undefined ? asked : { dst: `${FLOW},${box.id}` })
    if (made === undefined) throw new Error(`extension ${number} was not made`)
    return { ...made, made: [{ model: EXTENSION, id: made.extension }, ...others] }
  },
})

function requireOne({ dst, user, mobile, voicemail }: Asked): void {
  if ([dst, user, mobile, voicemail].filter((each) => each !== undefined).length !== 1) {
    throw new Refusal('refused', 'extension-for-one')
  }
}

/** The extension that is there; a new box has none. */
async function findOwn(env: Env, asked: Asked) {
  const [own] = await env.db.query<{ id: number }>(
    sql`select e.id from connect_telco_exten e where ${conditionOf(env, asked)} order by e.id limit 1`,
  )
  if (own === undefined) return undefined
  const [row] = await records(env, EXTENSION).read([own.id], ['number', 'dst_name'])
  const name = row?.dst_name
  return { extension: own.id, number: String(row?.number), name: typeof name === 'string' ? name : null }
}

function conditionOf(env: Env, { dst, user, mobile }: Asked) {
  const target = parseReference(dst)
  if (target !== undefined) return sql`e.model = ${target.model} and e.res_id = ${target.resId}::bigint`
  if (mobile !== undefined) return sql`e.mobile_number = ${readMobile(env, mobile)}`
  return sql`e.model = ${PHONE_USER} and e.res_id = (select id from connect_user where "user" = ${user ?? 0}::bigint)`
}

/** Makes what is missing; answers what was made beside the extension. */
async function make(env: Env, asked: Spoken, number: string): Promise<Static<typeof Made>[]> {
  const { dst, user, mobile, voicemail, language } = asked
  if (user !== undefined) return giveNumber(env, user, { number, language })
  if (dst !== undefined) await records(env, EXTENSION).create([{ number, dst }])
  if (mobile !== undefined) await records(env, EXTENSION).create([{ number, mobile_number: mobile }])
  if (voicemail !== undefined) return makeBox(env, voicemail, { number, language })
  return []
}

interface Given {
  number: string
  language: string
}

async function giveNumber(env: Env, user: number, { number, language }: Given): Promise<Static<typeof Made>[]> {
  const phones = records(env, PHONE_USER)
  const [phone] = await phones.search([['user', '=', user]])
  if (phone !== undefined) {
    await phones.write([phone], { telco_exten_number: number })
    return []
  }
  await givePhone(env, user, number, language)
  const made = await phones.search([['user', '=', user]])
  // Callers who reach nobody leave a message, also while no phone rings yet.
  await phones.write(made, { voicemail_enabled: true })
  return made.map((id) => ({ model: PHONE_USER, id }))
}

/** A flow that asks nothing and rings nobody: it takes a message. */
async function makeBox(env: Env, name: string, { number, language }: Given): Promise<Static<typeof Made>[]> {
  const values = { name, language, prompt_message: null, voicemail_enabled: true, exten_number: number }
  const boxes = await records(env, FLOW).create([values])
  return boxes.map((id) => ({ model: FLOW, id }))
}
