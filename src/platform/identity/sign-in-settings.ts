import { Refusal } from '../../errors.ts'
import { isLocalHost, isOwnNetwork } from '../../public-address.ts'
import { type Said, sayRefusal } from '../../refusals.ts'
import type { Platform } from '../access/env.ts'
import type { Extension } from '../model/extend.ts'
import { boolean, char, secret } from '../model/fields.ts'
import type { Values } from '../model/model.ts'
import { isBlank } from '../model/values.ts'
import { type ReadOf, setting } from '../settings/setting.ts'
import type { SettingsSnapshot } from '../settings/settings.ts'

// Anyone who writes these decides who is let in: managers only.
const fields = {
  require_second_factor: setting(
    'requiresSecondFactor',
    boolean('Require two-factor sign-in', {
      default: false,
      help: 'Applies to everyone who signs in with a password, not to API keys or single sign-on.',
    }),
  ),
  sso_issuer: setting(
    'ssoIssuer',
    char('Single sign-on: issuer URL', {
      help: 'Address of your OpenID provider, such as https://login.example.com.',
    }),
    { isPasted: true },
  ),
  sso_client_id: setting('ssoClientId', char('Single sign-on: client id'), {
    isPasted: true,
  }),
  sso_client_secret: setting('ssoClientSecret', secret('Single sign-on: client secret'), { hasTwin: true }),
  sso_label: setting(
    'ssoLabel',
    char('Single sign-on: button text', {
      maxLength: 60,
      help: 'Shown as “or continue with …”.',
    }),
  ),
  sso_create_users: setting(
    'ssoCreatesUsers',
    boolean('Single sign-on: create accounts on first sign-in', {
      default: false,
      help: 'Everyone with a verified e-mail address gets an account, as a Connect user if no groups come along.',
    }),
  ),
  sso_group_claim: setting(
    'ssoGroupClaim',
    char('Single sign-on: groups claim', {
      maxLength: 100,
      help: 'The claim that lists their groups by name. Managers are never created this way.',
    }),
    { isPasted: true },
  ),
}

declare module '../settings/settings.ts' {
  interface SettingsSnapshot extends ReadOf<typeof fields> {}
}

/** How people are let in, besides by password. */
export const signInSettings: Extension = {
  fields,
  prepare({ platform }, values) {
    requireIssuer(values, platform)
    return values
  },
}

/** Whether people can come by single sign-on. */
export function hasSingleSignOn({ ssoIssuer, ssoClientId }: SettingsSnapshot): boolean {
  return ssoIssuer !== undefined && ssoClientId !== undefined
}

/** Its answers decide who somebody is, and it is asked from inside: over https, and public, but where the environment says otherwise. */
function requireIssuer({ sso_issuer: issuer }: Values, { takesLocalIssuer }: Pick<Platform, 'takesLocalIssuer'>): void {
  if (isBlank(issuer) || typeof issuer !== 'string') return
  const url = URL.canParse(issuer) ? new URL(issuer) : undefined
  const isPlain = url?.username === '' && url.password === '' && url.search === '' && url.hash === ''
  const isOver = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLocalHost(url.hostname))
  if (isPlain && isOver && (takesLocalIssuer || !isOwnNetwork(url.hostname))) return
  if (isPlain && isOver) {
    throw refusedIssuer(sayRefusal('sso-issuer-public'))
  }
  throw refusedIssuer(
    sayRefusal('wrong-shape', {
      path: 'sso_issuer',
      says: 'an address such as https://login.example.com, without a query',
    }),
  )
}

function refusedIssuer(said: Said): Refusal {
  return Refusal.saying('refused', said, { problems: [{ ...said, field: 'sso_issuer' }] })
}
