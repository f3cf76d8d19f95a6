import type { Operations } from '../../platform/model.ts'
import { balanceMethod } from './balance.ts'
import { fetchStatusMethod, submitMethod } from './submit-template.ts'
import type { SyncParts } from './sync-parts.ts'
import { validateMethod } from './validate-caller-id.ts'

/**
 * What people have the provider do and wait for. The parts are asked for when they are needed: the models that these
 * methods belong to are part of them.
 */
export function telcoSyncOperations(parts: () => SyncParts): Operations {
  return {
    'connect.settings': { telco_balance: balanceMethod(() => parts().account) },
    'connect.telco.outgoing_callerid': { validate: validateMethod(parts) },
    'connect.message_content_template': { submit: submitMethod(parts), fetch_status: fetchStatusMethod(parts) },
  }
}
