// Takes out of the voice-agent platform's published OpenAPI what the emulator checks requests and its own replies with:
// names, types, choices, ranges and required parts of the routes that the service uses. No prose.
//   node scripts/make-voiceai-description.ts <openapi.json> <its date>
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'

type Json = Record<string, unknown>

const TARGET = new URL('../emulators/voiceai/rest/description.json', import.meta.url)
const SOURCE = "the voice-agent platform's published OpenAPI (openapi.json of api.elevenlabs.io)"
const REF = '#/components/schemas/'

const ROUTES: readonly (readonly [method: string, path: string])[] = [
  ['GET', '/v1/voices'],
  ['GET', '/v1/convai/settings'],
  ['PATCH', '/v1/convai/settings'],
  ['GET', '/v1/workspace/webhooks'],
  ['POST', '/v1/workspace/webhooks'],
  ['PATCH', '/v1/workspace/webhooks/{webhook_id}'],
  ['DELETE', '/v1/workspace/webhooks/{webhook_id}'],
  ['POST', '/v1/convai/secrets'],
  ['PATCH', '/v1/convai/secrets/{secret_id}'],
  ['GET', '/v1/convai/tools'],
  ['POST', '/v1/convai/tools'],
  ['GET', '/v1/convai/tools/{tool_id}'],
  ['PATCH', '/v1/convai/tools/{tool_id}'],
  ['GET', '/v1/convai/agents'],
  ['POST', '/v1/convai/agents/create'],
  ['GET', '/v1/convai/agents/{agent_id}'],
  ['PATCH', '/v1/convai/agents/{agent_id}'],
  ['GET', '/v1/convai/llm/list'],
  ['GET', '/v1/convai/knowledge-base'],
  ['POST', '/v1/convai/knowledge-base/text'],
  ['POST', '/v1/convai/knowledge-base/url'],
  ['POST', '/v1/convai/knowledge-base/file'],
  ['GET', '/v1/convai/knowledge-base/crawl'],
  ['POST', '/v1/convai/knowledge-base/crawl'],
  ['GET', '/v1/convai/knowledge-base/crawl/{crawl_job_id}'],
  ['GET', '/v1/convai/knowledge-base/{documentation_id}'],
  ['PATCH', '/v1/convai/knowledge-base/{documentation_id}'],
  ['DELETE', '/v1/convai/knowledge-base/{documentation_id}'],
  ['GET', '/v1/convai/knowledge-base/{documentation_id}/dependent-agents'],
  ['GET', '/v1/convai/phone-numbers'],
  ['POST', '/v1/convai/phone-numbers'],
  ['GET', '/v1/convai/phone-numbers/{phone_number_id}'],
  ['PATCH', '/v1/convai/phone-numbers/{phone_number_id}'],
  ['POST', '/v1/convai/twilio/register-call'],
  ['GET', '/v1/convai/conversation/get-signed-url'],
]

/** Parts that the service neither sends nor reads: their names are known, what is inside them is not looked at. */
const UNREAD: ReadonlySet<string> = new Set(
  [
    'AgentAnalysisItems AgentTestingSettings AgentWorkflowRequestModel AgentWorkflowResponseModel',
    'AlertingSettings AlertingSettingsResponse AnalysisProperty AnalysisScope ApiIntegrationWebhookToolConfig',
    'AuthConnectionLocator AuthSettings BackgroundSoundConfig BackupLLMDefault BackupLLMDisabled',
    'BackupLLMOverride CreateExotelPhoneNumberRequest CustomLLM EndProcedureToolConfig',
    'EnvironmentAuthConnectionLocator EvaluationSettings FileInputConfig FineTuningResponseModel',
    'GetPhoneNumberExotelResponseModel GetPhoneNumberOutboundSIPTrunkConfigResponseModel',
    'AutoSyncInfo ExternalFileSyncInfo ExternalFolderSyncInfo FileRefreshStatus KbExternalSyncJob',
    'GetWhatsAppAccountResponse GuardrailsV1 KnowledgeBaseRagToolConfig',
    'KnowledgeBaseToolConfig MCPToolConfig OutboundSIPTrunkConfigRequestModel PrivacyConfig ProcedureVersionRef',
    'SMBToolConfig SafetyResponseModel SentimentAnalysisSettings SoftTimeoutConfig',
    'SoftTimeoutConfigOverride SoftTimeoutConfigOverrideConfig SpeakerSeparationResponseModel',
    'StartProcedureToolConfig ToolResponseMockConfig TransferToNumberToolConfig VADConfig',
    'VoiceSharingResponseModel VoiceVerificationResponseModel WidgetConfig',
  ].flatMap((names) => names.split(' ')),
)

