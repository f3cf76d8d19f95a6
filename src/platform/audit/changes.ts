import type { Field } from '../model/fields.ts'
import type { Model } from '../model/model.ts'

/** What stands for a value that the audit does not keep. */
const CHANGED = 'changed'
/** Characters of a text that the audit keeps; a prompt has versions of its own. */
const TEXT_CHARS_MAX = 1_000
/** Characters of texts in many languages that it keeps: they are one value. */
const TEXTS_CHARS_MAX = 20_000
/** Written with every change. */
const OWN = ['id', 'write_date', 'write_uid', 'create_uid', 'create_date']
const WORDS: readonly string[] = ['char', 'text', 'html', 'json', 'binary']

/**
 * What was written, field by field, as `[before, after]`; undefined when nothing differs. Secrets are only said to have
 * changed, and so is what a model says of people outside: anyone who erases a person finds nothing of them here.
 */
export function changesOf(
  model: Model,
  before: Readonly<Record<string, unknown>>,
  after: Iterable<readonly [string, unknown]>,
): object | undefined {
  const changes: Record<string, unknown> = {}
  for (const [name, value] of after) {
    const field = model.fields[name]
    if (field === undefined || OWN.includes(name)) continue
    const [was, is] = [plain(before[name]), plain(value)]
    if (was === is) continue
    changes[name] = isKept(model, field, [was, is]) ? [was, is] : CHANGED
  }
  return Object.keys(changes).length === 0 ? undefined : changes
}

function isKept(model: Model, field: Field, values: readonly unknown[]): boolean {
  if (field.kind === 'secret' || field.isProtected === true || field.groups?.length === 0) return false
  if (model.isAboutPeople === true && WORDS.includes(field.kind)) return false
  const charsMax = field.widget === 'texts_by_language' ? TEXTS_CHARS_MAX : TEXT_CHARS_MAX
  return values.every((value) => typeof value !== 'string' || value.length <= charsMax)
}

/** A value that JSON has, comparable by itself. */
function plain(value: unknown): string | number | boolean | null {
  if (value === undefined || value === null) return null
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value
  return Buffer.isBuffer(value)
    ? `${value.length} bytes ${value.toString('base64', 0, TEXT_CHARS_MAX)}`
    : JSON.stringify(value)
}
