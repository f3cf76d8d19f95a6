/** Every page that is drawn, with the address it has; `{call}` and the like stand for records of the demo. */
interface Place {
  name: string
  address: string
  /** Waited for, where the page needs more than its title. */
  ready?: string
  /** Drawn in this state alone, because in others it is what another page is. */
  only?: 'full'
  /** Shown to everybody who has not signed in. */
  isPublic?: true
}

export const PLACES: readonly Place[] = [
  { name: 'sign-in', address: '/sign-in', isPublic: true, only: 'full' },
  { name: 'sign-in-second', address: '/sign-in/second', isPublic: true, only: 'full' },
  { name: 'setup', address: '/setup#token=gone', isPublic: true, only: 'full' },
  { name: 'invitation', address: '/invitation#token=gone', isPublic: true, only: 'full' },
  { name: 'now', address: '/now' },
  { name: 'calls', address: '/calls' },
  { name: 'calls-missed', address: '/calls?outcome=missed&day=today' },
  { name: 'call', address: '/calls/{call}' },
  { name: 'call-transcript', address: '/calls/{call}?tab=transcript', only: 'full' },
  { name: 'call-about', address: '/calls/{call}?tab=about', only: 'full' },
  { name: 'call-failed', address: '/calls/{failed}', only: 'full' },
  { name: 'call-live', address: '/calls/{live}', only: 'full' },
  { name: 'call-gone', address: '/calls/999999999', only: 'full' },
  { name: 'calls-peek', address: '/calls?peek={call}', only: 'full' },
  { name: 'tickets', address: '/tickets' },
  { name: 'tickets-list', address: '/tickets?as=list' },
  { name: 'ticket', address: '/tickets/{ticket}' },
  { name: 'messages', address: '/messages' },
  { name: 'conversation', address: '{conversation}', only: 'full' },
  { name: 'contacts', address: '/contacts' },
  { name: 'contact', address: '/contacts/{contact}' },
  { name: 'contact-calls', address: '/contacts/{contact}?tab=calls', only: 'full' },
  { name: 'contacts-duplicates', address: '/contacts/duplicates' },
  { name: 'deliveries', address: '/deliveries' },
  { name: 'deliveries-rejected', address: '/deliveries?verdict=rejected', only: 'full' },
  { name: 'inbox', address: '/deliveries/inbox' },
  { name: 'jobs', address: '/deliveries/jobs' },
  { name: 'delivery', address: '/deliveries?open={delivery}', only: 'full' },
  { name: 'set-up', address: '/settings/set-up' },
  { name: 'settings', address: '/settings/address' },
  { name: 'settings-phone', address: '/settings/phone', only: 'full' },
  { name: 'settings-voice-agents', address: '/settings/voice-agents', only: 'full' },
  { name: 'settings-messages', address: '/settings/messages', only: 'full' },
  { name: 'settings-calls', address: '/settings/calls', only: 'full' },
  { name: 'settings-sign-in', address: '/settings/sign-in', only: 'full' },
  { name: 'settings-privacy', address: '/settings/privacy', only: 'full' },
  { name: 'settings-trace', address: '/settings/trace', only: 'full' },
  { name: 'settings-people', address: '/settings/people', only: 'full' },
  { name: 'settings-groups', address: '/settings/groups', only: 'full' },
  { name: 'settings-audit', address: '/settings/audit', only: 'full' },
  { name: 'settings-keys', address: '/settings/keys', only: 'full' },
  { name: 'settings-checks', address: '/settings/checks' },
  { name: 'settings-synchronise', address: '/settings/synchronise', only: 'full' },
  { name: 'me', address: '/me' },
  { name: 'records', address: '/records', only: 'full' },
  { name: 'records-list', address: '/records/connect.telco.callflow' },
  { name: 'records-form', address: '/records/connect.telco.number/{number}' },
  { name: 'records-agent', address: '/records/connect.voiceai_agent/{agent}', only: 'full' },
  { name: 'records-voice', address: '/records/connect.voiceai_voice/{voice}', only: 'full' },
  { name: 'records-gone', address: '/records/res.partner/999999999', only: 'full' },
  { name: 'records-new', address: '/records/res.partner/new', only: 'full' },
  { name: 'no-such-page', address: '/no/such/page', only: 'full' },
]

export const STATES = ['full', 'empty', 'error', 'no-right'] as const
export type State = (typeof STATES)[number]
export const WIDTHS = [1280, 375] as const
export const THEMES = ['light', 'dark'] as const

/** The pages of a state, with the ids of what the demo has made. */
export function placesOf(state: State, ids: Readonly<Record<string, string>>): Place[] {
  return PLACES.filter(({ only }) => only === undefined || only === state).flatMap((place) => {
    const address = place.address.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => ids[name] ?? '')
    // Without calls there is no page of a call.
    const isThere = [...place.address.matchAll(/\{(\w+)\}/g)].every(([, name = '']) => ids[name] !== undefined)
    return isThere ? [{ ...place, address }] : []
  })
}
