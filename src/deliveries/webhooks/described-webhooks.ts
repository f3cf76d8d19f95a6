import { type TProperties, Type } from 'typebox'
import { type ApiOperation, jsonBody } from '../../platform/api/api-operation.ts'
import type { WebhookTable } from './webhook-table.ts'

/** The webhooks as the API document shows them: the rows of the tables that serve them. */
export function webhookOperations(tables: readonly WebhookTable[]): ApiOperation[] {
  return tables.flatMap(({ prefix, rows, proof }) =>
    rows.flatMap(({ path, describes }) => {
      if (proof === undefined || describes === undefined) return []
      const { header, says, contentType, refusals = {}, headers = {} } = proof
      const { summary, request, reply, query = {} } = describes
      return {
        method: 'post',
        path: prefix + path,
        tag: 'webhooks',
        id: (prefix + path).replaceAll(/\W+/g, '_').replace(/^_/, ''),
        summary,
        proof: { header, says },
        request: { contentType, schema: request },
        reply,
        optionalQuery: query,
        headers,
        others: { 405: NOT_POST, ...refusals, ...describes.refusals },
      } as const
    }),
  )
}

/** A refusal with its sentence, and what else its body may have, as the API document shows it. */
export function refused(description: string, more: TProperties = {}): object {
  const optional = Object.entries(more).map(([name, schema]) => [name, Type.Optional(schema)])
  const sentence = Type.String({ description: 'What is wrong, in one sentence.' })
  const { contentType, schema } = jsonBody(Type.Object({ error: sentence, ...Object.fromEntries(optional) }))
  return { description, content: { [contentType]: { schema } } }
}

const NOT_POST = { ...refused('Not POST'), headers: { Allow: { schema: { const: 'POST' } } } }
