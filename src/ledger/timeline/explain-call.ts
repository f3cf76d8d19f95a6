import { Type } from 'typebox'
import { type Env, elevated } from '../../platform/access/env.ts'
import { GROUP } from '../../platform/access/identity.ts'
import { type Method, method } from '../../platform/model/model.ts'
import { records } from '../../platform/records/records.ts'
import { callTimeline, oneOf } from './call-timeline.ts'
import type { Cause, Fix, Story } from './cause.ts'
import type { MarkupStep } from './delivery-words.ts'
import { type EndFacts, findEndFacts } from './end-facts.ts'
import { endingOf, IN_VAIN } from './endings.ts'
import type { Moment } from './moment.ts'
import { promisesIn } from './promises.ts'
import { type Params, sentenceOf } from './sentences.ts'
import { troublesOf } from './troubles.ts'
import { WHY_SENTENCES } from './why-sentences.ts'

/** What the ledger asks of the area that speaks with callers. */
interface ExplainParts {
  /** Why callers of a number hear a text; undefined where it is none of our sentences. */
  whyHeard(
    env: Env,
    heard: { called: string; text: string },
  ): Promise<Omit<NonNullable<Story['heard']>, 'text'> | undefined>
  hasCredentials(env: Env): boolean
}

const Said = Type.Object({
  code: Type.String(),
  params: Type.Record(Type.String(), Type.Unknown()),
  sentence: Type.String(),
})
const Promised = Type.Object({
  ...Said.properties,
  kind: Type.String(),
  is_kept: Type.Boolean(),
  moment: Type.Integer(),
})
const Action = Type.Object({
  kind: Type.Union([
    Type.Literal('synchronise'),
    Type.Literal('settings'),
    Type.Literal('call_back'),
    Type.Literal('call_again'),
    Type.Literal('own_phone'),
    Type.Literal('record'),
    Type.Literal('delivery'),
  ]),
  provider: Type.Optional(Type.String()),
  number: Type.Optional(Type.String()),
  model: Type.Optional(Type.String()),
  id: Type.Optional(Type.Integer()),
})
const Reply = Type.Object({
  ...Said.properties,
  because: Type.Array(Type.Object({ ...Said.properties, moment: Type.Union([Type.Integer(), Type.Null()]) })),
  fixes: Type.Array(Type.Object({ ...Said.properties, action: Type.Optional(Action) })),
  promises: Type.Array(Promised),
  open: Type.Array(Promised),
})

/**
 * `connect.call/explain {ids: [1]}`: why one call ended as it did, by rules over its timeline: a sentence, the moments that
 * show it (by their place in the timeline), what mends it, and what the agent promised and did not do.
 */
export function explainCallMethod(parts: ExplainParts): Method {
  return method({
    label: 'Why it ended so',
    operation: 'read',
    reply: Reply,
    async run(env, ids) {
      const id = oneOf(ids)
      const { moments, audio, began_at: began } = await callTimeline(env, id)
      // Elevated: they may read the call, and this is what it is made of.
      const everything = elevated(env)
      const facts = await findEndFacts(everything, id)
      if (facts === undefined) throw new Error(`call ${id} has gone while it was explained`)
      const named = { ...facts, agent_name: await agentName(everything, facts.agent) }
      const heard = await heardLast(parts, everything, named, moments)
      const hasCredentials = parts.hasCredentials(env)
      const story: Story = { facts: named, moments, heard, hasCredentials, readerId: env.identity.userId }
      const ending = endingOf(story)
      const troubles = troublesOf(story, audio, env.now.getTime(), Date.parse(began ?? ''))
      const isAdmin = env.identity.isElevated || env.identity.groups.has(GROUP.connectAdmin)
      const state = { isCalledBack: facts.is_called_back, isTransferInVain: IN_VAIN.includes(ending.code) }
      const promises = promisesIn(moments, state).map((each) => ({ ...each, ...said(each) }))
      return {
        ...said(ending),
        because: [...shown(ending, moments), ...troubles.flatMap((trouble) => shownTrouble(trouble))],
        fixes: fixesOf([ending, ...troubles], isAdmin),
        promises,
        open: promises.filter(({ is_kept: isKept }) => !isKept),
      }
    },
  })
}

function said({ code, params }: { code: string; params: Params }) {
  const told = params.is_yours === true ? `${code}_yours` : code
  return { code, params, sentence: sentenceOf(told, params, WHY_SENTENCES) }
}

/** The moments that show an ending say so themselves. */
function shown({ moments: places }: Cause, moments: readonly Moment[]) {
  return places.flatMap((moment) => {
    const found = moments[moment]
    return found === undefined ? [] : [{ moment, code: found.title, params: found.params, sentence: found.sentence }]
  })
}

function shownTrouble(trouble: Cause) {
  return [{ moment: trouble.moments[0] ?? null, ...said(trouble) }]
}

/** What mends it, each once; what only administrators can do is said to them alone. */
function fixesOf(causes: readonly Cause[], isAdmin: boolean) {
  const fixes = causes.flatMap((cause) => cause.fixes).filter((fix) => isAdmin || !fix.isForAdmin)
  const isFirst = (fix: Fix, at: number) =>
    fixes.findIndex((each) => JSON.stringify([each.code, each.action]) === JSON.stringify([fix.code, fix.action])) ===
    at
  return fixes.filter(isFirst).map(({ code, params, action }) => ({
    ...said({ code, params }),
    ...(action === undefined ? {} : { action }),
  }))
}

async function agentName(env: Env, id: number | null): Promise<string | null> {
  if (id === null) return null
  const [agent] = await records(env, 'connect.voiceai_agent').searchRead([['id', '=', id]], ['name'], { limit: 1 })
  return typeof agent?.name === 'string' ? agent.name : null
}

/** What our last answer said to the caller before the call ended. */
async function heardLast(
  { whyHeard }: ExplainParts,
  env: Env,
  { called }: EndFacts,
  moments: readonly Moment[],
): Promise<Story['heard']> {
  const last = moments.findLast(({ kind }) => kind === 'request')
  const steps = Array.isArray(last?.params.steps) ? (last.params.steps as MarkupStep[]) : []
  const text = steps.findLast(({ verb }) => verb === 'Say')?.text
  if (text === undefined || called === null) return undefined
  const why = await whyHeard(env, { called, text })
  return why === undefined ? undefined : { ...why, text }
}
