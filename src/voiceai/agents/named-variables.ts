/** A longer name, or more of them, is a mistake in a prompt and no variable. */
const NAME_CHARS_MAX = 200
const NAMES_MAX = 500
/** Variables of the platform itself: it always has them, and refuses them from anybody else. */
const PROVIDER_PREFIX = 'system__'

const MENTION = /\{\{\s*([\w.-]+)\s*\}\}/g
/** Keys of a configuration whose text is the name of a variable, in our rows, in the SDK and on the wire. */
const NAMING_KEYS: ReadonlySet<string> = new Set([
  'dynamic_variable',
  'dynamicVariable',
  'variable_name',
  'variableName',
])
/** Parts that name variables without needing them. */
const OTHER_KEYS: ReadonlySet<string> = new Set(['dynamicVariables', 'dynamic_variables', 'assignments'])

/** Every dynamic variable that a text names as `{{name}}`, or that a configuration names at any depth; each once. */
export function variablesIn(value: unknown): string[] {
  const names = new Set<string>()
  collect(value, names)
  return [...names].slice(0, NAMES_MAX)
}

function collect(value: unknown, names: Set<string>): void {
  if (typeof value === 'string') {
    for (const [, name = ''] of value.matchAll(MENTION)) add(name, names)
    return
  }
  if (typeof value !== 'object' || value === null) return
  for (const [key, inner] of Object.entries(value)) {
    if (OTHER_KEYS.has(key)) continue
    if (NAMING_KEYS.has(key) && typeof inner === 'string') add(inner, names)
    else collect(inner, names)
  }
}

function add(name: string, names: Set<string>): void {
  if (name !== '' && name.length <= NAME_CHARS_MAX && !name.startsWith(PROVIDER_PREFIX)) names.add(name)
}
