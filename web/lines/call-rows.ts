import { type Row, searchRead } from '../data/client.ts'
import { readInstant } from '../words/formats.ts'
import type { StripLeg } from './strip-geometry.ts'

/** What a row of calls shows. */
export const CALL_FIELDS = [
  'create_date',
  'direction',
  'status',
  'caller',
  'called',
  'partner',
  'duration',
  'voiceai_agent',
  'answered_user',
  'answered_pbx_user',
  'voicemail_url',
  'voicemail_duration',
  'has_error',
  'ticket',
] as const
export type CallRow = Row<'connect.call', (typeof CALL_FIELDS)[number]>

const LEG_FIELDS = [
  'call',
  'parent_channel',
  'called_user',
  'called_pbx_user',
  'started_at',
  'answered_at',
  'ended_at',
] as const
/** Calls whose legs are asked for at once; with more legs than this the strip of some is not drawn. */
const LEGS_MAX = 1_000

/** The legs of calls, by the id of the call. */
export async function legsOf(calls: readonly number[]): Promise<Map<number, StripLeg[]>> {
  const domain = [['call', 'in', calls]] as const
  const rows = await searchRead('connect.channel', { domain, fields: LEG_FIELDS, order: 'id', limit: LEGS_MAX })
  const byCall = Map.groupBy(rows, (row) => row.call?.[0] ?? 0)
  return new Map([...byCall].map(([call, legs]) => [call, legs.map(toLeg)]))
}

function toLeg(row: Row<'connect.channel', (typeof LEG_FIELDS)[number]>): StripLeg {
  return {
    startedMs: instant(row.started_at),
    answeredMs: instant(row.answered_at),
    endedMs: instant(row.ended_at),
    isChild: row.parent_channel !== null,
    hasPerson: row.called_user !== null || row.called_pbx_user !== null,
  }
}

function instant(text: string | null): number | undefined {
  return text === null ? undefined : readInstant(text).getTime()
}
