import { type HttpRoute, jsonReply } from '../../http-server.ts'
import type { Problems } from '../../problems.ts'
import type { Workspace, WorkspaceSettings } from '../workspace.ts'
import { badValue, notFound } from './api-error.ts'
import { readBody } from './schemas.ts'

/** What the owner set for all agents: where calls are asked about, and where conversations are delivered. */
export function settingsRoutes(workspace: Workspace, problems: Problems): HttpRoute[] {
  return [
    { method: 'GET', path: '/v1/convai/settings', handle: () => jsonReply(200, workspace.settings) },
    {
      method: 'PATCH',
      path: '/v1/convai/settings',
      handle(request) {
        const changes = readBody(request, problems) as WorkspaceSettings
        checkSettings(workspace, changes)
        const webhooks = { ...workspace.settings.webhooks, ...changes.webhooks }
        workspace.settings = { ...workspace.settings, ...changes, webhooks }
        return jsonReply(200, workspace.settings)
      },
    },
  ]
}

function checkSettings(workspace: Workspace, changes: WorkspaceSettings): void {
  const initiation = changes.conversation_initiation_client_data_webhook
  if (initiation !== undefined && initiation !== null) {
    const place = ['conversation_initiation_client_data_webhook', 'url']
    if (!URL.canParse(initiation.url)) throw badValue(place, 'Input should be a valid URL')
    for (const value of Object.values(initiation.request_headers)) {
      if (typeof value === 'object' && 'secret_id' in value && !workspace.secrets.has(value.secret_id)) {
        throw notFound('secret', value.secret_id)
      }
    }
  }
  const id = changes.webhooks?.post_call_webhook_id
  if (id !== undefined && id !== null && !workspace.webhooks.has(id)) throw notFound('webhook', id)
}
