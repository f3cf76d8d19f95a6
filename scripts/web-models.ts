// What the page knows of the models, as TypeScript, out of the API document: types only, nothing of it is loaded by a browser.
interface Schema {
  $ref?: string
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  items?: Schema
  prefixItems?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
  title?: string
}

interface Operation {
  summary?: string
  requestBody?: { content: Record<string, { schema: Schema }> }
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>
}

export interface ApiDocument {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}

/** Methods that every model has: the client of the page has functions for them. */
const GENERIC = [
  'search',
  'search_count',
  'search_read',
  'read_group',
  'read',
  'create',
  'write',
  'unlink',
  'fields_get',
  'name_search',
]
const CHATTER = ['message_post', 'message_list']
const HEAD = `// Written by scripts/make-web-models.ts from the API document, before each run of the tests; git ignores it.

/** A link as it is read: the id and the name of the record. */
export type Link = [id: number, name: string]

/** A record of each model, as it is read. */
export interface Models {`

/** The file `web/data/models.gen.ts` for this document. */
export function writeModelTypes({ paths, components: { schemas } }: ApiDocument): string {
  const names = Object.keys(schemas).filter((name) => Object.hasOwn(schemas, `${name}.field`))
  const models = names.map(
    (name) => `  /** ${labelOf(schemas[name])} */\n  '${name}': ${objectType(schemas[name] ?? {}, '  ')}`,
  )
  const methods = names.map((name) => `  '${name}': {${methodsOf(paths, name).join('')}\n  }`)
  return [
    HEAD,
    models.join('\n'),
    '}\n',
    '/** The methods that a model has of its own: what they take and answer. */',
    'export interface Methods {',
    methods.join('\n'),
    '}\n',
  ].join('\n')
}

/** The pattern of withheld numbers, which the page tells apart as the service does. */
export function writeWithheld(pattern: string): string {
  return `/** Written by scripts/make-web-models.ts from src/withheld.ts; a test says when it is out of date. */\nexport const WITHHELD =\n  '${pattern}'\n`
}

/** The languages that the service knows, by their codes; the page has names for them in the reader's language. */
export function writeLanguages(codes: readonly string[]): string {
  const lines = codes.map((code) => `  '${code}',`).join('\n')
  return `/** Written by scripts/make-web-models.ts from src/platform/geography; a test says when it is out of date. */\nexport const LANGUAGE_CODES: readonly string[] = [\n${lines}\n]\n`
}

/** What each kind of record is called, for pages that meet its name. */
export function writeModelLabels({ components: { schemas } }: ApiDocument): string {
  const names = Object.keys(schemas).filter((name) => Object.hasOwn(schemas, `${name}.field`))
  const lines = names.map((name) => `  '${name}': ${literal(labelOf(schemas[name]))},`).join('\n')
  return `/** Written by scripts/make-web-models.ts from the models; a test says when it is out of date. */\nexport const MODEL_LABELS: Readonly<Record<string, string>> = {\n${lines}\n}\n`
}

/** What the service says before a menu in each language, as long as nobody has written something else. */
export function writePresetPrompts(texts: Readonly<Record<string, string>>): string {
  const quoted = (text: string) => (text.includes("'") ? JSON.stringify(text) : `'${text}'`)
  const lines = Object.values(texts).map((text) => `  ${quoted(text)},`)
  return `/** Written by scripts/make-web-models.ts from src/telco/sentences; a test says when it is out of date. */\nexport const PRESET_PROMPTS: readonly string[] = [\n${lines.join('\n')}\n]\n`
}

function labelOf(schema: Schema & { description?: string } = {}): string {
  return schema.description ?? ''
}

function methodsOf(paths: ApiDocument['paths'], model: string): string[] {
  const prefix = `/json/2/${model}/`
  return Object.entries(paths).flatMap(([path, { post }]) => {
    const method = path.slice(prefix.length)
    if (!path.startsWith(prefix) || post === undefined || [...GENERIC, ...CHATTER].includes(method)) return []
    const { context: _context, ...properties } = schemaOf(post.requestBody?.content).properties ?? {}
    const { required } = schemaOf(post.requestBody?.content)
    const args = objectType({ properties, ...(required === undefined ? {} : { required }) }, '      ')
    const result = typeOf(schemaOf(post.responses[200]?.content), '      ')
    return [`\n    /** ${post.summary ?? ''} */\n    ${method}: {\n      args: ${args}\n      result: ${result}\n    }`]
  })
}

function schemaOf(content: Record<string, { schema: Schema }> | undefined): Schema {
  return content?.['application/json']?.schema ?? {}
}

/** Properties of a record are there when they were asked for; the client says which. */
function objectType({ properties = {}, required = [] }: Schema, indent: string): string {
  const isRecord = 'display_name' in properties
  const lines = Object.entries(properties).map(([name, schema]) => {
    const mark = isRecord || required.includes(name) ? '' : '?'
    const title = schema.title === undefined ? '' : `${indent}  /** ${schema.title} */\n`
    return `${title}${indent}  ${/^\w+$/.test(name) ? name : `'${name}'`}${mark}: ${typeOf(schema, `${indent}  `)}`
  })
  return lines.length === 0 ? 'Record<string, never>' : `{\n${lines.join('\n')}\n${indent}}`
}

function typeOf(schema: Schema, indent: string): string {
  if (schema.$ref !== undefined) return schema.$ref.endsWith('/Link') ? 'Link' : 'unknown'
  if (schema.anyOf !== undefined) return union(schema.anyOf.map((each) => typeOf(each, indent)))
  if (schema.const !== undefined) return literal(schema.const)
  if (schema.enum !== undefined) return union(schema.enum.map(literal))
  if (Array.isArray(schema.type)) return union(schema.type.map((type) => typeOf({ ...schema, type }, indent)))
  switch (schema.type) {
    case 'integer':
    case 'number':
      return 'number'
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type
    case 'array':
      return arrayType(schema, indent)
    case 'object':
      return schema.properties === undefined ? mapType(schema, indent) : objectType(schema, indent)
    default:
      return 'unknown'
  }
}

function arrayType({ items, prefixItems }: Schema, indent: string): string {
  if (prefixItems !== undefined) return `[${prefixItems.map((each) => typeOf(each, indent)).join(', ')}]`
  return `${wrapped(items === undefined ? 'unknown' : typeOf(items, indent))}[]`
}

function mapType({ additionalProperties: values }: Schema, indent: string): string {
  return `Record<string, ${typeof values === 'object' ? typeOf(values, indent) : 'unknown'}>`
}

function literal(value: unknown): string {
  return typeof value === 'string' ? `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'` : String(value)
}

function union(types: string[]): string {
  const distinct = [...new Set(types)]
  return distinct.includes('unknown') ? 'unknown' : distinct.join(' | ')
}

function wrapped(type: string): string {
  return type.includes(' | ') ? `(${type})` : type
}
