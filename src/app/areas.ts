import type { Area } from '../area.ts'
import { calendarArea } from '../calendar/calendar-area.ts'
import { contactsArea } from '../contacts/contacts-area.ts'
import { deliveriesArea } from '../deliveries/deliveries-area.ts'
import { helpdeskArea } from '../helpdesk/helpdesk-area.ts'
import { jobsArea } from '../jobs/jobs-area.ts'
import { ledgerArea } from '../ledger/ledger-area.ts'
import type { Writer } from '../platform/model/writers.ts'
import { platformArea } from '../platform/platform-area.ts'
import { syncArea } from '../sync/sync-area.ts'
import { telcoArea } from '../telco/telco-area.ts'
import { voiceaiArea } from '../voiceai/voiceai-area.ts'
import { appArea } from './app-area.ts'
import type { Parts, WebhookParts } from './parts.ts'

/** Every area of the service. Where order shows, as in the list of tools, it is this one. */
export const AREAS: readonly Area<Parts, WebhookParts>[] = [
  platformArea,
  jobsArea,
  syncArea,
  deliveriesArea,
  contactsArea,
  ledgerArea,
  voiceaiArea,
  calendarArea,
  helpdeskArea,
  telcoArea,
  appArea,
]

/** Who writes each field of a model, as its areas say; undefined for a model whose fields say it themselves. */
export function writersOf(model: string): Readonly<Record<string, Writer>> | undefined {
  const lists = AREAS.map(({ writers }) => writers?.[model]).filter((list) => list !== undefined)
  return lists.length === 0 ? undefined : Object.assign({}, ...lists)
}
