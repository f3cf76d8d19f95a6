import type { PropertySchema, Tool } from '../workspace.ts'
import type { Conversation } from './conversation.ts'
import type { Turn } from './script.ts'
import type { ToolArguments } from './tool-request.ts'

/** Words with which people ask for what tools are called by. */
const SAID_FOR: Readonly<Record<string, readonly string[]>> = {
  create: [
    'create',
    'open',
    'make',
    'new',
    'book',
    'arrange',
    'broken',
    'leaks',
    'wrong',
    'buchen',
    'vereinbaren',
    'eröffnen',
    'falsch',
  ],
  search: ['search', 'find', 'look', 'suchen', 'finden'],
  fetch: ['fetch', 'show', 'status', 'zeigen'],
  update: ['update', 'change', 'ändern'],
  ticket: ['ticket', 'tickets', 'problem', 'broken', 'leaks', 'wrong', 'kaputt', 'tropft', 'falsch'],
  event: ['event', 'meeting', 'appointment', 'visit', 'termin', 'besuch'],
  partner: ['contact', 'partner', 'name', 'kontakt'],
  transfer: ['transfer', 'connect', 'colleague', 'person', 'verbinden', 'mitarbeiter', 'mensch', 'menschen'],
}
/** What the prompt of the set-up tells of the firm, under these headings, is known like a document. */
const KNOWN_PARTS = /^# (?:What the firm does|Opening hours|Was die Firma macht|Öffnungszeiten)[^\n]*\n[^#]+/gm
/** What prompts call the ids that tools want. */
const IDS: Readonly<Record<string, RegExp>> = {
  user_id: /\b(?:user id|Benutzer-Kennung) (\d+)/i,
  exten: /\b(?:extension|Nebenstelle) (\d+)/i,
}
/** Tools answer in English, which a language model says in the language of the caller. */
const DONE_IN: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  de: {
    calendar_create_event: 'Der Termin ist gebucht.',
    helpdesk_create_ticket: 'Das Ticket ist angelegt.',
    create_partner: 'Ihr Kontakt ist gespeichert.',
    transfer_to_exten: 'Ich verbinde Sie.',
  },
}
/** Longer words are looked for without their endings: "parken" is about "Parkplätze". */
const ENDING_CHARS = 2
const DAY_MS = 86_400_000
const SATURDAY = 6
const SHORT_WORD = 4
/** Said to any question, so that no document is about them. */
const POLITE = new Set(['please', 'thank', 'thanks', 'bitte', 'danke'])
const NOTHING =
  "I'm sorry, I don't have that information. I'm only emulated on this machine and understand very little."
const NOTHING_IN: Readonly<Record<string, string>> = {
  de: 'Das weiß ich leider nicht. Ich werde auf diesem Rechner nachgespielt und verstehe nur wenig.',
}

/**
 * An agent without a script and without a language model: it uses the tool whose name is nearest to what it is told, reads out
 * the document that has more of its words than the tool does, or says that it does not know. `create_ticket {"subject": "Boiler"}` uses a tool as it says.
 */
export const answersPlainly: Turn = async (conversation) => {
  for (;;) await answer(conversation, await conversation.next())
}

async function answer(conversation: Conversation, words: string): Promise<void> {
  const { tools, documents, prompt, language } = conversation.means
  const known = bestKnown([...documents.map(({ content }) => content), ...(prompt.match(KNOWN_PARTS) ?? [])], words)
  const wanted = exactly(tools, words) ?? nearest(tools, words, prompt)
  if (wanted !== undefined && wanted.hits >= (known?.hits ?? 0)) {
    await conversation.call(wanted.tool.config.name, wanted.given, { expectsError: 'either' })
    const told = conversation.heard(wanted.tool.config.name)
    const done = isDone(told) ? DONE_IN[language]?.[wanted.tool.config.name] : undefined
    return conversation.say(done ?? sentenceOf(told))
  }
  await conversation.say(known?.text ?? NOTHING_IN[language] ?? NOTHING)
}

