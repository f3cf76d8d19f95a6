import type { ConversationAnalysis, Criterion, DataField } from '../../ledger/conversations/conversation-facts.ts'
import type { Turn } from '../../ledger/timeline/spoken-moments.ts'
import { cleanText } from '../../lenient-values.ts'
import { isUnseen } from '../../unseen.ts'
import { hasAnnouncement } from '../agents/ai-announcement.ts'

/** Criteria, data fields and tags that are stored of one conversation. */
const PARTS_MAX = 100
const NAME_CHARS_MAX = 200
const TEXT_CHARS_MAX = 4_000
const COST_MAX = 2_000_000_000

/**
 * What the platform found out about a conversation and asks for it: criteria, data fields, cost, language and tags
 * (`ConversationHistoryAnalysisCommonModel`, `ConversationHistoryMetadataCommonModel`, `ConversationChargingCommonModel` and
 * `tag_ids` of `GetConversationResponseModel` in its API description). What is missing or of another kind is left out.
 */
export function readAnalysis(data: Record<string, unknown>): ConversationAnalysis {
  const [metadata, analysis] = [objectOf(data.metadata), objectOf(data.analysis)]
  const charging = scalarsOf(metadata.charging)
  return {
    criteria: partsOf(analysis, 'evaluation_criteria_results', criterionOf),
    collected: partsOf(analysis, 'data_collection_results', dataFieldOf),
    costCredits: costOf(metadata.cost, { isWhole: true }),
    costDollars: costOf(metadata.cost_fiat),
    charging: Object.keys(charging).length === 0 ? undefined : charging,
    language: textOf(metadata.main_language, NAME_CHARS_MAX),
    tags: someOf(listOf(data.tag_ids).flatMap((each) => textOf(each, NAME_CHARS_MAX) ?? [])),
  }
}

/** Whether the agent's first words said that it is an AI; undefined where its words are not known. */
export function announcementIn(turns: readonly Turn[] | undefined): 'played' | 'not_played' | undefined {
  const first = turns?.find(({ role, text }) => role === 'agent' && text !== '')
  if (first === undefined) return undefined
  return hasAnnouncement(first.text) ? 'played' : 'not_played'
}

/**
 * Whether the other side said nothing at all; undefined where the words are not known. The platform writes a silent turn as
 * dots, so marks alone are no words.
 */
export function isSilent(turns: readonly Turn[] | undefined): boolean | undefined {
  return turns === undefined ? undefined : !turns.some(({ role, text }) => role === 'user' && /[^\s\p{P}]/u.test(text))
}

/** The results by their ids, or as the list that the platform sends beside them. */
function partsOf<Part>(
  analysis: Record<string, unknown>,
  name: string,
  read: (id: string, part: Record<string, unknown>) => Part | undefined,
): Part[] | undefined {
  const byId = Object.entries(objectOf(analysis[name]))
  const listed = listOf(analysis[`${name}_list`]).map((each): [string, unknown] => ['', each])
  return someOf((byId.length > 0 ? byId : listed).flatMap(([id, part]) => read(id, objectOf(part)) ?? []))
}

function criterionOf(key: string, part: Record<string, unknown>): Criterion | undefined {
  const [id, result] = [textOf(part.criteria_id, NAME_CHARS_MAX) ?? key, textOf(part.result, NAME_CHARS_MAX)]
  if (id === '' || result === undefined) return undefined
  const [score, most] = [numberOf(part.score), numberOf(part.max_score)]
  return {
    id,
    result: result.toLowerCase(),
    rationale: textOf(part.rationale, TEXT_CHARS_MAX) ?? null,
    ...(score === undefined ? {} : { score }),
    ...(most === undefined ? {} : { max_score: most }),
  }
}

function dataFieldOf(key: string, part: Record<string, unknown>): DataField | undefined {
  const id = textOf(part.data_collection_id, NAME_CHARS_MAX) ?? key
  if (id === '') return undefined
  const name = textOf(part.name, NAME_CHARS_MAX)
  const rationale = textOf(part.rationale, TEXT_CHARS_MAX) ?? null
  return { id, ...(name === undefined ? {} : { name }), value: plainValue(part.value), rationale }
}

/** Anything may be a value; what is no plain one is stored as its JSON. */
function plainValue(value: unknown): string | number | boolean | null {
  if (typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))) return value
  if (value === null || value === undefined) return null
  return textOf(typeof value === 'string' ? value : JSON.stringify(value), TEXT_CHARS_MAX) ?? null
}

function costOf(value: unknown, { isWhole = false } = {}): number | undefined {
  const cost = numberOf(value)
  if (cost === undefined || cost < 0 || cost > COST_MAX) return undefined
  return isWhole ? Math.round(cost) : cost
}

/** The plain values of an object: charges, the tier, and whether it was a discount. */
function scalarsOf(value: unknown): Record<string, string | number | boolean> {
  const scalars = Object.entries(objectOf(value)).flatMap(([name, each]) => {
    const read = scalarOf(each)
    return read === undefined ? [] : [[cleanText(name).slice(0, NAME_CHARS_MAX), read] as const]
  })
  return Object.fromEntries(scalars.slice(0, PARTS_MAX))
}

function scalarOf(value: unknown): string | number | boolean | undefined {
  if (typeof value === 'boolean') return value
  return typeof value === 'string' ? textOf(value, NAME_CHARS_MAX) : numberOf(value)
}

function someOf<Part>(parts: readonly Part[]): Part[] | undefined {
  return parts.length === 0 ? undefined : parts.slice(0, PARTS_MAX)
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

function textOf(value: unknown, maxChars: number): string | undefined {
  if (typeof value !== 'string') return undefined
  const text = cleanText(value).trim()
  return isUnseen(text) ? undefined : text.slice(0, maxChars).toWellFormed()
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

function objectOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {}
}
