import type { Database } from '../../database/database.ts'
import type { TableRow } from '../../deliveries/webhooks/webhook-table.ts'
import type { Platform } from '../../platform/access/env.ts'
import type { Identities } from '../../platform/identity/identities.ts'
import type { TelcoClient } from '../../ports/telco-client.ts'
import { phoneDirectory } from '../../telco/routing/phone-directory.ts'
import type { ToolDeadlines } from '../../voiceai/tools/tool-deadlines.ts'
import { TrialTools } from '../../voiceai/trials/trial-tools.ts'
import { toolTables } from './agent-tools.ts'

interface TriedParts {
  db: Database
  platform: Platform
  identities: Identities
  toolDeadlines: ToolDeadlines
  client: Pick<TelcoClient, 'redirectCall'>
}

/** A live leg counts as redirected. */
const NO_PROVIDER: Pick<TelcoClient, 'redirectCall'> = { redirectCall: async () => undefined }

/** Tools as people try them: in a trial of an agent, and each by itself. */
export class TriedTools {
  readonly db: Database
  readonly platform: Platform
  readonly identities: Identities
  readonly trials: TrialTools
  readonly #tried: ReadonlyMap<string, TableRow>
  readonly #real: ReadonlyMap<string, TableRow>

  constructor({ db, platform, identities, toolDeadlines, client }: TriedParts) {
    this.db = db
    this.platform = platform
    this.identities = identities
    this.#tried = byPath(toolTables({ directory: phoneDirectory, client: NO_PROVIDER }, toolDeadlines))
    this.#real = byPath(toolTables({ directory: phoneDirectory, client }, toolDeadlines))
    const rowOf = ({ table, row }: TableRow) => this.placeOf(table.prefix + row.path, false)?.row ?? row
    this.trials = new TrialTools({ db, platform, identities, rowOf })
  }

  placeOf(path: string, isReal: boolean): TableRow | undefined {
    return (isReal ? this.#real : this.#tried).get(path)
  }
}

function byPath(tables: ReturnType<typeof toolTables>): ReadonlyMap<string, TableRow> {
  const places = Object.values(tables).flatMap((table) => table.rows.map((row) => ({ table, row })))
  return new Map(places.map((place) => [place.table.prefix + place.row.path, place]))
}
