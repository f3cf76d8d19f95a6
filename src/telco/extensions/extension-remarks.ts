import { sql } from '../../database/drizzle.ts'
import { idList } from '../../database/ids.ts'
import type { Env } from '../../platform/access/env.ts'
import { type Remarks, sentencesOf } from '../../platform/model/remarks.ts'

interface ExtensionRow {
  id: number
  leads_nowhere: boolean
  leads_to_archived: boolean
  leads_to_route: boolean
}

/** What of extensions does not work together, each as a sentence. */
export async function extensionRemarks(env: Env, ids: readonly number[]): Promise<Remarks> {
  const rows = await env.db.query<ExtensionRow>(
    sql`select e.id, e.model is null and e.mobile_number is null as leads_nowhere,
          exists (select 1 from connect_user u where e.model = 'connect.user' and u.id = e.res_id and u.active is false)
            as leads_to_archived,
          exists (select 1 from connect_telco_markup m where e.model = 'connect.telco.markup' and m.id = e.res_id
            and m.code_type = 'model_method') as leads_to_route
        from connect_telco_exten e where e.id in (${idList(ids)})`,
  )
  const said = (row: ExtensionRow) =>
    sentencesOf([
      [row.leads_nowhere, 'It leads nowhere, so callers hear that it is not set up.'],
      [row.leads_to_archived, 'It leads to an archived phone user, so callers hear that it is not set up.'],
      [
        row.leads_to_route,
        'It leads to the route for calls of SIP domains, which leads back here, so callers hear an error.',
      ],
    ])
  return new Map(rows.map((row) => [row.id, said(row)]))
}
