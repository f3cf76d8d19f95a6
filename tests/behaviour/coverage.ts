// What a recording has touched, so that a gap in it is seen.
import type { Recording } from './recorder.ts'

/** In the contract: nine of the agents, twelve of the telephone, five of the helpdesk. */
const WEBHOOKS = 26

export function coverageOf({ exchanges, commands, providers, rows, complaints }: Recording): string[] {
  const last = Object.values(rows).at(-1) ?? {}
  const tables = Object.keys(last)
  const filled = tables.filter((table) => Object.values(rows).some((each) => (each[table] ?? []).length > 0))
  const empty = tables.filter((table) => !filled.includes(table))
  const named = exchanges.map(({ part }) => part)
  const webhooks = new Set(named.filter((part) => part.startsWith('webhooks: /')))
  const models = new Set(exchanges.flatMap(({ request }) => /^\/json\/2\/([^/?]+)\//.exec(request.target)?.[1] ?? []))
  const created = new Set(
    exchanges.flatMap(({ request, reply }) =>
      reply.status === 200 ? (/^\/json\/2\/([^/?]+)\/create$/.exec(request.target)?.[1] ?? []) : [],
    ),
  )
  return [
    `webhooks: ${webhooks.size} of ${WEBHOOKS}; models: ${models.size} asked about, ${created.size} created`,
    `${exchanges.length} exchanges, ${commands.length} commands, ${providers.length} requests to providers`,
    `tables with rows: ${filled.length} of ${tables.length}${empty.length === 0 ? '' : `; without: ${empty.join(', ')}`}`,
    ...complaints.map((complaint) => `complaint: ${complaint}`),
  ]
}
