import type { ToolPorts } from '../../area.ts'
import type { Database } from '../../database/database.ts'
import type { TableRow, WebhookTable } from '../../deliveries/webhooks/webhook-table.ts'
import type { Platform } from '../../platform/access/env.ts'
import type { Identities } from '../../platform/identity/identities.ts'
import { TrialTools } from '../../voiceai/trials/trial-tools.ts'

interface TriedParts extends ToolPorts {
  db: Database
  platform: Platform
  identities: Identities
  /** Every tool, with these behind it. */
  tablesWith(ports: ToolPorts): readonly WebhookTable[]
}

/** A live leg counts as redirected. */
const NO_PROVIDER: ToolPorts['client'] = { redirectCall: async () => undefined }

/** Tools as people try them: in a trial of an agent, and each by itself. */
export class TriedTools {
  readonly db: Database
  readonly platform: Platform
  readonly identities: Identities
  readonly trials: TrialTools
  readonly #tried: ReadonlyMap<string, TableRow>
  readonly #real: ReadonlyMap<string, TableRow>

  constructor({ db, platform, identities, directory, client, tablesWith }: TriedParts) {
    this.db = db
    this.platform = platform
    this.identities = identities
    this.#tried = byPath(tablesWith({ directory, client: NO_PROVIDER }))
    this.#real = byPath(tablesWith({ directory, client }))
    const rowOf = ({ table, row }: TableRow) => this.placeOf(table.prefix + row.path, false)?.row ?? row
    this.trials = new TrialTools({ db, platform, identities, rowOf })
  }

  placeOf(path: string, isReal: boolean): TableRow | undefined {
    return (isReal ? this.#real : this.#tried).get(path)
  }
}

function byPath(tables: readonly WebhookTable[]): ReadonlyMap<string, TableRow> {
  const places = tables.flatMap((table) => table.rows.map((row) => ({ table, row })))
  return new Map(places.map((place) => [place.table.prefix + place.row.path, place]))
}
