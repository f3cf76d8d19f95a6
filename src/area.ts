// What an area of the service declares of itself, in `src/<area>/<area>-area.ts`. The app (`src/app/areas.ts`) puts the areas together; what
// of it names their models all the same, and why, is in docs/architecture.md.
import type { FastifyInstance } from 'fastify'
import type { NumberedTable } from './contacts/renumbering.ts'
import type { Memory } from './database/cached.ts'
import type { Transaction } from './database/database.ts'
import type { Consumer } from './deliveries/inbox/consume.ts'
import type { InstalledTool, ToolArea } from './deliveries/tools/tool.ts'
import type { WebhookTable } from './deliveries/webhooks/webhook-table.ts'
import type { JobKind } from './jobs/queue.ts'
import type { GroupRights } from './platform/access/access.ts'
import type { ApiOperation } from './platform/api/api-operation.ts'
import type { MediaStore } from './platform/media/media-store.ts'
import type { Extension } from './platform/model/extend.ts'
import type { Model, Operations } from './platform/model/model.ts'
import type { Writer } from './platform/model/writers.ts'
import type { PhoneDirectory } from './ports/phone-directory.ts'
import type { TelcoClient } from './ports/telco-client.ts'

/**
 * `Parts` is what the app makes once and hands to every area (`src/app/parts.ts`): an area names those that it needs.
 * `WebhookParts` are those of them that webhooks are answered with, also where no provider is behind them.
 */
export interface Area<Parts = never, WebhookParts = never> {
  /** Its models, each with who may do what with its records. */
  models?: readonly (readonly [Model, GroupRights])[]
  /** What it adds to models of other areas, by the name of the model. */
  extensions?: Readonly<Record<string, Extension>>
  /** What its provider holds: saving records queues pushes in this order, and removing them in the opposite one. */
  resources?: readonly { queuedBy(model: string): Extension[] }[]
  /** What it adds to the settings; `saved` of the areas runs in the order of the areas. */
  settings?: readonly Extension[]
  /**
   * Who writes which field over the API, of the models that name every field: `connect.settings` and `res.users`. Managers alone
   * write what leads to a takeover: where calls, webhooks and people who sign in are sent, whether a delivery must be signed,
   * who is let in, and every secret.
   */
  writers?: Readonly<Record<string, Readonly<Record<string, Writer>>>>
  /** What the service cannot do without. Runs at each start, and changes nothing that an administrator has changed. */
  seed?: (tx: Transaction, given: { tools: readonly InstalledTool[] }) => Promise<void>
  /** Tables with numbers that somebody wrote: they are read again when the country of the settings changes. */
  numbered?: readonly NumberedTable[]
  /** Tools of voice agents. Those of one prefix are served together. */
  tools?: ToolArea<ToolPorts>
  /** Webhooks that it answers, beside the tools. */
  webhooks?: (parts: WebhookParts) => readonly WebhookTable[]
  /** What works on deliveries that were stored first, by their kind. */
  consumers?: (parts: { media: Pick<MediaStore, 'store'> }) => Readonly<Record<string, Consumer>>
  /** Methods that need more than the database. */
  operations?: (parts: Parts) => readonly Operations[]
  /** What it keeps in memory until it hears of a change, in the order in which changes are heard. */
  memory?: (parts: Parts) => readonly Memory[]
  /** Its own addresses. */
  routes?: (http: FastifyInstance, parts: Parts) => void
  /** The same as the API document shows them. */
  described?: readonly ApiOperation[]
  /** Work that nobody waits for: runs, pushes and comparisons of its provider among it. */
  jobs?: (parts: Parts) => readonly JobKind[]
}

/** What every tool is handed. */
export interface ToolPorts {
  directory: PhoneDirectory
  client: Pick<TelcoClient, 'redirectCall'>
}
