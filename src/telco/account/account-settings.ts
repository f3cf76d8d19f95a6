import type { Extension } from '../../platform/model/extend.ts'
import { boolean, char, computed, secret, selection } from '../../platform/model/fields.ts'
import type { Row, Values } from '../../platform/model/model.ts'
import { isNotOff, type ReadOf, setting, type VerifyingOf } from '../../platform/settings/setting.ts'
import { EDGES } from '../client/hosts.ts'

const EDGE_OF_REGION: Record<string, string> = { us1: 'ashburn', ie1: 'dublin', au1: 'sydney' }

/** Said in the settings and at start: with the check off, anybody who knows the address can send events. */
export const NOT_VERIFIED =
  'Telephony requests are NOT verified: anybody can send call events. Switch "telco_verify_requests" on.'

const fields = {
  account_sid: setting('accountSid', char('Account SID'), { isPasted: true }),
  auth_token: setting('authToken', secret('Auth token'), { hasTwin: true, verifies: true }),
  telco_api_key: setting('telcoApiKey', char('API key SID'), { isPasted: true }),
  telco_api_secret: setting('telcoApiSecret', secret('API secret'), { hasTwin: true }),
  telco_balance: char('Balance', { readonly: true, widget: 'money' }),
  telco_region: setting('telcoRegion', selection('Region', ['us1', 'ie1', 'au1'], { default: 'us1' }), {
    read: (region) => region ?? 'us1',
  }),
  telco_edge: setting('telcoEdge', selection('Edge', EDGES, { default: 'ashburn' }), {
    read: (edge) => edge ?? 'ashburn',
  }),
  telco_auto_sync: boolean('Sync on save', { default: true }),
  telco_verify_requests: setting(
    'telcoVerifyRequests',
    boolean('Verify webhooks', {
      default: true,
      help: 'Turn off for development only: anyone who knows the address could then send events.',
    }),
    { read: isNotOff, verifies: true },
  ),
  telco_verification_warning: computed('Warning', 'char', {
    depends: ['telco_verify_requests'],
    compute: (_env, rows) => rows.map((row) => (row.telco_verify_requests === false ? NOT_VERIFIED : null)),
  }),
  fetch_call_prices: setting('fetchesCallPrices', boolean('Fetch call prices', { default: false })),
}

declare module '../../platform/settings/settings.ts' {
  interface SettingsSnapshot extends ReadOf<typeof fields> {}
  interface VerificationSettings extends VerifyingOf<typeof fields> {}
}

/** The account at the phone provider, and how it is used. */
export const accountSettings: Extension = {
  fields,
  prepare: (_env, values, current) => (current === undefined ? values : withEdgeOfRegion(values, current)),
}

function withEdgeOfRegion(values: Values, current: Row): Values {
  const region = values.telco_region
  if (typeof region !== 'string' || region === current.telco_region || 'telco_edge' in values) return values
  return { ...values, telco_edge: EDGE_OF_REGION[region] }
}
