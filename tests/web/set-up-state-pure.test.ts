// Which steps of the set-up say "done".
import { expect, test } from 'vitest'
import { stateOf } from '../../web/records/set-up-state.ts'

const NOTHING = {
  id: 1,
  ...{ company_name: null, country_id: null, tz: null, api_url: null, account_sid: null, telco_balance: null },
  ...{ voiceai_enabled: false, display_voiceai_api_key: null },
}
const proofs = { settings: NOTHING, reaches: false, runs: [], newest: undefined, numbers: 0, calls: 0 }
const ACCOUNT = { ...NOTHING, account_sid: 'AC1' }
const SYNC = { area: 'telco', kind: 'sync' }

test.each([
  { what: 'nothing', settings: NOTHING, runs: [], phone: 'open' },
  { what: 'an account that nobody asked', settings: ACCOUNT, runs: [], phone: 'open' },
  { what: 'its balance', settings: { ...ACCOUNT, telco_balance: '12 USD' }, runs: [], phone: 'done' },
  { what: 'a synchronisation with it', settings: ACCOUNT, runs: [SYNC], phone: 'done' },
  { what: 'a comparison alone', settings: ACCOUNT, runs: [{ ...SYNC, kind: 'check' }], phone: 'open' },
  { what: 'a synchronisation with one that was taken out', settings: NOTHING, runs: [SYNC], phone: 'open' },
])('the phone account is proven, or not, by $what', ({ settings, runs, phone }) => {
  expect(stateOf({ ...proofs, settings, runs }).phone).toBe(phone)
})
