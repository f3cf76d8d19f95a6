import { type HttpReply, type HttpRequest, type HttpRoute, jsonReply } from '../../http-server.ts'
import type { Problems } from '../../problems.ts'
import { methodOf, pathNamesIn, sendsBody } from '../conversation/tool-request.ts'
import {
  newId,
  type ObjectSchema,
  type PropertySchema,
  type Tool,
  type ToolConfig,
  type Workspace,
} from '../workspace.ts'
import { badValue, notFound, refuse } from './api-error.ts'
import { cursorPage } from './pages.ts'
import { readBody } from './schemas.ts'

const TOOL_NAME = /^[a-zA-Z0-9_-]{1,64}$/
const TIMEOUT_SECONDS = { webhook: [5, 300], client: [1, 120] } as const
const ACCESS = { is_creator: true, creator_name: 'Owner', creator_email: 'owner@example.com', role: 'admin' }

/** Tools that agents may be given. */
export function toolRoutes(workspace: Workspace, problems: Problems): HttpRoute[] {
  const path = '/v1/convai/tools'
  const find = ({ params }: HttpRequest): Tool => {
    const tool = workspace.tools.get(params.id ?? '')
    if (tool === undefined) throw notFound('tool', params.id ?? '')
    return tool
  }
  const read = (request: HttpRequest): ToolConfig => {
    const { tool_config: config } = readBody(request, problems) as { tool_config: ToolConfig }
    checkTool(workspace, config)
    reportIgnored(config, problems)
    return config
  }
  return [
    { method: 'GET', path, handle: (request) => list(workspace, request) },
    {
      method: 'POST',
      path,
      handle(request) {
        const tool = { id: newId('tool'), config: read(request) }
        workspace.tools.set(tool.id, tool)
        return jsonReply(200, toWire(tool))
      },
    },
    { method: 'GET', path: `${path}/:id`, handle: (request) => jsonReply(200, toWire(find(request))) },
    {
      method: 'PATCH',
      path: `${path}/:id`,
      handle(request) {
        const tool = find(request)
        tool.config = read(request)
        return jsonReply(200, toWire(tool))
      },
    },
    {
      method: 'DELETE',
      path: `${path}/:id`,
      handle(request) {
        const { id } = find(request)
        const isUsed = dependentsOf(workspace, id).length > 0
        if (isUsed && request.query.get('force') !== 'true') {
          throw refuse(409, 'tool_in_use', 'Agents depend on the tool; delete it with force.')
        }
        workspace.tools.delete(id)
        return { status: 204 }
      },
    },
    {
      method: 'GET',
      path: `${path}/:id/dependent-agents`,
      handle: (request) => jsonReply(200, { agents: dependentsOf(workspace, find(request).id), has_more: false }),
    },
  ]
}

function list(workspace: Workspace, request: HttpRequest): HttpReply {
  const { query } = request
  const search = query.get('search')?.toLowerCase() ?? ''
  const types = query.getAll('types')
  const found = [...workspace.tools.values()].filter(
    ({ config }) => config.name.toLowerCase().includes(search) && (types.length === 0 || types.includes(config.type)),
  )
  return cursorPage(request, found.map(toWire), { key: 'tools' })
}

function dependentsOf({ agents }: Workspace, toolId: string): unknown[] {
  return [...agents.values()]
    .filter(({ config }) => config.conversation_config?.agent?.prompt?.tool_ids?.includes(toolId))
    .map(({ id, name }) => ({ type: 'available', id, name, created_at_unix_secs: 1, access_level: 'admin' }))
}

function toWire({ id, config }: Tool): unknown {
  return { id, tool_config: config, access_info: ACCESS, usage_stats: { avg_latency_secs: 0, total_calls: 0 } }
}

function checkTool({ secrets }: Workspace, config: ToolConfig): void {
  const { name, api_schema: api } = config
  if (!TOOL_NAME.test(name)) {
    throw badValue(['tool_config', 'name'], `String should match pattern '${TOOL_NAME.source}'`)
  }
  checkTimeout(config)
  if (api === undefined) return
  if (!URL.canParse(api.url)) throw badValue(['tool_config', 'api_schema', 'url'], 'Input should be a valid URL')
  for (const value of Object.values(api.request_headers ?? {})) {
    const secretId = typeof value === 'object' && 'secret_id' in value ? value.secret_id : undefined
    if (secretId !== undefined && !secrets.has(secretId)) throw notFound('secret', secretId)
  }
  checkProperties(api.request_body_schema, 'request_body_schema')
  checkProperties(api.query_params_schema, 'query_params_schema')
  checkPath(api)
}

/** Each name in the braces of the address has a schema (`path_params_schema` of the platform's API description). */
function checkPath({ url, path_params_schema: schema = {} }: NonNullable<ToolConfig['api_schema']>): void {
  const names = pathNamesIn(url)
  checkProperties({ properties: schema, required: names }, 'path_params_schema')
  const unused = Object.keys(schema).find((name) => !names.includes(name))
  if (unused === undefined) return
  throw badValue(['tool_config', 'api_schema', 'path_params_schema', unused], 'No such placeholder in the URL')
}

/** What the real one takes and never looks at. */
function reportIgnored(config: ToolConfig, problems: Problems): void {
  const method = methodOf(config)
  const isSent = config.api_schema === undefined || sendsBody(method)
  if (isSent || (config.api_schema.request_body_schema ?? null) === null) return
  problems.add({
    where: 'voiceai',
    message: `${config.name}: a ${method} request has no body: its parameters are lost`,
  })
}

function checkTimeout({ type, response_timeout_secs: seconds }: ToolConfig): void {
  if (seconds === undefined || (type !== 'webhook' && type !== 'client')) return
  const [min, max] = TIMEOUT_SECONDS[type]
  if (seconds >= min && seconds <= max) return
  throw badValue(['tool_config', 'response_timeout_secs'], `Input should be from ${min} to ${max}`)
}

/** Each property has exactly one source (docs/reference/providers.md#server-tools), and what is required exists. */
function checkProperties(schema: ObjectSchema | null | undefined, part: string): void {
  const place = ['tool_config', 'api_schema', part]
  const properties = schema?.properties ?? {}
  for (const [name, property] of Object.entries(properties)) {
    const sources = sourcesOf(property)
    if (sources.length === 1) continue
    const found = sources.length === 0 ? 'none' : sources.join(' and ')
    const message = `Exactly one of description, dynamic_variable, constant_value, is_system_provided must be set, not ${found}`
    throw badValue([...place, 'properties', name], message)
  }
  for (const name of schema?.required ?? []) {
    if (!Object.hasOwn(properties, name)) throw badValue([...place, 'required'], `${name} is no property`)
  }
}

function sourcesOf(property: PropertySchema): string[] {
  // Objects and lists describe themselves beside their parts.
  if (property.type === 'object' || property.type === 'array') return ['parts']
  const isSet: Readonly<Record<string, boolean>> = {
    description: (property.description ?? '') !== '',
    dynamic_variable: (property.dynamic_variable ?? '') !== '',
    constant_value: property.constant_value !== undefined && property.constant_value !== '',
    is_system_provided: property.is_system_provided === true,
    is_omitted: property.is_omitted === true,
  }
  return Object.keys(isSet).filter((source) => isSet[source])
}