/** The text with the most words of what was said, without its heading. */
function bestKnown(texts: readonly string[], words: string): { text: string; hits: number } | undefined {
  const asked = [...new Set(wordsIn(words))].filter((each) => each.length >= SHORT_WORD && !POLITE.has(each))
  const scored = texts
    .map((text) => ({ text, hits: asked.filter((each) => text.toLowerCase().includes(stemOf(each))).length }))
    .filter(({ hits }) => hits > 0)
  const best = scored.toSorted((one, other) => other.hits - one.hits)[0]
  return best && { ...best, text: best.text.replace(/^# [^\n]*\n/, '').trim() }
}

function stemOf(word: string): string {
  return word.length < SHORT_WORD + ENDING_CHARS ? word : word.slice(0, -ENDING_CHARS)
}

function isDone(told: unknown): boolean {
  return typeof told === 'object' && told !== null && 'say' in told && !('error' in told)
}

interface Wanted {
  readonly tool: Tool
  readonly given: ToolArguments
  /** How many parts of its name were meant. */
  readonly hits: number
}

function exactly(tools: readonly Tool[], words: string): Wanted | undefined {
  const [, name, json = '{}'] = /^\s*(\w+)\s*(\{.*\})?\s*$/s.exec(words) ?? []
  const tool = tools.find(({ config }) => config.name === name)
  if (tool === undefined) return undefined
  try {
    return { tool, given: JSON.parse(json) as ToolArguments, hits: Number.POSITIVE_INFINITY }
  } catch {
    return undefined
  }
}

function nearest(tools: readonly Tool[], words: string, prompt: string): Wanted | undefined {
  const said = new Set(wordsIn(words))
  const scored = tools.map((tool) => ({ tool, ...scoreOf(tool, said) })).filter(({ score }) => score > 0)
  const best = scored.toSorted((one, other) => other.score - one.score)[0]
  return best && { tool: best.tool, given: givenFor(best.tool, words, prompt), hits: best.hits }
}

/** What the tool is about counts more than what it does with it. */
function scoreOf({ config }: Tool, said: ReadonlySet<string>): { score: number; hits: number } {
  const parts = config.name.split('_')
  const hits = parts.filter((part) => (SAID_FOR[part] ?? [part]).some((word) => said.has(word)))
  const isAbout = hits.some((part) => !['create', 'search', 'fetch', 'update'].includes(part))
  return { score: isAbout ? hits.length / parts.length + hits.length : 0, hits: hits.length }
}

/** A value for everything that the agent itself decides: ids as the prompt gives them, the words where there is room for them. */
function givenFor({ config: { api_schema: api } }: Tool, words: string, prompt: string): ToolArguments {
  const schemas = [api?.request_body_schema, api?.query_params_schema]
  const wanted = schemas.flatMap((schema) => {
    const required = schema?.required ?? []
    return Object.entries(schema?.properties ?? {}).filter(
      ([name, { description }]) => description !== undefined && required.includes(name),
    )
  })
  return Object.fromEntries(wanted.map(([name, property]) => [name, valueFor(name, property, { words, prompt })]))
}

function valueFor(
  name: string,
  { type }: PropertySchema,
  { words, prompt }: { words: string; prompt: string },
): unknown {
  const isNumber = type === 'integer' || type === 'number'
  const id = IDS[name]?.exec(prompt)?.[1]
  if (id !== undefined) return isNumber ? Number(id) : id
  if (type === 'boolean') return true
  if (isNumber) return Number(/\d+/.exec(words)?.[0] ?? 1)
  if (/stop|end/.test(name)) return `${nextWorkingDay()}T10:30:00`
  if (/date|start|time/.test(name)) return `${nextWorkingDay()}T10:00:00`
  return words
}

/** Tomorrow, or the Monday after it. */
function nextWorkingDay(): string {
  const day = new Date(Date.now() + DAY_MS)
  while (day.getUTCDay() === 0 || day.getUTCDay() === SATURDAY) day.setTime(day.getTime() + DAY_MS)
  return day.toISOString().slice(0, 'YYYY-MM-DD'.length)
}

function wordsIn(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
}

/** What a tool answered, as a sentence when it has one. */
function sentenceOf(told: unknown): string {
  if (typeof told !== 'object' || told === null) return String(told)
  const { message, error, say } = told as { message?: unknown; error?: unknown; say?: unknown }
  const sentence = say ?? error ?? message
  return typeof sentence === 'string' ? sentence : JSON.stringify(told)
}
