import type { Env } from '../../platform/access/env.ts'
import type { Extension } from '../../platform/model/extend.ts'
import type { Change, Operations } from '../../platform/model/model.ts'
import { requestPush, runButton } from '../../sync/requests.ts'
import { balanceMethod } from '../account/balance.ts'
import { validateMethod } from '../caller-ids/validate-caller-id.ts'
import { buyMethod } from '../numbers/buy-number.ts'
import { purchaseCountriesMethod, purchasePapersMethod, searchAvailableMethod } from '../numbers/find-numbers.ts'
import { fetchStatusMethod, submitMethod } from '../whatsapp/submit-template.ts'
import { pushesOnSave, TELCO, type TelcoParts } from './telco.ts'

/** Settings that stand in every address the provider has of us, or in where it keeps what we set up. */
export const EVERYWHERE = ['telco_region', 'telco_edge', 'api_url', 'api_fallback_url'] as const

/** The buttons of the phone provider in the settings, and addresses that are pushed when they change. */
export const telcoButtons: Extension = {
  methods: {
    telco_sync: runButton(TELCO, 'sync', 'Sync with Twilio'),
    telco_check: runButton(TELCO, 'check', 'Check for differences at Twilio'),
  },
  onSave: pushAddresses,
}

/** What people have the provider do and wait for. */
export function telcoSyncOperations(parts: TelcoParts): Operations {
  return {
    'connect.settings': { telco_balance: balanceMethod(parts.account) },
    'connect.telco.number': {
      search_available: searchAvailableMethod(parts),
      purchase_countries: purchaseCountriesMethod(parts),
      purchase_papers: purchasePapersMethod(parts),
      buy: buyMethod(parts),
    },
    'connect.telco.outgoing_callerid': { validate: validateMethod(parts) },
    'connect.message_content_template': { submit: submitMethod(parts), fetch_status: fetchStatusMethod(parts) },
  }
}

/** The first synchronisation is somebody's decision; only what was set up before is pushed anew. */
async function pushAddresses(env: Env, { values, previous }: Change): Promise<void> {
  if (previous === undefined) return
  const isChanged = EVERYWHERE.some((name) => name in values && (values[name] || null) !== (previous[name] || null))
  if (isChanged && (await pushesOnSave(env))) await requestPush(env, TELCO, { kind: 'everything' })
}
