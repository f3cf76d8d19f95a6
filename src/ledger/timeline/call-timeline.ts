import { Type } from 'typebox'
import { Refusal } from '../../errors.ts'
import { type Env, elevated } from '../../platform/access/env.ts'
import { GROUP } from '../../platform/access/identity.ts'
import { method } from '../../platform/model/model.ts'
import { records } from '../../platform/records/records.ts'
import { storedMs } from '../../time.ts'
import type { StripPart } from '../calls/call-strip.ts'
import { onLine } from './call-line.ts'
import { type AgentNames, deliveryMoment } from './delivery-moments.ts'
import { findKnown, type Known } from './find-moments.ts'
import { Heard, heardIn } from './heard.ts'
import { legMoments, recordMoments } from './ledger-moments.ts'
import { type Draft, Moment } from './moment.ts'
import { joinTools, spokenMoments } from './spoken-moments.ts'

/** What happened in a call, in order, and what there is to hear of it. */
interface Timeline {
  began_at: string | null
  strip: StripPart[]
  moments: Moment[]
  audio: Heard[]
}

const Reply = Type.Object({
  began_at: Type.Union([Type.String(), Type.Null()]),
  strip: Type.Array(Type.Unknown()),
  moments: Type.Array(Moment),
  audio: Type.Array(Heard),
})

/**
 * `connect.call/timeline {ids: [1]}`: what happened in one call. Anyone who may read the call reads all of it, but for the
 * reasons, headers and bodies of deliveries, which are the administrators'.
 */
export const timelineMethod = method({
  label: 'Timeline',
  operation: 'read',
  reply: Reply,
  run: async (env, ids) => callTimeline(env, oneOf(ids)),
})

/** The one call that a method is about. */
export function oneOf(ids: readonly number[]): number {
  const [id] = ids
  if (id === undefined || ids.length > 1) throw new Refusal('refused', 'api-one-call-told')
  return id
}

/** The timeline of a call that somebody has been checked on. */
export async function callTimeline(env: Env, call: number): Promise<Timeline> {
  // Elevated: they may read the call, and this is what it is made of.
  const everything = elevated(env)
  const [row] = await records(everything, 'connect.call').read([call], [...FIELDS])
  const known = await findKnown(everything.db, call)
  const agents = await agentNames(everything, known, nameOf(row?.voiceai_agent))
  const isAdmin = env.identity.isElevated || env.identity.groups.has(GROUP.connectAdmin)
  const strip = Array.isArray(row?.strip) ? row.strip : []
  const began = beginOf(typeof row?.started_at === 'string' ? row.started_at : null, known)
  if (began === undefined) return { began_at: null, strip: [], moments: [], audio: [] }
  const parties = {
    agent: nameOf(row?.voiceai_agent) ?? 'Agent',
    caller: nameOf(row?.partner) ?? String(row?.caller ?? '?'),
  }
  const delivered = atBegin(
    known.deliveries.map((each) => deliveryMoment(each, agents, { isAdmin, legs: known.legs })),
    began,
  )
  const spoken = known.recordings.flatMap((each) => spokenMoments(each, began, parties))
  const drafts = [
    ...joinTools(spoken, delivered, known.deliveries),
    ...legMoments(known.legs, known.deliveries, agents),
    ...recordMoments(known),
  ]
  return {
    began_at: new Date(began).toISOString(),
    strip: strip as Timeline['strip'],
    moments: onLine(drafts, began, isAdmin),
    audio: heardIn(known, began),
  }
}

const FIELDS = ['started_at', 'strip', 'voiceai_agent', 'partner', 'caller'] as const

/** When the call began, by its first leg or conversation; what nobody reported a time of began when it was written down. */
function beginOf(started: string | null, known: Known): number | undefined {
  if (started !== null) return storedMs(started)
  const moments = [
    ...known.legs.map((leg) => leg.started_at ?? leg.create_date),
    ...known.recordings.map((each) => each.conversation_started_at ?? each.at ?? each.create_date),
    ...known.deliveries.map(({ at }) => at),
    ...known.notes.map(({ at }) => at),
  ].map(storedMs)
  return moments.length === 0 ? undefined : Math.min(...moments)
}

/** The request that a call arrives with says no time: it is the call's beginning, whatever clock noted it. */
function atBegin(delivered: readonly Draft[], beganMs: number): Draft[] {
  const first = delivered.findIndex(({ title }) => title === 'call_arrives')
  return delivered.map((each, at) => {
    const isOn = at !== first || Math.abs(each.writtenMs - beganMs) <= SAME_BEGIN_MS
    return isOn ? each : { ...each, happenedMs: beganMs }
  })
}

/** A request is on its way, and the provider's times have whole seconds. */
const SAME_BEGIN_MS = 2_000

/**
 * The names of voice agents by their ids at the platform. An agent that was made anew there has another id since; the old one
 * is still the call's own agent, where it is the only one that nobody has any more.
 */
async function agentNames(env: Env, { deliveries, legs }: Known, own: string | undefined): Promise<AgentNames> {
  const agents = await records(env, 'connect.voiceai_agent').searchRead(
    [['agent_uid', '!=', null]],
    ['agent_uid', 'name'],
    { limit: AGENTS_MAX },
  )
  const names = new Map(agents.map(({ agent_uid: uid, name }) => [String(uid), String(name)]))
  const told = [...deliveries.map(({ reply }) => reply), ...legs.flatMap(({ from, to }) => [from, to])].join(' ')
  const met = [...new Set(told.match(AGENT_UID))]
  const [gone, ...others] = met.filter((uid) => !names.has(uid))
  const isOwn = others.length === 0 && met.every((uid) => names.get(uid) !== own)
  if (gone !== undefined && own !== undefined && isOwn) names.set(gone, own)
  return names
}

const AGENT_UID = /agent_\w+/g
const AGENTS_MAX = 1_000

function nameOf(link: unknown): string | undefined {
  return Array.isArray(link) ? String(link[1]) : undefined
}
