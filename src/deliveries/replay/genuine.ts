import type { VerificationSettings } from '../../platform/settings/settings.ts'
import type { IncomingRequest, TableRow } from '../webhooks/webhook-table.ts'

/** Whether a delivery that was rejected comes from the provider all the same: nobody makes a stranger's words true by a click. */
export async function isGenuine(
  settings: VerificationSettings,
  { table }: TableRow,
  request: IncomingRequest,
): Promise<boolean> {
  return (await table.isGenuine?.(request, settings)) === true
}
