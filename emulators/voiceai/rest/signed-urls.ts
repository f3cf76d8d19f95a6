import { type HttpRoute, jsonReply } from '../../http-server.ts'
import type { Problems } from '../../problems.ts'
import type { BrowserTalks } from '../browser-talks.ts'
import type { Workspace } from '../workspace.ts'
import { notFound, unprocessable } from './api-error.ts'

/** `get-signed-url` of the platform's API description has these in its query. */
const KNOWN: readonly string[] = [
  ...['agent_id', 'include_conversation_id', 'branch_id', 'environment', 'debug_events_request'],
]

/** Addresses at which a browser talks with an agent. */
export function signedUrlRoutes(workspace: Workspace, talks: BrowserTalks, problems: Problems): HttpRoute[] {
  return [
    {
      method: 'GET',
      path: '/v1/convai/conversation/get-signed-url',
      handle({ query, origin, path }) {
        const unknown = [...query.keys()].filter((name) => !KNOWN.includes(name))
        for (const name of unknown) problems.add({ where: 'voiceai', message: `GET ${path} has no parameter ${name}` })
        const id = query.get('agent_id')
        if (id === null) {
          throw unprocessable([{ loc: ['query', 'agent_id'], msg: 'Field required', type: 'missing' }])
        }
        if (!workspace.agents.has(id)) throw notFound('agent', id)
        const isOnce = query.get('include_conversation_id') === 'true'
        return jsonReply(200, { signed_url: talks.sign(id, { origin, isOnce }) })
      },
    },
  ]
}
