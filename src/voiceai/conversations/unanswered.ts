import { createHash } from 'node:crypto'
import { isAdmission } from './admissions.ts'

/** Why a question counts as not answered: the platform found nothing, or the agent said that it does not know. */
type GapReason = 'reported' | 'admitted'

/** A question of the caller that an agent could not answer, by where it stands among the turns that are kept. */
export interface Gap {
  turn: number
  reply: number
  why: GapReason
  /** The same for the same question, however it is written. */
  key: string
}

/** A turn as it came, and as it is kept. */
interface PairedTurn {
  raw: Record<string, unknown>
  kept: { role: string; text: string }
}

const GAPS_MAX = 50
/** `KnowledgeBaseRagToolStatus` of the platform's API description. */
const FOUND_NOTHING: ReadonlySet<unknown> = new Set(['no_documents', 'no_results'])
const FOUND_NOTHING_TYPE = 'knowledge_base_rag_success'
/** `ReportKnowledgeGapParams` of the platform's API description. */
const REPORTING_TOOL = 'report_knowledge_gap'
/** Question marks of the scripts that agents speak: Latin, Arabic, Greek and full width. */
const ASKS = /[?؟;？]\s*$/u
const ASKED_CHARS_MIN = 8

/** Questions that the agent could not answer; each is listed once. */
export function findGaps(turns: readonly PairedTurn[]): Gap[] {
  const gaps = new Map<string, Gap>()
  for (const gap of gapsIn(turns)) {
    const known = gaps.get(gap.key)
    // What the platform reports first, the agent may admit in its next turn.
    if (known !== undefined) gaps.set(gap.key, { ...gap, why: known.turn === gap.turn ? known.why : gap.why })
    else if (gaps.size < GAPS_MAX) gaps.set(gap.key, gap)
  }
  return [...gaps.values()]
}

/** Each turn in which an agent could not answer what the caller said last. */
function* gapsIn(turns: readonly PairedTurn[]): Generator<Gap> {
  let asked: { at: number; text: string } | undefined
  for (const [at, { raw, kept }] of turns.entries()) {
    if (kept.role === 'user' && kept.text !== '') asked = { at, text: kept.text }
    if (kept.role === 'user' || asked === undefined || asked.text.length < ASKED_CHARS_MIN) continue
    const why = whyUnanswered(raw, kept.text, asked.text)
    if (why !== undefined) yield { turn: asked.at, reply: at, why, key: keyOf(asked.text) }
  }
}

function whyUnanswered(raw: Record<string, unknown>, words: string, question: string): GapReason | undefined {
  if (reportsGap(raw) || (hasFoundNothing(raw) && ASKS.test(question))) return 'reported'
  return isAdmission(words) ? 'admitted' : undefined
}

function reportsGap({ tool_calls: calls, tool_results: results }: Record<string, unknown>): boolean {
  const hasReported = objectsOf(calls).some(({ tool_name: name }) => name === REPORTING_TOOL)
  return (
    hasReported ||
    objectsOf(results).some(({ result }) => {
      const { result_type: type, status } = objectOf(result)
      return type === FOUND_NOTHING_TYPE && FOUND_NOTHING.has(status)
    })
  )
}

/** It was looked for, and nothing of what the agent knows was near. Small talk is looked for as well. */
function hasFoundNothing({ rag_retrieval_info: info }: Record<string, unknown>): boolean {
  const { chunks, retrieval_query: query } = objectOf(info)
  return typeof query === 'string' && Array.isArray(chunks) && chunks.length === 0
}

/** A question without case, signs and spaces, as a digest: callers' words stand in the transcript only. */
function keyOf(question: string): string {
  const plain = question
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
  return createHash('sha256').update(plain.trim()).digest('hex')
}

function objectsOf(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.map(objectOf) : []
}

function objectOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {}
}
