// Hosts of the telephony provider that are part of addresses we store and match. They belong to the provider and are the
// same for every account, so they are constants; the address of its REST API is configuration (TELCO_BASE_URL).

/** Every SIP domain of an account is one label below this. */
const SIP_LABEL = 'sip'
const PROVIDER_DOMAIN = 'twilio.com'

/** Where the provider hands calls over; `roaming` leaves the choice to it. */
export const EDGES = [
  'ashburn',
  'umatilla',
  'dublin',
  'frankfurt',
  'sydney',
  'sao-paulo',
  'tokyo',
  'singapore',
] as const

/** Host, port and parameters of the voice-agent platform's SIP ingress, unless the configuration names another. */
export const AGENT_SIP_HOST = 'sip.rtc.elevenlabs.io:5060;transport=tcp'

/** Where the provider keeps a message template. */
export function contentUrl(sid: string): string {
  return `https://content.${PROVIDER_DOMAIN}/v1/Content/${sid}`
}

/** Host of a SIP domain; with an edge the one whose calls enter there. */
export function sipHost(subdomain: string, edge?: string): string {
  const place = edge === undefined || edge === 'roaming' ? '' : `${edge}.`
  return `${subdomain}.${SIP_LABEL}.${place}${PROVIDER_DOMAIN}`
}

/** `username@host` of a phone; undefined without a username or a SIP domain. */
export function phoneAddress({ username, subdomain }: { username: string | null; subdomain: string | null }) {
  return username && subdomain ? `${username}@${sipHost(subdomain)}` : undefined
}
