import type { AgentCall } from '../../../ports/agent-connector.ts'
import { renderMarkup } from '../../markup/verb.ts'
import type { Barred, CallPlan } from '../decide/plan.ts'

/** A plan as markup. */
export type RenderedPlan =
  | { readonly kind: 'markup'; readonly markup: string }
  | ({ readonly kind: 'register'; readonly call: AgentCall; readonly otherwise: string } & Barred)

/** The plan with its verbs written out. Throws `MarkupTooLargeError`. */
export function renderPlan(plan: CallPlan): RenderedPlan {
  switch (plan.kind) {
    case 'verbs':
      return { kind: 'markup', markup: renderMarkup(plan.verbs) }
    case 'markup':
      return { kind: 'markup', markup: plan.markup }
    case 'register':
      return { ...plan, otherwise: renderMarkup(plan.otherwise) }
  }
}
