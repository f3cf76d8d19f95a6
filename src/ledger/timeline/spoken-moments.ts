import { parseJson } from '../../json.ts'
import { storedMs } from '../../time.ts'
import type { DeliveryRow, RecordingRow } from './find-moments.ts'
import type { Draft } from './moment.ts'

/** A tool that the agent used in a turn. */
export interface TurnTool {
  name: string
  request_id: string | null
  /** JSON as the agent wrote it. */
  arguments: string | null
  answer: string | null
  is_error: boolean
  took_ms: number | null
}

/** What one side said, and when, since the conversation began. */
export interface Turn {
  at_ms: number
  role: string
  text: string
  interrupted: boolean
  tools: TurnTool[]
}

/** What was said with a voice agent, and the tools it used, as moments. */
export function spokenMoments(
  recording: RecordingRow,
  beganMs: number,
  { agent, caller }: { agent: string; caller: string },
): Draft[] {
  const fromMs = conversationFrom(recording, beganMs)
  return turnsOf(recording).flatMap((turn): Draft[] => {
    const at = { writtenMs: fromMs + turn.at_ms, clock: 'provider' as const, ref: refOf(recording) }
    const who = turn.role === 'user' ? caller : agent
    const { role, text, interrupted } = turn
    const said: Draft[] =
      text === ''
        ? []
        : [{ ...at, kind: 'said', lane: 'speech', title: 'said', params: { who, role, text, interrupted }, rank: 4 }]
    return [...said, ...turn.tools.map((tool): Draft => ({ ...at, ...toolMoment(tool), rank: 5 }))]
  })
}

/** When the conversation began, on the line of the call: the platform's clock may say that it was before the call. */
export function conversationFrom({ conversation_started_at: began }: RecordingRow, beganMs: number): number {
  return began === null ? beganMs : Math.max(beganMs, storedMs(began))
}

/** What the platform says of a tool, and the delivery of it that came to us, become one moment. */
export function joinTools(
  spoken: readonly Draft[],
  delivered: readonly Draft[],
  rows: readonly DeliveryRow[],
): Draft[] {
  const left = new Map(rows.filter(({ tool }) => tool !== null).map((row) => [row.id, row]))
  const joined = spoken.map((moment): Draft => {
    if (moment.kind !== 'tool') return moment
    const row = [...left.values()].find(({ tool }) => tool === moment.params.name)
    const delivery = delivered.find((each) => each.delivery !== undefined && each.delivery === row?.id)
    if (row === undefined || delivery === undefined) return moment
    left.delete(row.id)
    return {
      ...delivery,
      kind: 'tool',
      lane: 'tools',
      params: { ...moment.params, ...(delivery.params.reason ? { reason: delivery.params.reason } : {}) },
      title: delivery.verdict === 'handled' ? moment.title : 'tool_failed',
      spokenMs: moment.writtenMs,
    }
  })
  const taken = new Set(joined.flatMap(({ delivery }) => delivery ?? []))
  return [...joined, ...delivered.filter(({ delivery }) => delivery === undefined || !taken.has(delivery))]
}

function turnsOf({ turns }: RecordingRow): Turn[] {
  return Array.isArray(turns) ? (turns as Turn[]) : []
}

function refOf({ id }: RecordingRow): [string, number] {
  return ['connect.recording', id]
}

function toolMoment(tool: TurnTool): Pick<Draft, 'kind' | 'lane' | 'title' | 'params' | 'took_ms'> {
  const { name, arguments: sent, answer, is_error: isError, took_ms: took } = tool
  return {
    kind: 'tool',
    lane: 'tools',
    title: isError ? 'tool_failed' : 'tool',
    params: { name, arguments: sent, answer, say: sayOf(answer) },
    ...(took === null ? {} : { took_ms: took }),
  }
}

/** What the agent was given to say; else the message of the answer. */
function sayOf(answer: string | null): string | null {
  const read = parseJson(answer ?? '')
  if (typeof read !== 'object' || read === null) return null
  const { say, message, detail } = read as Record<string, unknown>
  return ([say, message, detail].find((each) => typeof each === 'string') as string | undefined) ?? null
}
