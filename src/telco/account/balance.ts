import { Type } from 'typebox'
import { elevated } from '../../platform/access/env.ts'
import type { OutsideMethod } from '../../platform/model/model.ts'
import { records } from '../../platform/records/records.ts'
import { forPerson } from '../../sync/push.ts'
import { outsideButton } from '../../sync/requests.ts'
import type { TelcoAccount } from '../client/account.ts'
import { requireCredentials } from '../sync/readiness.ts'
import { TELCO } from '../sync/telco.ts'
import { showMoney } from './money.ts'

const Balance = Type.Object({ balance: Type.String() })

/** Asks for what is left in the account and saves it in the settings, such as `$12.30 USD`. */
export function balanceMethod(account: Pick<TelcoAccount, 'fetchBalance'>): OutsideMethod {
  return outsideButton('Ask for the balance', Balance, async (open) => {
    const id = await open(async ({ settings }) => {
      requireCredentials(settings)
      return settings.id
    })
    const balance = showMoney(await forPerson(TELCO, () => account.fetchBalance()))
    // Anyone who may press the button may have it saved, and nobody may write it by hand.
    await open((env) => records(elevated(env), 'connect.settings').write([id], { telco_balance: balance }))
    return { balance }
  })
}
