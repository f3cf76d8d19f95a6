import { type HttpRequest, type HttpRoute, jsonReply } from '../../http-server.ts'
import type { Problems } from '../../problems.ts'
import { type HeaderValue, newId, type Workspace } from '../workspace.ts'
import { notFound, refuse } from './api-error.ts'
import { readBody } from './schemas.ts'

/** Secrets that headers refer to. A value goes in and never comes out. */
export function secretRoutes(workspace: Workspace, problems: Problems): HttpRoute[] {
  const path = '/v1/convai/secrets'
  const find = ({ params }: HttpRequest): string => {
    const id = params.id ?? ''
    if (!workspace.secrets.has(id)) throw notFound('secret', id)
    return id
  }
  return [
    {
      method: 'GET',
      path,
      handle: () =>
        jsonReply(200, {
          secrets: [...workspace.secrets.keys()].map((id) => ({
            ...toWire(workspace, id),
            used_by: { tools: [], agents: [], others: [], phone_numbers: [] },
          })),
          has_more: false,
        }),
    },
    {
      method: 'POST',
      path,
      handle(request) {
        const { name, value } = readBody(request, problems) as { name: string; value: string }
        const id = newId('secret')
        workspace.secrets.set(id, { name, value })
        return jsonReply(200, toWire(workspace, id))
      },
    },
    { method: 'GET', path: `${path}/:id`, handle: (request) => jsonReply(200, toWire(workspace, find(request))) },
    {
      method: 'PATCH',
      path: `${path}/:id`,
      handle(request) {
        const id = find(request)
        const { name, value } = readBody(request, problems) as { name: string; value: string }
        workspace.secrets.set(id, { name, value })
        return jsonReply(200, toWire(workspace, id))
      },
    },
    {
      method: 'DELETE',
      path: `${path}/:id`,
      handle(request) {
        const id = find(request)
        if (isUsed(workspace, id)) throw refuse(409, 'secret_in_use', 'The secret is in use.')
        workspace.secrets.delete(id)
        return { status: 204 }
      },
    },
  ]
}

function toWire({ secrets }: Workspace, id: string): Record<string, unknown> {
  return { type: 'stored', secret_id: id, name: secrets.get(id)?.name }
}

function isUsed({ settings, tools }: Workspace, id: string): boolean {
  const headers: HeaderValue[] = [
    ...Object.values(settings.conversation_initiation_client_data_webhook?.request_headers ?? {}),
    ...[...tools.values()].flatMap(({ config }) => Object.values(config.api_schema?.request_headers ?? {})),
  ]
  return headers.some((value) => typeof value === 'object' && 'secret_id' in value && value.secret_id === id)
}
