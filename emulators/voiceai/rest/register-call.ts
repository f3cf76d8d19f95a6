import type { HttpRoute } from '../../http-server.ts'
import type { Problems } from '../../problems.ts'
import { InitiationFailed } from '../conversation/initiation.ts'
import type { PhoneLines } from '../phone-lines.ts'
import type { Workspace } from '../workspace.ts'
import { notFound, refuse } from './api-error.ts'
import { type Json, readBody } from './schemas.ts'

interface RegisteredCallBody extends Json {
  readonly agent_id: string
  readonly from_number: string
  readonly to_number: string
  readonly direction?: string
  readonly conversation_initiation_client_data?: Json | null
}

/** Host of the platform's media streams. */
export const STREAM_HOST = 'api.elevenlabs.io'

/** The service keeps its call and is given the markup that connects it with an agent. */
export function registerCallRoutes(workspace: Workspace, lines: PhoneLines, problems: Problems): HttpRoute[] {
  return [
    {
      method: 'POST',
      path: '/v1/convai/twilio/register-call',
      async handle(request) {
        const body = readBody(request, problems) as RegisteredCallBody
        const agent = workspace.agents.get(body.agent_id)
        if (agent === undefined) throw notFound('agent', body.agent_id)
        const call = {
          from: body.from_number,
          to: body.to_number,
          direction: body.direction ?? 'inbound',
          clientData: body.conversation_initiation_client_data ?? undefined,
        }
        try {
          const id = await lines.register(agent, call)
          // The API description of 2026-08-22 says so, markup or not.
          return { status: 200, headers: { 'content-type': 'text/html; charset=utf-8' }, body: connectMarkup(id) }
        } catch (error) {
          if (!(error instanceof InitiationFailed)) throw error
          problems.add({ where: 'voiceai', message: `${agent.name} cannot open a conversation: ${error.message}` })
          throw refuse(400, 'invalid_client_data', error.message)
        }
      },
    },
  ]
}

function connectMarkup(conversationId: string): string {
  const stream = `<Stream url="wss://${STREAM_HOST}/v1/convai/conversation/twilio"><Parameter name="conversation_id" value="${conversationId}"/></Stream>`
  return `<?xml version="1.0" encoding="UTF-8"?><Response><Connect>${stream}</Connect></Response>`
}
