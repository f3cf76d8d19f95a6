import { type Static, Type } from 'typebox'
import { sql } from '../../../database/drizzle.ts'
import { GENERATED_SPEECH, VOICE_AGENTS } from '../../../directory/voiceai.ts'
import { Refusal } from '../../../errors.ts'
import { toE164 } from '../../../phone.ts'
import { type Env, elevated, type OpenEnv } from '../../../platform/access/env.ts'
import { GROUP } from '../../../platform/access/identity.ts'
import { outsideMethod } from '../../../platform/model/model.ts'
import { records } from '../../../platform/records/records.ts'
import { speechIdOf } from '../../../ports/speech-address.ts'
import { parseZone, publishedTime, spokenTime } from '../../../time.ts'
import { answerUnverified } from '../../webhooks/answer-unverified.ts'
import { loadDialPlan } from '../load-dial-plan.ts'
import { type FarEnd, type Input, legFields, ownTarget, playCall, type Step, WEBHOOKS } from './caller-line.ts'
import { readAskedMoment } from './moment.ts'

/** From a range that no telephone has (North American numbers 555-0100 to 555-0199). */
const CALLER_DEFAULT = '+14155550199'
const INPUTS_MAX = 50
const TEXT_CHARS_MAX = 200
const NUMBERS_NAMED_MAX = 20

const Text = Type.String({ minLength: 1, maxLength: TEXT_CHARS_MAX })
const NUMBER = 'connect.telco.number'
const HOURS = 'connect.telco.business_hours'

/** What of a record of the model may be tried before it is saved, and which number is called where none is named. */
const argsOf = (model: typeof NUMBER | typeof HOURS) =>
  Type.Object({
    to: Type.Optional(
      Type.Union([Text, Type.Null()], {
        description:
          model === NUMBER ? 'Leave empty for this number.' : 'Leave empty for the first number with these hours.',
      }),
    ),
    from: Type.Optional(
      Type.Union([Text, Type.Null()], {
        description: `The caller's number. Leave empty for ${CALLER_DEFAULT}, which is unknown.`,
      }),
    ),
    at: Type.Optional(
      Type.Union([Text, Type.Null()], {
        description: 'Such as “sunday 03:00” or “2026-11-22 03:00”. Leave empty for now.',
      }),
    ),
    inputs: Type.Optional(
      Type.Array(
        Type.Union([Type.Object({ press: Type.String({ pattern: '^[0-9*#]{1,64}$' }) }), Type.Object({ say: Text })]),
        {
          maxItems: INPUTS_MAX,
          description:
            'What the caller presses or says, such as “1, support”. Programs send [{"press": "1"}, {"say": "support"}].',
        },
      ),
    ),
    unsaved: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description: 'Values of the record that are tried as if they were saved.',
      }),
    ),
  })

interface Rehearsal {
  readonly from: string
  readonly to: string
  /** When it is for the call, to be read out. */
  readonly at: string
  /** The same for programs: in UTC, and the zone of the number's clock. */
  readonly moment: string
  readonly zone: string
  readonly steps: readonly Step[]
}

/**
 * Calls one of our own numbers as it is configured here, and answers what the caller hears. The webhooks are the real ones,
 * in one transaction that is taken back: no row is left, and no provider is asked.
 */
export const rehearseMethod = rehearsalOf(NUMBER)

/** The same of a number that is open during the hours. */
export const rehearseHoursMethod = rehearsalOf(HOURS)

function rehearsalOf(model: typeof NUMBER | typeof HOURS) {
  return outsideMethod({
    label: 'Try a call',
    reply: Type.Object({
      from: Type.String(),
      to: Type.String(),
      at: Type.String(),
      moment: Type.String({ description: 'In UTC.' }),
      zone: Type.String({ description: 'Whose clock “at” is told by.' }),
      steps: Type.Array(Type.Object({ what: Type.String(), detail: Type.String() })),
    }),
    operation: 'read',
    groups: [GROUP.connectAdmin],
    args: argsOf(model),
    async runOutside(open, ids, args) {
      try {
        return await open(async (env): Promise<never> => {
          throw new TakenBack(await rehearse(env, { model, ids }, args))
        })
      } catch (thrown) {
        if (thrown instanceof TakenBack) return thrown.rehearsal
        throw thrown
      }
    },
  })
}

/** Ends the transaction without a trace, and carries out what was heard in it. */
class TakenBack extends Error {
  override readonly name = 'TakenBack'
  readonly rehearsal: Rehearsal

