import { randomBytes } from 'node:crypto'
import { type HttpRequest, type HttpRoute, jsonReply } from '../../http-server.ts'
import type { Problems } from '../../problems.ts'
import { newId, type Workspace, type WorkspaceWebhook } from '../workspace.ts'
import { badValue, notFound, refuse } from './api-error.ts'
import { readBody } from './schemas.ts'

const SECRET_BYTES = 32

/** Webhooks of the workspace. The address of one can never be changed, and its secret is told once. */
export function webhookRoutes(workspace: Workspace, problems: Problems): HttpRoute[] {
  const find = ({ params }: HttpRequest): WorkspaceWebhook => {
    const webhook = workspace.webhooks.get(params.id ?? '')
    if (webhook === undefined) throw notFound('webhook', params.id ?? '')
    return webhook
  }
  const path = '/v1/workspace/webhooks'
  return [
    {
      method: 'GET',
      path,
      handle: () =>
        jsonReply(200, { webhooks: [...workspace.webhooks.values()].map((each) => toWire(workspace, each)) }),
    },
    {
      method: 'POST',
      path,
      handle(request) {
        const body = readBody(request, problems)
        const { id, secret } = addWebhook(workspace, body.settings as NewWebhook)
        return jsonReply(200, { webhook_id: id, webhook_secret: secret })
      },
    },
    {
      method: 'PATCH',
      path: `${path}/:id`,
      handle(request) {
        const webhook = find(request)
        const change = readBody(request, problems) as unknown as WebhookChange
        webhook.name = change.name
        webhook.isDisabled = change.is_disabled
        if (!change.is_disabled) {
          webhook.isAutoDisabled = false
          webhook.failuresInARow = 0
        }
        webhook.isRetryEnabled = change.retry_enabled ?? webhook.isRetryEnabled
        webhook.requestHeaders = change.request_headers ?? webhook.requestHeaders
        return jsonReply(200, { status: 'ok' })
      },
    },
    {
      method: 'DELETE',
      path: `${path}/:id`,
      handle(request) {
        const { id } = find(request)
        if (workspace.settings.webhooks?.post_call_webhook_id === id) {
          throw refuse(400, 'webhook_in_use', 'The webhook is used by the workspace settings.')
        }
        workspace.webhooks.delete(id)
        return jsonReply(200, { status: 'ok' })
      },
    },
  ]
}

interface NewWebhook {
  readonly name: string
  readonly webhook_url: string
  readonly request_headers?: Readonly<Record<string, string>>
}

interface WebhookChange {
  readonly name: string
  readonly is_disabled: boolean
  readonly retry_enabled?: boolean
  readonly request_headers?: Readonly<Record<string, string>>
}

function addWebhook(
  { webhooks, clock }: Workspace,
  { name, webhook_url: url, request_headers }: NewWebhook,
): WorkspaceWebhook {
  if (!/^https:\/\//.test(url) || !URL.canParse(url)) {
    throw badValue(['settings', 'webhook_url'], 'URL scheme should be https')
  }
  const webhook: WorkspaceWebhook = {
    id: newId('wbhk'),
    url,
    secret: `wsec_${randomBytes(SECRET_BYTES).toString('hex')}`,
    createdSeconds: clock.unixSeconds,
    name,
    isDisabled: false,
    isAutoDisabled: false,
    isRetryEnabled: false,
    requestHeaders: request_headers ?? {},
    failuresInARow: 0,
    lastFailure: undefined,
  }
  webhooks.set(webhook.id, webhook)
  return webhook
}

function toWire({ settings }: Workspace, webhook: WorkspaceWebhook): unknown {
  const isUsed = settings.webhooks?.post_call_webhook_id === webhook.id
  return {
    auth_type: 'hmac',
    created_at_unix: webhook.createdSeconds,
    is_auto_disabled: webhook.isAutoDisabled,
    is_disabled: webhook.isDisabled,
    most_recent_failure_error_code: webhook.lastFailure?.code ?? null,
    most_recent_failure_timestamp: webhook.lastFailure?.atSeconds ?? null,
    name: webhook.name,
    usage: isUsed ? [{ usage_type: 'ConvAI Settings' }] : [],
    webhook_id: webhook.id,
    webhook_url: webhook.url,
  }
}
