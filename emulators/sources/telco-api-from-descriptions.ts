// Reads what the provider publishes of its REST API and writes, as data for the emulator, what each request may hold and what
// its answer holds: names, types, choices, required parts; no prose, nothing open.
// `node emulators/sources/telco-api-from-descriptions.ts <folder> <date> [file]`, with the folder that holds the files below
// of https://github.com/twilio/twilio-oai (spec/json), then `biome check --write emulators`.
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const FILES = [
  'twilio_api_v2010.json',
  'twilio_messaging_v2.json',
  'twilio_content_v1.json',
  'twilio_routes_v2.json',
  'twilio_pricing_v1.json',
  'twilio_numbers_v2.json',
]
const METHODS = ['get', 'post', 'put', 'delete'] as const
/** What the emulator answers; the provider has some hundreds more. */
const ACCOUNT = '/2010-04-01/Accounts/{AccountSid}'
const PATHS = [
  ...['Applications', 'IncomingPhoneNumbers', 'OutgoingCallerIds', 'Calls', 'Recordings', 'Messages'].flatMap(
    (name) => [`${ACCOUNT}/${name}.json`, `${ACCOUNT}/${name}/{Sid}.json`],
  ),
  ...['Calls/{CallSid}/Recordings', 'SIP/Domains', 'SIP/CredentialLists'].flatMap((name) => [
    `${ACCOUNT}/${name}.json`,
    `${ACCOUNT}/${name}/{Sid}.json`,
  ]),
  `${ACCOUNT}/SIP/CredentialLists/{CredentialListSid}/Credentials.json`,
  `${ACCOUNT}/SIP/CredentialLists/{CredentialListSid}/Credentials/{Sid}.json`,
  ...['Calls', 'Registrations'].flatMap((kind) => [
    `${ACCOUNT}/SIP/Domains/{DomainSid}/Auth/${kind}/CredentialListMappings.json`,
    `${ACCOUNT}/SIP/Domains/{DomainSid}/Auth/${kind}/CredentialListMappings/{Sid}.json`,
  ]),
  `${ACCOUNT}/Messages/{MessageSid}/Media.json`,
  `${ACCOUNT}/Balance.json`,
  `${ACCOUNT}/Addresses.json`,
  `${ACCOUNT}/AvailablePhoneNumbers.json`,
  ...['Local', 'Mobile', 'TollFree'].map((kind) => `${ACCOUNT}/AvailablePhoneNumbers/{CountryCode}/${kind}.json`),
  '/v2/Channels/Senders',
  '/v2/Channels/Senders/{Sid}',
  '/v1/Content',
  '/v1/Content/{Sid}',
  '/v1/Content/{Sid}/ApprovalRequests',
  '/v1/Content/{ContentSid}/ApprovalRequests/whatsapp',
  '/v1/ContentAndApprovals',
  '/v2/PhoneNumbers/{PhoneNumber}',
  '/v1/PhoneNumbers/Countries/{IsoCountry}',
  '/v2/RegulatoryCompliance/Bundles',
  '/v2/RegulatoryCompliance/Regulations',
]
/** What of a schema is a fact and not prose. */
const FACTS = ['type', 'enum', 'pattern', 'minLength', 'maxLength', 'minimum', 'maximum', 'required'] as const
const DEPTH_MAX = 12

type Json = Record<string, unknown>

const [folder, date, target = path.join(import.meta.dirname, '../telco/rest/api-description.json')] =
  process.argv.slice(2)
if (folder === undefined || date === undefined) throw new Error('name the folder of the descriptions and their date')
const operations = FILES.flatMap((file) => operationsOf(JSON.parse(readFileSync(path.join(folder, file), 'utf8'))))
const missing = PATHS.filter((each) => !operations.some((operation) => operation.path === each))
if (missing.length > 0) throw new Error(`the descriptions do not have ${missing.join(', ')}`)
const source = `https://github.com/twilio/twilio-oai, spec/json, ${date}: ${FILES.join(', ')}`
writeFileSync(target, `${JSON.stringify({ source, operations }, undefined, 2)}\n`)

function operationsOf(description: Json) {
  return PATHS.flatMap((name) =>
    METHODS.flatMap((method) => {
      const operation = at(description, 'paths', name, method)
      return operation === undefined
        ? []
        : [{ method: method.toUpperCase(), path: name, ...partsOfCall(operation, description) }]
    }),
  )
}

function partsOfCall(operation: Json, description: Json): Json {
  const answers = Object.entries(at(operation, 'responses') ?? {})
  const [status = '', answer] = answers.find(([each]) => each.startsWith('2')) ?? []
  const schemas = {
    form: at(operation, 'requestBody', 'content', 'application/x-www-form-urlencoded', 'schema'),
    json: at(operation, 'requestBody', 'content', 'application/json', 'schema'),
    reply: at(answer, 'content', 'application/json', 'schema'),
  }
  const described = Object.entries(schemas).flatMap(([part, schema]) =>
    schema === undefined ? [] : [[part, schemaOf(schema, description)]],
  )
  return { query: queryOf(operation, description), status: Number(status), ...Object.fromEntries(described) }
}

function queryOf(operation: Json, description: Json): Json {
  const parameters = (operation.parameters ?? []) as Json[]
  const found = parameters.filter((parameter) => parameter.in === 'query')
  return Object.fromEntries(found.map(({ name, schema }) => [String(name), schemaOf(schema as Json, description)]))
}

/** The facts of a schema, references filled in; an object that names its parts has no others. */
function schemaOf(written: Json, description: Json, depth = 0): Json {
  const { $ref: reference, nullable } = written
  if (depth > DEPTH_MAX) return {}
  if (typeof reference === 'string') {
    const named = at(description, ...reference.replace(/^#\//, '').split('/')) ?? {}
    return schemaOf({ ...named, ...(nullable === true ? { nullable } : {}) }, description, depth + 1)
  }
  const facts = Object.fromEntries(FACTS.flatMap((fact) => (fact in written ? [[fact, written[fact]]] : [])))
  // Amounts are described as numbers and come as texts, which the description says apart.
  const sentAs = at(written, 'x-twilio', 'overrideType')
  const own = sentAs === undefined ? facts : { ...facts, type: sentAs }
  const inside = (schema: unknown): Json => schemaOf(schema as Json, description, depth + 1)
  return orNull({ ...own, ...partsOf(written, inside) }, nullable)
}

function partsOf({ properties, items, additionalProperties }: Json, inside: (schema: unknown) => Json): Json {
  const parts: Json = items === undefined ? {} : { items: inside(items) }
  if (properties === undefined) {
    return typeof additionalProperties === 'object'
      ? { ...parts, additionalProperties: inside(additionalProperties) }
      : parts
  }
  const named = Object.entries(properties as Json).map(([name, part]) => [name, inside(part)])
  return { ...parts, properties: Object.fromEntries(named), additionalProperties: false }
}

/** The descriptions are older than `null` as a type. */
function orNull(facts: Json, nullable: unknown): Json {
  if (nullable !== true || facts.type === undefined) return facts
  const choices = Array.isArray(facts.enum) ? { enum: [...facts.enum, null] } : {}
  return { ...facts, type: [facts.type, 'null'], ...choices }
}

function at(value: unknown, ...names: string[]): Json | undefined {
  let found: unknown = value
  for (const name of names) {
    if (typeof found !== 'object' || found === null) return undefined
    found = (found as Json)[name]
  }
  return found as Json | undefined
}
