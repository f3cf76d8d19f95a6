import type { CallPlan } from './decide/plan.ts'
import { renderAgent } from './render-agent.ts'
import { renderCallflow } from './render-callflow.ts'
import { renderMarkupApplication } from './render-markup.ts'
import { renderUser } from './render-user.ts'
import type { Rendering } from './rendering.ts'

type Renderer = (rendering: Rendering, id: number) => Promise<CallPlan | undefined>

/** What can answer a call, by the model that an extension names. */
const RENDERERS: ReadonlyMap<string, Renderer> = new Map<string, Renderer>([
  ['connect.user', renderUser],
  ['connect.telco.callflow', renderCallflow],
  ['connect.telco.markup', renderMarkupApplication],
  ['connect.voiceai_agent', renderAgent],
])

/** Connects the call to a record; undefined when there is no such record or it answers no calls. */
export async function renderDestination(
  rendering: Rendering,
  { model, id }: { model: string | null; id: number | null },
): Promise<CallPlan | undefined> {
  const renderer = RENDERERS.get(model ?? '')
  return renderer === undefined || id === null ? undefined : renderer(rendering, id)
}
