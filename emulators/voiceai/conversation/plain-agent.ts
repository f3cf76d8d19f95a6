import type { PropertySchema, Tool } from '../workspace.ts'
import type { Conversation } from './conversation.ts'
import type { Turn } from './script.ts'
import type { ToolArguments } from './tool-request.ts'

/** Words with which people ask for what tools are called by. */
const SAID_FOR: Readonly<Record<string, readonly string[]>> = {
  create: ['create', 'open', 'make', 'new', 'book', 'arrange', 'broken', 'leaks'],
  search: ['search', 'find', 'look'],
  fetch: ['fetch', 'show', 'status'],
  update: ['update', 'change'],
  ticket: ['ticket', 'tickets', 'problem', 'broken', 'leaks'],
  event: ['event', 'meeting', 'appointment', 'visit', 'termin'],
  partner: ['contact', 'partner', 'name'],
  transfer: ['transfer', 'connect', 'colleague', 'person'],
}
const DAY_MS = 86_400_000
const SHORT_WORD = 4
const NOTHING = "I'm sorry, I don't have that information. I am played on this machine, and understand only a little."

/**
 * An agent without a script and without a language model: it uses the tool whose name is nearest to what it is told, reads out
 * a document that has a word of it, or says that it does not know. `create_ticket {"subject": "Boiler"}` uses a tool as it says.
 */
export const answersPlainly: Turn = async (conversation) => {
  for (;;) await answer(conversation, await conversation.next())
}

async function answer(conversation: Conversation, words: string): Promise<void> {
  const { tools, documents } = conversation.means
  const wanted = exactly(tools, words) ?? nearest(tools, words)
  if (wanted !== undefined) {
    await conversation.call(wanted.tool.config.name, wanted.given, { expectsError: 'either' })
    const told = conversation.heard(wanted.tool.config.name)
    return conversation.say(`I used ${wanted.tool.config.name}: ${sentenceOf(told)}`)
  }
  const asked = wordsIn(words).filter(({ length }) => length >= SHORT_WORD)
  const known = documents.find(({ content }) => asked.some((each) => content.toLowerCase().includes(each)))
  await conversation.say(known?.content ?? NOTHING)
}

interface Wanted {
  readonly tool: Tool
  readonly given: ToolArguments
}

function exactly(tools: readonly Tool[], words: string): Wanted | undefined {
  const [, name, json = '{}'] = /^\s*(\w+)\s*(\{.*\})?\s*$/s.exec(words) ?? []
  const tool = tools.find(({ config }) => config.name === name)
  if (tool === undefined) return undefined
  try {
    return { tool, given: JSON.parse(json) as ToolArguments }
  } catch {
    return undefined
  }
}

function nearest(tools: readonly Tool[], words: string): Wanted | undefined {
  const said = new Set(wordsIn(words))
  const scored = tools.map((tool) => ({ tool, score: scoreOf(tool, said) })).filter(({ score }) => score > 0)
  const best = scored.toSorted((one, other) => other.score - one.score)[0]
  return best === undefined ? undefined : { tool: best.tool, given: givenFor(best.tool, words) }
}

/** What the tool is about counts more than what it does with it. */
function scoreOf({ config }: Tool, said: ReadonlySet<string>): number {
  const parts = config.name.split('_')
  const hits = parts.filter((part) => (SAID_FOR[part] ?? [part]).some((word) => said.has(word)))
  const isAbout = hits.some((part) => !['create', 'search', 'fetch', 'update'].includes(part))
  return isAbout ? hits.length / parts.length + hits.length : 0
}

/** A value for everything that the agent itself decides: the words where there is room for them. */
function givenFor({ config: { api_schema: api } }: Tool, words: string): ToolArguments {
  const schemas = [api?.request_body_schema, api?.query_params_schema]
  const wanted = schemas.flatMap((schema) => {
    const required = schema?.required ?? []
    return Object.entries(schema?.properties ?? {}).filter(
      ([name, { description }]) => description !== undefined && required.includes(name),
    )
  })
  return Object.fromEntries(wanted.map(([name, property]) => [name, valueFor(name, property, words)]))
}

function valueFor(name: string, { type }: PropertySchema, words: string): unknown {
  if (type === 'boolean') return true
  if (type === 'integer' || type === 'number') return Number(/\d+/.exec(words)?.[0] ?? 1)
  if (/date|start|stop|time/.test(name)) return new Date(Date.now() + DAY_MS).toISOString().slice(0, -5)
  return words
}

function wordsIn(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
}

/** What a tool answered, as a sentence when it has one. */
function sentenceOf(told: unknown): string {
  if (typeof told !== 'object' || told === null) return String(told)
  const { message, error } = told as { message?: unknown; error?: unknown }
  const sentence = error ?? message
  return typeof sentence === 'string' ? sentence : JSON.stringify(told)
}
