/** What a method asks for, as fields of a form; pure. */
import type { FieldInfo } from '../data/queries.ts'

/** A text that may be longer than this is written in several lines. */
const LINE_CHARS_MAX = 200
/** What is typed in the form of the record and not saved; the page fills it in. */
const UNSAVED = 'unsaved'

/** A method of a model as the service describes it. */
export interface MethodInfo {
  label: string
  arguments: { properties?: Record<string, unknown>; required?: string[] }
  allowed: boolean
  /** The access that calling it takes, such as `write`. */
  takes?: string
  confirm?: string
  danger?: boolean
}

/** In the reader's language, as far as there are words. */
type Worded = (english: string) => string

interface Schema {
  type?: string
  description?: string
  maxLength?: number
  const?: unknown
  anyOf?: Schema[]
  items?: Schema
  properties?: Record<string, unknown>
}

/** Between keys and words that come one after the other. */
const NEXT_INPUT = /[,;\n]/
const KEYS = /^[0-9*#]{1,64}$/

/** One field for each argument, in their order; what no input fits is written as JSON. */
export function argumentFields({ arguments: args }: Pick<MethodInfo, 'arguments'>, worded: Worded): FieldInfo[] {
  const required = args.required ?? []
  const asked = Object.entries(args.properties ?? {}).filter(([name]) => name !== UNSAVED)
  return asked.map(([name, schema]) => {
    const { choices, inner } = readSchema(schema as Schema)
    const words = isPressedOrSaid(schema as Schema) ? 'Keys or words' : wordsOf(name)
    return {
      ...{ name, string: worded(words), help: (schema as Schema).description ?? null },
      ...{ readonly: false, store: false, secret: false, protected: false },
      required: required.includes(name),
      ...(choices === undefined
        ? { type: isPressedOrSaid(inner) ? 'char' : typeOf(inner) }
        : {
            type: 'selection',
            selection: choices.map((choice): [string, string] => [choice, worded(wordsOf(choice))]),
          }),
    }
  })
}

/** Whether it can be done with what is typed and not saved. */
export function takesUnsaved({ arguments: args }: Pick<MethodInfo, 'arguments'>): boolean {
  return UNSAVED in (args.properties ?? {})
}

/** Without "or null", which an empty input says; choices where it is one of several words. */
function readSchema(schema: Schema): { choices: string[] | undefined; inner: Schema } {
  const parts = (schema.anyOf ?? [schema]).filter(({ type }) => type !== 'null')
  const words = parts.map(({ const: word }) => word)
  if (words.length > 1 && words.every((word) => typeof word === 'string')) return { choices: words, inner: schema }
  const [only, ...others] = parts
  return { choices: undefined, inner: only === undefined || others.length > 0 ? {} : only }
}

function typeOf({ type, maxLength = 0 }: Schema): string {
  switch (type) {
    case 'boolean':
    case 'integer':
      return type
    case 'number':
      return 'float'
    case 'string':
      return maxLength > LINE_CHARS_MAX ? 'text' : 'char'
    default:
      return 'json'
  }
}

/** `partner_id` is "Partner id". */
function wordsOf(name: string): string {
  const words = name.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Whether it is a list of keys that are pressed and words that are said, in their order. */
function isPressedOrSaid({ type, items }: Schema): boolean {
  return type === 'array' && items?.anyOf?.some(({ properties }) => properties?.press !== undefined) === true
}

/** "1, support" as what is pressed and said, one after the other. */
function pressedOrSaid(text: string): ({ press: string } | { say: string })[] {
  const parts = text.split(NEXT_INPUT).map((part) => part.trim())
  return parts.filter((part) => part !== '').map((part) => (KEYS.test(part) ? { press: part } : { say: part }))
}

/** What was filled in, as the method takes it; an argument that was left empty is left out. */
export function filledIn(
  values: Readonly<Record<string, unknown>>,
  { arguments: args }: Pick<MethodInfo, 'arguments'>,
): Record<string, unknown> {
  const filled = Object.entries(values).filter(([, value]) => value !== undefined && value !== null)
  return Object.fromEntries(
    filled.map(([name, value]) => {
      const schema = args.properties?.[name] as Schema | undefined
      const isList = typeof value === 'string' && schema !== undefined && isPressedOrSaid(schema)
      return [name, isList ? pressedOrSaid(value) : value]
    }),
  )
}
