/**
 * Words that networks and phones send in the place of a number that the caller withholds, or that nobody can tell
 * (docs/reference/providers.md#withheld-callers).
 */
const WORDS = [
  ...['anonymous', 'restricted', 'blocked', 'unavailable', 'unknown', 'private', 'withheld', 'unidentified', 'hidden'],
  ...['no ?number', 'no ?caller ?id', 'not ?available', 'out ?of ?area', 'unassigned', 'none', 'null', 'undefined'],
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

/** The same where the plus has to be there: without it they are extensions, or somebody's local number. */
const KEYPAD_WITH_PLUS = ['464', '7748283']

// Both are read by JavaScript and by PostgreSQL, in any letter case.
const SCHEME = '(sips?|client|tel|whatsapp|rcs):'
const WITHHELD = [
  `^(${SCHEME})*"?(${WORDS.join('|').replaceAll(' ?', '[ _.-]?')})([ _.-]?(caller|call|number|id|user|user ?name))?"?(@.*)?$`,
  `^(${SCHEME})*([+]|00)?(${[...KEYPAD, ...ZEROS].join('|')})(@.*)?$`,
  `^(${SCHEME})*[+](${KEYPAD_WITH_PLUS.join('|')})(@.*)?$`,
  // No host has such a name (RFC 2606); networks put it behind the user of a caller who stays anonymous (RFC 3323).
  `^(${SCHEME})*[^@]*@([^@]*[.])?invalid([:;?].*)?$`,
].join('|')

/** What is somebody's own: a number, an extension, the id of a WhatsApp user, or the address of a phone. */
const IDENTITY = [
  '^(whatsapp:)?[+][1-9][0-9]{6,14}$',
  '^(whatsapp:)?[0-9]{2,15}$',
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
