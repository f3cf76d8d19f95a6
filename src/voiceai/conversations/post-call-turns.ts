import type { Turn, TurnTool } from '../../ledger/timeline/spoken-moments.ts'
import { cleanText } from '../../lenient-values.ts'
import { isUnseen } from '../../unseen.ts'
import { findGaps, type Gap } from './unanswered.ts'

const MS_PER_SECOND = 1_000
const SECONDS_MAX = 86_400 * 7
/** Turns that are kept, and tools of one. A conversation of an hour has some four hundred turns. */
const TURNS_MAX = 2_000
const TOOLS_MAX = 20
/** Characters of the turns together, their tools included: as many as of the transcript. */
const CHARS_MAX = 400_000
const WORD_CHARS_MAX = 200
const FILES_MAX = 20
/** Characters of what a tool was asked, and of what it answered. */
const TOOL_CHARS_MAX = 4_000

/**
 * The turns of a conversation with their times and tools (`ConversationHistoryTranscriptCommonModelOutput` of the platform's
 * SDK 2.73.0); undefined when there are none. What is longer than may be kept ends early.
 */
export function readTurns(turns: unknown): Turn[] | undefined {
  const read = pairTurns(turns).map(({ kept }) => kept)
  return read.length === 0 ? undefined : read
}

/** Questions that the agent could not answer, by their places among the turns that are kept; undefined without any. */
export function readGaps(turns: unknown): Gap[] | undefined {
  const gaps = findGaps(pairTurns(turns))
  return gaps.length === 0 ? undefined : gaps
}

/** Each turn that is kept, beside what it was read from. */
function pairTurns(turns: unknown): { raw: Record<string, unknown>; kept: Turn }[] {
  if (!Array.isArray(turns)) return []
  const read: { raw: Record<string, unknown>; kept: Turn }[] = []
  let chars = 0
  for (const each of turns.slice(0, TURNS_MAX)) {
    const raw = objectOf(each)
    const kept = readTurn(raw)
    chars += JSON.stringify(kept).length
    if (chars > CHARS_MAX) break
    if (kept.text !== '' || kept.tools.length > 0) read.push({ raw, kept })
  }
  return read
}

function readTurn(turn: Record<string, unknown>): Turn {
  const calls = listOf(turn.tool_calls).slice(0, TOOLS_MAX)
  const results = listOf(turn.tool_results)
  return {
    at_ms: msOf(turn.time_in_call_secs) ?? 0,
    role: textOf(turn.role, WORD_CHARS_MAX) ?? 'agent',
    text: textOfTurn(turn).slice(0, CHARS_MAX).toWellFormed(),
    interrupted: turn.interrupted === true,
    tools: mergeTools(calls, results),
  }
}

/**
 * What was said or sent in a turn: its message, or what its voices said one after the other, and the names of its files
 * (`multivoice_message` and `file_inputs` of the platform's SDK 2.73.0; `file_input` is the first of them).
 */
export function textOfTurn(turn: Record<string, unknown>): string {
  const message = wordsOf(turn.message)
  const voices = listOf(objectOf(turn.multivoice_message).parts).map(({ text }) => wordsOf(text))
  const listed = listOf(turn.file_inputs)
  const files = (listed.length > 0 ? listed : listOf([turn.file_input])).slice(0, FILES_MAX).map(fileName)
  const said = message === '' ? voices : [message]
  return [...said, ...files].filter((each) => each !== '').join(' ')
}

/** A file as a reader knows it; its address is the platform's and ends. */
function fileName(file: Record<string, unknown>): string {
  const name = textOf(file.original_filename ?? file.filename ?? file.file_id, WORD_CHARS_MAX)
  const type = textOf(file.mime_type, WORD_CHARS_MAX)
  if (name === undefined && type === undefined) return ''
  return name === undefined || type === undefined ? `[File: ${name ?? type}]` : `[File: ${name} (${type})]`
}

function wordsOf(value: unknown): string {
  return typeof value === 'string' && !isUnseen(value) ? cleanText(value).trim() : ''
}

/** A call and its result name one request. The platform may report the result in a turn of its own. */
function mergeTools(
  calls: readonly Record<string, unknown>[],
  results: readonly Record<string, unknown>[],
): TurnTool[] {
  const asked = calls.map((call) =>
    readTool(
      call,
      results.find((each) => isSameRequest(each, call)),
    ),
  )
  const alone = results.filter((result) => !calls.some((call) => isSameRequest(result, call)))
  return [...asked, ...alone.slice(0, TOOLS_MAX).map((result) => readTool({}, result))]
}

function isSameRequest(one: Record<string, unknown>, other: Record<string, unknown>): boolean {
  return typeof one.request_id === 'string' && one.request_id === other.request_id
}

function readTool(call: Record<string, unknown>, result: Record<string, unknown> = {}): TurnTool {
  return {
    name: textOf(call.tool_name ?? result.tool_name, WORD_CHARS_MAX) ?? 'unknown',
    request_id: textOf(call.request_id ?? result.request_id, WORD_CHARS_MAX) ?? null,
    arguments: textOf(call.params_as_json, TOOL_CHARS_MAX) ?? null,
    answer: textOf(result.result_value, TOOL_CHARS_MAX) ?? null,
    is_error: result.is_error === true,
    took_ms: msOf(result.tool_latency_secs) ?? null,
  }
}

function msOf(seconds: unknown): number | undefined {
  const isUsable = typeof seconds === 'number' && seconds >= 0 && seconds <= SECONDS_MAX
  return isUsable ? Math.round(seconds * MS_PER_SECOND) : undefined
}

function textOf(value: unknown, maxChars: number): string | undefined {
  if (typeof value !== 'string') return undefined
  const text = cleanText(value).trim()
  return isUnseen(text) ? undefined : text.slice(0, maxChars).toWellFormed()
}

function listOf(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.map(objectOf) : []
}

function objectOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {}
}