/** What is a fact of a schema, as JSON Schema calls it. */
const KEYWORDS: ReadonlySet<string> = new Set([
  ...['type', 'enum', 'const', 'required', 'items', 'anyOf', 'oneOf', 'allOf', 'additionalProperties', 'deprecated'],
  ...['minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'pattern'],
])

/** Choices in which the SDK is newer than the description: both count. */
const NEWER_IN_SDK: Readonly<Record<string, string>> = {
  LLM: 'Llm',
  TTSConversationalModel: 'TtsConversationalModel',
  WebhookEventType: 'WebhookEventType',
}

/** Fields in which the SDK is newer: its serialisation requires them of an answer. */
const FIELDS_OF_SDK: Readonly<Record<string, Json>> = {
  AgentSummaryResponseModel: { voice_id: { type: 'string' } },
}

const [file, date] = process.argv.slice(2)
if (file === undefined || date === undefined) throw new Error('which openapi.json, and of which date?')
const api = JSON.parse(readFileSync(file, 'utf8')) as { paths: Record<string, Json>; components: { schemas: Json } }
const load = createRequire(import.meta.url)
const sdk = load('@elevenlabs/elevenlabs-js') as { ElevenLabs: Record<string, Record<string, string>> }
const { version } = load('@elevenlabs/elevenlabs-js/package.json') as { version: string }
const definitions: Json = {}

const routes = Object.fromEntries(ROUTES.map(([method, path]) => [`${method} ${path}`, describe(method, path)]))
const lines = (part: Json): string =>
  Object.keys(part)
    .sort()
    .map((name) => `    ${JSON.stringify(name)}: ${JSON.stringify(part[name])}`)
    .join(',\n')
const head = { source: SOURCE, date, newer_parts_of: `@elevenlabs/elevenlabs-js ${version}` }
writeFileSync(
  TARGET,
  `{\n  "head": ${JSON.stringify(head)},\n  "routes": {\n${lines(routes)}\n  },\n  "schemas": {\n${lines(definitions)}\n  }\n}\n`,
)

function describe(method: string, path: string): Json {
  const operation = api.paths[path]?.[method.toLowerCase()] as Json | undefined
  if (operation === undefined) throw new Error(`the description has no ${method} ${path}`)
  const content = (part: unknown): Json => ((part as Json | undefined)?.content ?? {}) as Json
  const schemaOf = (part: unknown): unknown => (content(part)['application/json'] as Json | undefined)?.schema
  // A form has the same kind of schema as a body of JSON.
  const form = (content(operation.requestBody)['multipart/form-data'] as Json | undefined)?.schema
  const body = schemaOf(operation.requestBody) ?? form
  const reply = (operation.responses as Json)['200']
  const replySchema = schemaOf(reply)
  return {
    ...(body === undefined ? {} : { body: facts(body) }),
    ...(replySchema === undefined ? {} : { reply: facts(replySchema) }),
    replyType: Object.keys(content(reply))[0],
  }
}

/** The schema without prose; what it refers to comes with it. */
function facts(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(facts)
  if (typeof schema !== 'object' || schema === null) return schema
  const { $ref: reference, ...rest } = schema as Json
  const kept: Json = {}
  for (const [key, value] of Object.entries(rest)) {
    if (key === 'properties') kept.properties = mapValues(value as Json, facts)
    else if (KEYWORDS.has(key)) kept[key] = facts(value)
    else if (key === 'x-fern-enum') kept.deprecatedValues = deprecatedIn(value as Record<string, Json>)
  }
  if (typeof reference === 'string') kept.ref = define(reference.slice(REF.length))
  return kept
}

function define(name: string): string {
  if (name in definitions) return name
  definitions[name] = {}
  // What is sent and what is answered are two schemas of one name.
  const schema = api.components.schemas[name] as Json
  if (UNREAD.has(name.replace(/-(?:Input|Output)$/, ''))) {
    definitions[name] = constantsOf(schema)
    return name
  }
  const described = facts(schema) as Json
  const newer = Object.values(sdk.ElevenLabs[NEWER_IN_SDK[name] ?? ''] ?? {})
  const choices = newer.length === 0 ? {} : { enum: [...new Set([...(described.enum as string[]), ...newer])] }
  const fields = FIELDS_OF_SDK[name]
  const properties = fields === undefined ? {} : { properties: { ...(described.properties as Json), ...fields } }
  definitions[name] = { ...described, ...choices, ...properties }
  return name
}

/** What tells an object from its alternatives. */
function constantsOf({ properties = {} }: Json): Json {
  const constants = Object.entries(properties as Record<string, Json>).filter(([, each]) => each.const !== undefined)
  if (constants.length === 0) return {}
  return {
    properties: Object.fromEntries(constants.map(([name, each]) => [name, { const: each.const }])),
    additionalProperties: true,
  }
}

function deprecatedIn(choices: Record<string, Json>): string[] {
  return Object.keys(choices).filter((choice) => choices[choice]?.deprecated === true)
}

function mapValues(values: Json, change: (value: unknown) => unknown): Json {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]))
}
