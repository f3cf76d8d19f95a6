import { type HttpRequest, type HttpRoute, jsonReply } from '../../http-server.ts'
import type { Problems } from '../../problems.ts'
import { newId, type PhoneNumber, type Workspace } from '../workspace.ts'
import { notFound, refuse } from './api-error.ts'
import { merge } from './merge.ts'
import { cursorPage } from './pages.ts'
import { type Json, readBody } from './schemas.ts'

interface NumberBody extends Json {
  readonly provider?: string
  readonly phone_number?: string
  readonly label?: string
  readonly agent_id?: string | null
  readonly inbound_trunk_config?: Json
}

/** Numbers under which calls reach agents. */
export function phoneNumberRoutes(workspace: Workspace, problems: Problems): HttpRoute[] {
  const find = ({ params }: HttpRequest): PhoneNumber => {
    const number = workspace.numbers.get(params.id ?? '')
    if (number === undefined) throw notFound('phone_number', params.id ?? '')
    return number
  }
  const all = (): unknown[] => [...workspace.numbers.values()].map((each) => toWire(workspace, each))
  const path = '/v1/convai/phone-numbers'
  return [
    { method: 'GET', path, handle: () => jsonReply(200, all()) },
    {
      method: 'GET',
      path: '/v1/convai/v2/phone-numbers',
      handle: (request) => cursorPage(request, all(), { key: 'phone_numbers' }),
    },
    {
      method: 'POST',
      path,
      handle(request) {
        const body: NumberBody = readBody(request, problems)
        return jsonReply(200, { phone_number_id: addNumber(workspace, problems, body).id })
      },
    },
    { method: 'GET', path: `${path}/:id`, handle: (request) => jsonReply(200, toWire(workspace, find(request))) },
    {
      method: 'PATCH',
      path: `${path}/:id`,
      handle(request) {
        const number = find(request)
        const change: NumberBody = readBody(request, problems)
        checkAgent(workspace, change.agent_id)
        if (change.agent_id !== undefined) number.agentId = change.agent_id ?? undefined
        number.label = change.label ?? number.label
        number.inboundTrunk = merge(number.inboundTrunk, change.inbound_trunk_config ?? {})
        return jsonReply(200, toWire(workspace, number))
      },
    },
    {
      method: 'DELETE',
      path: `${path}/:id`,
      handle(request) {
        workspace.numbers.delete(find(request).id)
        return jsonReply(200, {})
      },
    },
  ]
}

function addNumber(workspace: Workspace, problems: Problems, body: NumberBody): PhoneNumber {
  const { provider = 'twilio', phone_number: phoneNumber = '', label = '', agent_id: agentId } = body
  checkAgent(workspace, agentId)
  if (workspace.findNumber(phoneNumber) !== undefined) {
    throw refuse(409, 'phone_number_already_exists', `The phone number ${phoneNumber} already exists.`)
  }
  if (provider === 'twilio') {
    const message = `importing ${phoneNumber} would take its voice address away from the service`
    problems.add({ where: 'voiceai', message })
  }
  const number: PhoneNumber = {
    id: newId('phnum'),
    provider,
    phoneNumber,
    label,
    agentId: agentId ?? undefined,
    inboundTrunk: body.inbound_trunk_config ?? {},
  }
  workspace.numbers.set(number.id, number)
  return number
}

function checkAgent({ agents }: Workspace, id: string | null | undefined): void {
  if (typeof id === 'string' && !agents.has(id)) throw notFound('agent', id)
}

function toWire({ agents }: Workspace, number: PhoneNumber): unknown {
  const agent = agents.get(number.agentId ?? '')
  return {
    provider: number.provider,
    phone_number: number.phoneNumber,
    phone_number_id: number.id,
    label: number.label,
    supports_inbound: true,
    supports_outbound: true,
    assigned_agent: agent === undefined ? null : { agent_id: agent.id, agent_name: agent.name },
    inbound_trunk: {
      allowed_addresses: ['0.0.0.0/0'],
      allowed_numbers: null,
      media_encryption: 'allowed',
      has_auth_credentials: false,
      ...number.inboundTrunk,
    },
    outbound_trunk: null,
    provider_config: null,
    livekit_stack: 'standard',
  }
}
