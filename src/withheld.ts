/**
 * Words that networks and phones send in the place of a number that the caller withholds, or that nobody can tell
 * (docs/reference/providers.md#withheld-callers).
 */
const WORDS = [
  ...['anonymous', 'restricted', 'blocked', 'unavailable', 'unknown', 'private', 'withheld', 'unidentified', 'hidden'],
  ...['no ?number', 'no ?caller ?id', 'not ?available', 'out ?of ?area', 'unassigned', 'none', 'null', 'undefined'],
  ...['suppressed', 'unavail', 'anon', 'anonymous ?[0-9]{1,3}', 'identity ?withheld', 'invalid', 'nobody'],
  // The same in other languages, as telephone systems of their countries write it.
  ...[
    'anonyme?',
    'an[oó]nimo',
    'unbekannt',
    'unterdr(ü|ue)ckt',
    'inconnu',
    'masqu(é|e)',
    'priv(é|e|at|ado|ato)',
    'oculto',
  ],
  ...['desconocido', 'desconhecido', 'sconosciuto', 'onbekend', 'anoniem'],
  // What Asterisk and FreeSWITCH put there when nobody has set a caller.
  ...['asterisk', 'freeswitch'],
]

/** The same words as the keys of a telephone, which the provider sends as if they were a number; with the 1 of North America they are none. */
const KEYPAD = [
  '1?266696687', // ANONYMOUS
  '1?7378742833', // RESTRICTED
  '7378742883', // RESTRICTED, as the provider's page once wrote it
  '1?2562533', // BLOCKED
  '1?8656696', // UNKNOWN
  '1?86282452253', // UNAVAILABLE
]

/** Exchanges fill the place of a number that they do not know with zeros. */
const ZEROS = ['0{5,15}', '10{10}']

/**
 * They fill it with another digit, or count up. The plus has to be there: without it, ten equal digits are a number of India. With a 1 before
 * them, 777… and 888… may be somebody's. No area code of North America begins with 0 or 1 (nationalnanpa.com, "NPA").
 */
const FILLED_WITH_PLUS = [
  '1?(1{10}|2{10}|3{10}|4{10}|5{10}|6{10}|9{10})',
  '9{11,15}',
  '1?1234567890',
  '123456789',
  '1[01][0-9]{9}',
]

/** Zeros behind a calling code, with which no country has anybody's number (ITU-T E.164, list of assigned codes). */
const CODES = [
  ...['1', '7', '2[07]', '3[0-469]', '4[013-9]', '5[1-8]', '6[0-6]', '8[1246]', '9[0-58]'],
  ...['(2[1-689]|3[578]|42|5[09]|6[7-9]|8[0357-9]|9[679])[0-9]'],
]
const ZEROS_BEHIND_CODE = `(${CODES.join('|')})0{6,12}`

/** The same where the plus has to be there: without it they are extensions, or somebody's local number. */
const KEYPAD_WITH_PLUS = ['464', '7748283']

// Both are read by JavaScript and by PostgreSQL, in any letter case.
const SCHEME = '(sips?|client|tel|whatsapp|rcs):'
const BETWEEN = '([ _.-]|%20)?'
/** Before the host, SIP lets a password and parameters follow, such as the kind of caller (RFC 3261, 19.1.1; `;cpc=ordinary`). */
const END = '([;:][^@]*)?(@.*)?$'
const WITHHELD = [
  `^(${SCHEME})*"?((caller|number|nummer|n[uú]mero|numéro|call|id)${BETWEEN}(id${BETWEEN})?)?(${WORDS.join('|').replaceAll(' ?', BETWEEN)})(${BETWEEN}(caller|call|number|id|user|user ?name))?"?${END}`,
  `^(${SCHEME})*([+]|00)?(${[...KEYPAD, ...ZEROS].join('|')})${END}`,
  `^(${SCHEME})*[+](${[...KEYPAD_WITH_PLUS, ...FILLED_WITH_PLUS, ZEROS_BEHIND_CODE].join('|')})${END}`,
  // Of a SIP address with nothing but zeros or signs before the host, the number was left empty.
  `^sips?:[+]?[0.*_-]{1,4}${END}`,
  // No host has such a name (RFC 2606); networks put it behind the user of a caller who stays anonymous (RFC 3323).
  `^(${SCHEME})*[^@]*@([^@]*[.])?invalid([:;?].*)?$`,
].join('|')

/** What is somebody's own: a number, an extension, the id of a WhatsApp user, or the address of a phone; not zeros alone. */
const IDENTITY = [
  '^(whatsapp:)?[+][1-9][0-9]{6,14}$',
  '^(whatsapp:)?(?=[0-9]*[1-9])[0-9]{2,15}$',
  // A user of WhatsApp without a number, as the messenger and as the provider name them.
  '^(whatsapp:)?[a-z]{2}[.](ent[.])?[a-z0-9]{4,128}$',
  '^sips?:[^@ ]+@[^@ ]+$',
  '^client:[^ ]+$',
].join('|')

const IS_WITHHELD = new RegExp(WITHHELD, 'i')
const IS_IDENTITY = new RegExp(IDENTITY, 'i')
const SEPARATORS = /[\s().\-/]/g
const LOOKS_LIKE_NUMBER = /^(?:whatsapp:|tel:)?\+?[\d\s().\-/]+$/i

/** Whether an address stands for a caller who withheld their number, or whom the network could not name. */
export function isWithheld(address: string): boolean {
  const text = compact(address)
  return text === '' || IS_WITHHELD.test(text)
}

/**
 * Whether an address says who a caller is. Where it does not, two calls with the same address are calls of two
 * people: a withheld number, an empty text and a name that anybody may show are nobody's own.
 */
export function hasIdentity(address: string | null | undefined): boolean {
  const text = compact(address ?? '')
  return IS_IDENTITY.test(text) && !IS_WITHHELD.test(text)
}

/** What a voice agent is told of a caller: digits that only spell that the number is withheld are nobody's number, and are not read out. */
export function spokenCaller(address: string): string {
  return /\d/.test(address) && isWithheld(address) ? 'anonymous' : address
}

/** A number without what is written between its digits; any other text as it is. */
function compact(address: string): string {
  const text = address.trim()
  return LOOKS_LIKE_NUMBER.test(text) ? text.replaceAll(SEPARATORS, '') : text
}

/** For the database, which asks the same with `~*`: an address is an identity when it is the first and not the second. */
export const IDENTITY_PATTERNS = { identity: IDENTITY, withheld: WITHHELD } as const
