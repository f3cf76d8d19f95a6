import { sql } from '../../database/drizzle.ts'
import { idList } from '../../database/ids.ts'
import { FAILS_TO_NOTHING } from '../../directory/fallback-remarks.ts'
import type { Env } from '../../platform/access/env.ts'
import { type Remarks, sentencesOf } from '../../platform/model/remarks.ts'
import { roundCalls } from './round-call-remarks.ts'

interface NumberRow {
  id: number
  destination: string | null
  is_linked: boolean
  has_others: boolean
  has_closed: boolean
  has_hours: boolean
  fails_to_same: boolean
  fails_to_nothing: boolean
  closes_to_nothing: boolean
}

/** What of numbers does not work together, each as a sentence. */
export async function numberRemarks(env: Env, ids: readonly number[]): Promise<Remarks> {
  const rows = await env.db.query<NumberRow>(
    sql`select n.id, n.destination, l.link is not null as is_linked,
          num_nonnulls(n."user", n.callflow, n.markup, n.voiceai_agent) > num_nonnulls(l.link) as has_others,
          (n.closed_exten is not null or coalesce(btrim(n.closed_message), '') <> '') as has_closed,
          n.business_hours is not null as has_hours,
          exists (select 1 from connect_telco_exten e where e.id = n.fallback_exten and e.res_id = l.link
            and e.model = l.model) as fails_to_same,
          exists (select 1 from connect_telco_exten e where e.id = n.fallback_exten and e.model is null and e.mobile_number is null) as fails_to_nothing,
          exists (select 1 from connect_telco_exten e where e.id = n.closed_exten and e.model is null and e.mobile_number is null) as closes_to_nothing
        from connect_telco_number n cross join lateral (values
          (case n.destination when 'user' then n."user" when 'callflow' then n.callflow when 'markup' then n.markup
            when 'voiceai_agent' then n.voiceai_agent end,
           case n.destination when 'user' then 'connect.user' when 'callflow' then 'connect.telco.callflow'
            when 'markup' then 'connect.telco.markup' when 'voiceai_agent' then 'connect.voiceai_agent' end)) as l(link, model)
        where n.id in (${idList(ids)})`,
  )
  const round = rows.length === 0 ? undefined : await roundCalls(env.db)
  return new Map(rows.map((row) => [row.id, remarksOf(row, round?.get(row.id))]))
}

function remarksOf(row: NumberRow, round: string | undefined): string[] {
  const isChosen = row.destination !== null
  return sentencesOf([
    [!isChosen && !row.has_others, 'Nothing answers this number, so callers hear that it is not set up.'],
    [
      isChosen && !row.is_linked,
      'Only the type of who answers is chosen, not which one, so callers hear that the number is not set up.',
    ],
    [row.has_others, 'It also names something that does not answer it. Choose who answers.'],
    [
      row.has_closed && !row.has_hours,
      'It has a message or extension for closed hours but no business hours, so it is never closed.',
    ],
    [row.fails_to_same, 'If unanswered, it rings the same again.'],
    [row.fails_to_nothing, FAILS_TO_NOTHING],
    [row.closes_to_nothing, 'When closed, it rings an extension that leads nowhere.'],
    [round !== undefined, round ?? ''],
  ])
}
