import { type TSchema, Type } from 'typebox'
import { cutToBytes } from '../../cut-to-bytes.ts'
import { Refusal } from '../../errors.ts'
import { readFlag, readId, readText } from '../../lenient-values.ts'
import type { PlainCode } from '../../refusals.ts'

const BYTES_PER_KB = 1024
/** Characters of a one-line argument, such as a subject or a name. */
const LINE_CHARS_MAX = 1_000
/** Characters of a longer one, such as a description. */
export const TEXT_CHARS_MAX = 100_000

/**
 * Who fills an argument: the agent, by the words it reads, or the platform, from the dynamic variable of the same name.
 * `isAlwaysAsked`: the agent is to fill it, although the tool works without it.
 */
type ArgumentSource = { agent: string; isAlwaysAsked?: boolean } | 'variable'

/** One argument of a tool: how it is pushed to the platform, how the API document shows it, and how it is read. */
export interface Argument<Value> {
  type: 'string' | 'integer' | 'boolean'
  /** Without it the API document does not show the argument. */
  schema?: TSchema
  isRequired: boolean
  /** Without it the platform does not know of the argument; anyone who sends it all the same is understood. */
  from?: ArgumentSource | undefined
  /**
   * The value that was sent under the name; throws a refusal when it is missing or unusable. `remark` is told what the log of
   * deliveries is to say of it.
   */
  read(sent: unknown, name: string, remark?: (sentence: string) => void): Value
}

interface ArgumentOptions {
  from?: ArgumentSource
  /** The sentence of the refusal when it is missing; without it the argument may be left out. */
  required?: PlainCode
}

interface TextOptions extends ArgumentOptions {
  default?: string
  charsMax?: number
  /** In place of a number of characters. */
  bytesMax?: number
  /** A longer one is cut and not refused: what it belongs to is worth more than its end. */
  isCut?: boolean
  /** One without a letter or a digit, such as an emoji alone, says nothing and counts as left out. */
  isWorded?: boolean
  /** What the API document says of it. */
  says?: string
}

type Always = { required: PlainCode } | { default: string }

/** A text, trimmed; a number counts as its digits. */
export function text(options: TextOptions & Always): Argument<string>
export function text(options: TextOptions): Argument<string | undefined>
export function text({
  from,
  required,
  default: standard,
  bytesMax,
  charsMax = bytesMax ?? LINE_CHARS_MAX,
  isCut = false,
  isWorded = false,
  says,
}: TextOptions): Argument<string | undefined> {
  return {
    type: 'string',
    schema: Type.Union([Type.String(), Type.Number()], says === undefined ? {} : { description: says }),
    isRequired: required !== undefined,
    from,
    read(sent, name, remark) {
      const reading = readText(sent, isCut ? Number.POSITIVE_INFINITY : charsMax)
      if (reading.kind === 'present' && !(isWorded && !/[\p{L}\p{N}]/u.test(reading.value))) {
        return withinLimit(reading.value, name, { charsMax, bytesMax, remark })
      }
      if (reading.kind !== 'invalid') return standard ?? missing(required)
      throw new Refusal('malformed', 'agent-text-too-long', { name, chars: charsMax })
    },
  }
}

interface Cutting {
  charsMax: number
  bytesMax: number | undefined
  remark: ((sentence: string) => void) | undefined
}

/** The text, or its beginning where it is too long. */
function withinLimit(value: string, name: string, { charsMax, bytesMax, remark }: Cutting): string {
  if (bytesMax !== undefined) {
    const cut = cutToBytes(value, bytesMax)
    if (cut !== value) remark?.(`The ${name} was cut to ${bytesMax / BYTES_PER_KB} kB.`)
    return cut
  }
  if (value.length <= charsMax) return value
  remark?.(`The ${name} was cut to ${charsMax} characters.`)
  // Not in the middle of a character of two halves.
  return `${value.slice(0, charsMax - 1).replace(/[\uD800-\uDBFF]$/, '')}…`
}

interface IdOptions extends ArgumentOptions {
  /** What is no id counts as left out. */
  isLenient?: boolean
  /** The platform is to fill it; what comes of an empty one, the tool decides. */
  isAlwaysFilled?: boolean
}

/** The id of a record: a number, or its digits, because dynamic variables are texts. */
export function recordId(options: IdOptions & { required: PlainCode }): Argument<number>
export function recordId(options: IdOptions): Argument<number | undefined>
export function recordId({
  from,
  required,
  isLenient = false,
  isAlwaysFilled = required !== undefined,
}: IdOptions): Argument<number | undefined> {
  return {
    type: 'integer',
    schema: Type.Union([Type.Integer(), Type.String()]),
    isRequired: isAlwaysFilled,
    from,
    read(sent, name) {
      const reading = readId(sent)
      if (reading.kind === 'present') return reading.value
      if (reading.kind === 'absent' || isLenient) return missing(required)
      throw new Refusal('malformed', 'agent-not-a-number', { name })
    },
  }
}

/** A yes or no; whatever is not plainly a yes is a no. */
export function flag({ from }: Pick<ArgumentOptions, 'from'>): Argument<boolean> {
  const schema = Type.Union([Type.Boolean(), Type.String(), Type.Number()])
  return { type: 'boolean', schema, isRequired: false, from, read: readFlag }
}

function missing(required: PlainCode | undefined): undefined {
  if (required !== undefined) throw new Refusal('malformed', required)
  return undefined
}