  constructor(rehearsal: Rehearsal) {
    super('the rehearsal is over')
    this.rehearsal = rehearsal
  }
}

interface Tried {
  readonly model: typeof NUMBER | typeof HOURS
  readonly ids: readonly number[]
}

async function rehearse(env: Env, { model, ids }: Tried, args: Static<ReturnType<typeof argsOf>>): Promise<Rehearsal> {
  const { country } = env.settings
  // Taken back with everything else.
  if (args.unsaved !== undefined) await records(env, model).write(ids, args.unsaved)
  const called = args.to ?? (await (model === HOURS ? numberDuring(env, ids) : numberOf(env, ids)))
  const to = toE164(called, country) ?? called.replaceAll(/[\s().-]/g, '')
  const number = (await loadDialPlan(env.db)).numbers.get(to)
  if (number === undefined) throw await unknownNumber(env, to)
  const zone = parseZone(number.hours?.zone ?? '') ?? parseZone(env.settings.zone ?? '') ?? 'UTC'
  const now = Temporal.Instant.fromEpochMilliseconds(env.now.getTime()).toZonedDateTimeISO(zone)
  const at = args.at ? readAskedMoment(args.at, { zone, now: env.now }) : now
  const from = readCaller(args.from ?? CALLER_DEFAULT, country)
  // Elevated as the webhooks are: what a caller hears does not depend on who asks.
  const inside = { ...elevated(env), now: new Date(at.epochMilliseconds) }
  const steps = await playCall(farEnd(inside, { from, to }), `${WEBHOOKS}/number`, (args.inputs ?? []) as Input[])
  const moment = publishedTime(new Date(at.epochMilliseconds))
  return { from, to, at: spokenTime(at), moment, zone: at.timeZoneId, steps }
}

/** The number of the record that the call names. */
async function numberOf(env: Env, ids: readonly number[]): Promise<string> {
  const [row, ...others] = await records(env, NUMBER).read(ids, ['phone_number'])
  if (row !== undefined && others.length === 0) return String(row.phone_number)
  throw new Refusal('refused', 'api-number-to-rehearse')
}

/** The first number that is open during the hours. */
async function numberDuring(env: Env, hours: readonly number[]): Promise<string> {
  const numbers = records(env, NUMBER)
  const [first] = await numbers.search([['business_hours', 'in', hours]], { limit: 1 })
  if (first === undefined) throw new Refusal('refused', 'hours-without-number')
  return numberOf(env, [first])
}

/** As the provider would say it: a number in its international form, or the address of a phone of ours. */
function readCaller(from: string, country: string | undefined): string {
  const number = toE164(from, country)
  if (number !== undefined) return number
  if (/^(?:client|sips?):\S+$/.test(from)) return from
  throw new Refusal('refused', 'caller-not-a-number', { from })
}

async function unknownNumber({ db }: Env, to: string): Promise<Refusal> {
  const rows = await db.query<{ phone_number: string }>(
    sql`select phone_number from connect_telco_number order by phone_number limit ${NUMBERS_NAMED_MAX}`,
  )
  if (rows.length === 0) return new Refusal('not-found', 'no-numbers-yet', { to })
  return new Refusal('not-found', 'no-number-ours', { to, numbers: rows.map((row) => row.phone_number).join(', ') })
}

function farEnd(env: Env, { from, to }: { from: string; to: string }): FarEnd {
  const open: OpenEnv = (work) => work(env)
  const context = { log: env.platform.log }
  const call = { ...legFields({ from, to, accountSid: env.settings.accountSid }), Direction: 'inbound' }
  return {
    async answer(address, fields) {
      const target = ownTarget(env.settings.apiUrl, address)
      if (target === undefined) return undefined
      // Once something was asked, somebody has picked up.
      const status = Object.keys(fields).length === 0 ? 'ringing' : 'in-progress'
      const reply = await answerUnverified(context, open, { target, form: { ...call, CallStatus: status, ...fields } })
      return reply?.body
    },
    async textOfAudio(address) {
      const id = speechIdOf(address)
      if (id === undefined) return undefined
      const [file] = await env.db.query<{ text: string | null }>(
        sql`select text from ${GENERATED_SPEECH} f where id = ${id}::bigint`,
      )
      return file?.text ?? undefined
    },
    async nameOfAgent(agentUid) {
      const [agent] = await env.db.query<{ name: string }>(
        sql`select name from ${VOICE_AGENTS} a where agent_uid = ${agentUid} limit 1`,
      )
      return agent?.name
    },
  }
}
