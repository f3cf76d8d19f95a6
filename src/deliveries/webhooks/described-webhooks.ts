import type { ApiOperation } from '../../platform/api/api-operation.ts'
import type { WebhookTable } from './webhook-table.ts'

/** The webhooks as the API document shows them: the rows of the tables that serve them. */
export function webhookOperations(tables: readonly WebhookTable[]): ApiOperation[] {
  return tables.flatMap(({ prefix, rows, proof }) =>
    rows.flatMap(({ path, describes }) => {
      if (proof === undefined || describes === undefined) return []
      const { header, contentType, refusals = {}, headers = {} } = proof
      const { summary, request, reply } = describes
      return {
        method: 'post',
        path: prefix + path,
        tag: 'webhooks',
        id: (prefix + path).replaceAll(/\W+/g, '_').replace(/^_/, ''),
        summary,
        proof: { header },
        request: { contentType, schema: request },
        reply,
        headers,
        others: { 405: 'Not POST; Allow says POST', ...refusals },
      } as const
    }),
  )
}
