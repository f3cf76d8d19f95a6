import { Type } from 'typebox'
import { sql } from '../../database/drizzle.ts'
import { Refusal } from '../../errors.ts'
import type { ReadEnv } from '../../platform/access/env.ts'
import { GROUP } from '../../platform/access/identity.ts'
import { type Method, method, type RowOf } from '../../platform/model/model.ts'
import type { deliveryModel } from './delivery-model.ts'

/** Finds out from the log and the settings of now what was wrong with a rejected delivery of its area. */
type Explainer = (env: ReadEnv, id: number) => Promise<string | undefined>

/**
 * `connect.delivery/explain {ids}`: what became of a delivery and why, and which setting is wrong, as `{id, route, verdict,
 * sentence}`. Areas without an explainer log the whole sentence when they reject.
 */
export function explainMethod(explainers: Readonly<Record<string, Explainer>>): Method {
  return method({
    label: 'Explain',
    reply: Type.Object({
      id: Type.Integer(),
      route: Type.String(),
      verdict: Type.String(),
      sentence: Type.String(),
    }),
    operation: 'read',
    groups: [GROUP.connectAdmin],
    async run(env, ids) {
      const [id] = ids
      if (id === undefined || ids.length > 1) throw new Refusal('refused', 'api-one-delivery-explained-ids-has-one')
      const [delivery] = await env.db.query<RowOf<typeof deliveryModel, 'area' | 'route' | 'verdict' | 'reason'>>(
        sql`select area, route, verdict, reason from connect_delivery where id = ${id}::bigint`,
      )
      if (delivery === undefined) throw new Refusal('not-found', 'no-delivery', { id })
      const { area, route, verdict, reason } = delivery
      const found = verdict === 'rejected' ? await explainers[area]?.(env, id) : undefined
      // The reason in the log is of the settings as they were then.
      const now = found === undefined ? undefined : `With the current settings: ${found}`
      return { id, route, verdict, sentence: now ?? sentenceOf(verdict, reason ?? 'No reason was logged.') }
    },
  })
}

function sentenceOf(verdict: string, reason: string): string {
  switch (verdict) {
    case 'handled':
      return 'It was accepted and handled.'
    case 'refused':
      return `The sender is genuine, but Connect declined the request: ${reason}`
    case 'failed':
      return `The sender is genuine, but Connect had an error: ${reason}`
    default:
      return reason
  }
}
