import type { Queryable } from '../database/database.ts'
import { sql } from '../database/drizzle.ts'

interface Step {
  model: string
  id: number
  name: string
  next_model: string | null
  next_id: number | null
  rings_mobile: boolean
}

// What a call flow or a voice agent leads to when it fails; each has one extension for that.
const STEPS = sql`select s.*, e.model as next_model, e.res_id as next_id,
    e.mobile_number is not null as rings_mobile from (
    select 'connect.telco.callflow' as model, id, name, fallback_exten from connect_telco_callflow
    union all select 'connect.voiceai_agent', id, name, fallback_exten from connect_voiceai_agent) s
  join connect_telco_exten e on e.id = s.fallback_exten`

/**
 * What of call flows or voice agents leads back to itself when it fails, or to nothing: a sentence for each that does. When a call is
 * routed, nothing stands in for what stands in already, and its caller hears that nobody can be reached.
 */
export async function fallbackRemarks(db: Queryable, model: string): Promise<ReadonlyMap<number, string>> {
  const steps = new Map((await db.query<Step>(STEPS)).map((step) => [keyOf(step.model, step.id), step]))
  const own = [...steps.values()].filter((step) => step.model === model)
  return new Map(own.flatMap((step) => remarkOf(step, steps).map((remark) => [step.id, remark] as const)))
}

function remarkOf(first: Step, steps: ReadonlyMap<string, Step>): string[] {
  if (first.rings_mobile) return []
  if (first.next_model === null) return [FAILS_TO_NOTHING]
  const through: string[] = []
  let step = next(first, steps)
  while (step !== undefined && step !== first && through.length < steps.size) {
    through.push(step.name)
    step = next(step, steps)
  }
  if (step !== first) return []
  const [other] = through
  return [
    other === undefined
      ? 'If unanswered, it leads back to itself.'
      : `If unanswered, it leads to "${other}", which leads back here.`,
  ]
}

function next({ next_model: model, next_id: id }: Step, steps: ReadonlyMap<string, Step>): Step | undefined {
  return model === null || id === null ? undefined : steps.get(keyOf(model, id))
}

function keyOf(model: string, id: number): string {
  return `${model},${id}`
}

/** Said of whatever has an extension for when it fails. */
export const FAILS_TO_NOTHING = 'If unanswered, it rings an extension that leads nowhere.'

/** For a statement of another room: the voice agents that a number or an extension leads to. */
export const AGENTS_REACHED = sql`select voiceai_agent as agent from connect_telco_number where destination = 'voiceai_agent'
  union all select res_id from connect_telco_exten where model = 'connect.voiceai_agent'`
