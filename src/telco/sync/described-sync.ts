import type { Operations } from '../../platform/model/model.ts'
import { balanceMethod } from '../account/balance.ts'
import { validateMethod } from '../caller-ids/validate-caller-id.ts'
import { fetchStatusMethod, submitMethod } from '../whatsapp/submit-template.ts'
import type { TelcoParts } from './telco-parts.ts'

/**
 * What people have the provider do and wait for. The parts are asked for when they are needed: the models that these
 * methods belong to are part of them.
 */
export function telcoSyncOperations(parts: () => TelcoParts): Operations {
  return {
    'connect.settings': { telco_balance: balanceMethod(() => parts().account) },
    'connect.telco.outgoing_callerid': { validate: validateMethod(parts) },
    'connect.message_content_template': { submit: submitMethod(parts), fetch_status: fetchStatusMethod(parts) },
  }
}
