import { Liquid, type Template } from 'liquidjs'
import { forgetOldest } from '../../forget-oldest.ts'
import { legalText } from '../markup/verb.ts'

/** Characters of one template; the documents made of it may have no more bytes. */
export const TEMPLATE_CHARS_MAX = 64 * 1024
/** Characters of one field of a request that a template gets to see. */
const FIELD_CHARS_MAX = 4_096
/** A template takes well under a millisecond; one that loops is stopped before the caller notices. */
const RENDER_MS_MAX = 50
const RENDER_ATTEMPTS_MAX = 2
const OBJECTS_MAX = 200_000
/** Parsed templates in memory. */
const PARSED_MAX = 100

/** All that a template can do. Nothing reads files, and nothing lets a value through unescaped. */
const TAGS = new Set(['#', 'assign', 'break', 'case', 'comment', 'continue', 'else', 'elsif', 'for', 'if', 'unless'])
const FILTERS = new Set([
  ...['append', 'capitalize', 'default', 'downcase', 'lstrip', 'prepend', 'remove', 'remove_first', 'remove_last'],
  ...['replace', 'replace_first', 'replace_last', 'rstrip', 'size', 'slice', 'split', 'strip', 'truncate', 'upcase'],
  ...['abs', 'at_least', 'at_most', 'ceil', 'divided_by', 'floor', 'minus', 'modulo', 'plus', 'round', 'times'],
  ...['date', 'first', 'join', 'last', 'url_encode'],
])

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}

const engine = createEngine()
const parsed = new Map<string, Template[]>()

/** Fills a template with fields of a request, each value escaped. Throws when the template is wrong or takes too much. */
export function fillTemplate(template: string, fields: Readonly<Record<string, string>>): string {
  const [ready, variables] = [parse(template), variablesOf(fields)]
  for (let attempt = 1; ; attempt += 1) {
    try {
      return String(engine.renderSync(ready, variables)).trimStart()
    } catch (error) {
      // The limit counts the time of day: on a busy machine the process may have stood still for all of it.
      if (!isOutOfTime(error) || attempt === RENDER_ATTEMPTS_MAX) throw error
    }
  }
}

function isOutOfTime(error: unknown): boolean {
  return error instanceof Error && error.message.includes('template render limit exceeded')
}

/** Why a template cannot be filled, in the engine's words; undefined when it can. */
export function templateProblem(template: string): string | undefined {
  if (template.length > TEMPLATE_CHARS_MAX) return `It has more than ${TEMPLATE_CHARS_MAX} characters.`
  try {
    engine.parse(template)
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

function parse(template: string): Template[] {
  const known = parsed.get(template)
  if (known !== undefined) return known
  const fresh = engine.parse(template)
  parsed.set(template, fresh)
  forgetOldest(parsed, PARSED_MAX)
  return fresh
}

/** Cleaned before the template sees them, so that what is empty in the end counts as empty in its conditions. */
function variablesOf(fields: Readonly<Record<string, string>>): Record<string, string> {
  const variables: Record<string, string> = Object.create(null)
  for (const [name, value] of Object.entries(fields)) variables[name] = legalText(value.slice(0, FIELD_CHARS_MAX))
  return variables
}

function createEngine(): Liquid {
  const liquid = new Liquid({
    templates: {},
    strictFilters: true,
    ownPropertyOnly: true,
    outputEscape: escapeValue,
    parseLimit: TEMPLATE_CHARS_MAX,
    renderLimit: RENDER_MS_MAX,
    memoryLimit: OBJECTS_MAX,
    timezoneOffset: 0,
    locale: 'en-US',
  })
  allowOnly(liquid.tags, TAGS)
  allowOnly(liquid.filters, FILTERS)
  // Templates written for engines that do not escape by themselves stay right: every value is escaped once.
  for (const name of ['escape', 'xml_escape']) liquid.registerFilter(name, (value: unknown) => value)
  return liquid
}

function allowOnly(all: Record<string, unknown>, allowed: ReadonlySet<string>): void {
  // Names such as `constructor` must not be found on the prototype.
  Object.setPrototypeOf(all, null)
  for (const name of Object.keys(all)) if (!allowed.has(name)) delete all[name]
}

function escapeValue(value: unknown): string {
  return legalText(String(value ?? '')).replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? '')
}
