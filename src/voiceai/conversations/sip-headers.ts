import { readId, readText } from '../../lenient-values.ts'

const SID_CHARS_MAX = 200
/** Headers of one call that are looked at; a trunk sends a handful. */
const HEADERS_MAX = 100

/** Which call of ours a SIP call is, as our own dial names it to the platform. */
interface SipCallReference {
  /** Id of the call in the ledger. */
  callId: number | undefined
  /** Provider id of the caller's leg. */
  callSid: string | undefined
}

/** Names without `X-`, the prefixes of platforms (`sip_`, `sip.h.`), capitals and separators. */
const CALL_REFERENCE = 'connectcallref'
const CALL_ID = 'callid'
/** How the phone provider's ids of calls begin; the SIP dialog has a Call-ID of its own. */
const TELCO_SID = /^CA/

/**
 * Reads the custom headers of our dial out of what the platform passes on. Which form they have there is on none of its
 * pages: an object, a list of name and value, names as headers or as dynamic variables are all understood.
 */
export function readSipReference(headers: unknown): SipCallReference {
  const named = readHeaders(headers)
  const values = (name: string): unknown[] => named.filter((each) => each.name === name).map((each) => each.value)
  const ids = values(CALL_REFERENCE).map(readId)
  const sids = values(CALL_ID).map((value) => readText(value, SID_CHARS_MAX))
  return {
    callId: ids.flatMap((id) => (id.kind === 'present' ? [id.value] : []))[0],
    callSid: sids.flatMap((sid) => (sid.kind === 'present' && TELCO_SID.test(sid.value) ? [sid.value] : []))[0],
  }
}

function readHeaders(headers: unknown): { name: string; value: unknown }[] {
  if (typeof headers !== 'object' || headers === null) return []
  const pairs = Array.isArray(headers) ? headers.slice(0, HEADERS_MAX).flatMap(readEntry) : Object.entries(headers)
  return pairs
    .slice(0, HEADERS_MAX)
    .map(([name, value]) => ({ name: plainName(name), value: Array.isArray(value) ? value[0] : value }))
}

/** One entry of a list: `{name, value}`, `{key, value}`, `[name, value]`, or an object of one header. */
function readEntry(entry: unknown): [string, unknown][] {
  if (typeof entry !== 'object' || entry === null) return []
  if (Array.isArray(entry)) return typeof entry[0] === 'string' ? [[entry[0], entry[1]]] : []
  const { name, key, value } = entry as Record<string, unknown>
  const title = name ?? key
  return typeof title === 'string' ? [[title, value]] : Object.entries(entry)
}

function plainName(name: string): string {
  return name
    .toLowerCase()
    .replace(/^sip[._-](?:h[._-])?/, '')
    .replace(/^x[._-]/, '')
    .replaceAll(/[^a-z0-9]/g, '')
}
