import { FOR_PEOPLE } from './refusals-for-people.ts'
import { FOR_PROGRAMS } from './refusals-for-programs.ts'

/** Every sentence that refuses something, by its code. A code stays when its sentence is worded better. */
const SENTENCES = { ...FOR_PEOPLE, ...FOR_PROGRAMS }

const PLACE = /\{\{(\w+)\}\}/g

export type RefusalCode = keyof typeof SENTENCES

type PlacesOf<Sentence> = Sentence extends `${string}{{${infer Name}}}${infer Rest}` ? Name | PlacesOf<Rest> : never

/** What a sentence is about, by name. */
type ParamsOf<Code extends RefusalCode> = Readonly<Record<PlacesOf<(typeof SENTENCES)[Code]>, string | number>>

/** Codes of sentences that are about nothing in particular. */
export type PlainCode = {
  [Code in RefusalCode]: PlacesOf<(typeof SENTENCES)[Code]> extends never ? Code : never
}[RefusalCode]

/** The arguments after a code: its params, unless its sentence has no places, then whatever else. */
export type After<Code extends RefusalCode, Options = never> = [PlacesOf<(typeof SENTENCES)[Code]>] extends [never]
  ? [params?: ParamsOf<Code>, options?: Options]
  : [params: ParamsOf<Code>, options?: Options]

/** What is said of something that is refused. */
export interface Said {
  readonly code: RefusalCode
  readonly params: Readonly<Record<string, string>>
  /** The sentence of the code with its params filled in. */
  readonly message: string
}

/** Says a code, as the API answers it. */
export function sayRefusal<Code extends RefusalCode>(code: Code, ...[given]: After<Code>): Said {
  const params = Object.fromEntries(
    Object.entries<string | number>(given ?? {}).map(([name, value]) => [name, String(value)]),
  )
  const message = SENTENCES[code].replaceAll(PLACE, (_, name: string) => params[name] ?? '')
  return { code, params, message }
}
