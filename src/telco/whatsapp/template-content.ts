/** Where the list of a kind of content stands, for kinds that do not call it `actions`. */
const LIST_NAMES: Readonly<Record<string, string>> = { media: 'media', 'list-picker': 'items', carousel: 'cards' }
/** Kinds whose text is called something else than `body`. */
const TEXT_NAMES: Readonly<Record<string, string>> = { card: 'title' }
/** Kinds that are one object without text or list: it stands in `actions`. */
const OBJECT_KINDS = new Set(['location', 'catalog', 'pay', 'flows'])
/** Kinds with media beside their list. */
const CARD_KINDS = new Set(['card', 'whatsapp/card'])
const BUTTON_DEFAULT = 'Options'
const OWN_PREFIX = 'twilio/'

/** Content as people write it here. */
interface WrittenContent {
  type: string
  body: string | null
  actions: readonly unknown[] | null
  /** Addresses of what stands in the header of a card. */
  media: readonly unknown[] | null
}

/** Content as the provider holds it: its kind and what that holds. */
export type ContentTypes = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/** What people wrote, as the provider wants it. Fields that have no place here are taken over from `previous`. */
export function toContentTypes(
  { type, body, actions, media }: WrittenContent,
  previous: ContentTypes = {},
): ContentTypes {
  const name = providerKind(type)
  const text = body === null ? {} : { [TEXT_NAMES[type] ?? 'body']: body }
  const list = actions === null ? {} : listOf(type, actions)
  const button = type === 'list-picker' ? { button: BUTTON_DEFAULT } : {}
  const header = media === null || !CARD_KINDS.has(type) ? {} : { media }
  return { [name]: { ...button, ...previous[name], ...text, ...list, ...header } }
}

/** What the provider holds, as people write it here; undefined for kinds that are not known here. */
export function readContentTypes(types: ContentTypes, known: readonly string[]): WrittenContent | undefined {
  for (const [name, held] of Object.entries(types)) {
    const type = name.startsWith(OWN_PREFIX) ? name.slice(OWN_PREFIX.length) : name
    if (known.includes(type)) return readContent(type, held)
  }
  return undefined
}

function readContent(type: string, held: Readonly<Record<string, unknown>>): WrittenContent {
  const { body, ...rest } = held
  const text = TEXT_NAMES[type] === undefined ? body : held[TEXT_NAMES[type]]
  const list = OBJECT_KINDS.has(type) ? [rest] : held[LIST_NAMES[type] ?? 'actions']
  return {
    type,
    body: typeof text === 'string' && text !== '' ? text : null,
    actions: Array.isArray(list) && list.length > 0 ? list : null,
    media: CARD_KINDS.has(type) && Array.isArray(held.media) && held.media.length > 0 ? held.media : null,
  }
}

/** Where the media of a template lie that go out with its message, placeholders and all. */
export function mediaOfTemplate({ type, actions, media }: Omit<WrittenContent, 'body'>): string[] {
  return (mediaHeld({ type, actions, media }) ?? []).filter((each) => typeof each === 'string')
}

function mediaHeld({ type, actions, media }: Omit<WrittenContent, 'body'>): readonly unknown[] | null {
  if (CARD_KINDS.has(type)) return media
  if (type === 'carousel') return mediaOfCards(actions)
  return type === 'media' ? actions : null
}

function mediaOfCards(cards: readonly unknown[] | null): unknown[] {
  return (cards ?? []).map((card) => (typeof card === 'object' && card !== null && 'media' in card ? card.media : null))
}

/** WhatsApp's name of a template: lower-case letters, digits and underscores. */
export function approvalName(friendlyName: string): string {
  const APPROVAL_NAME_CHARS_MAX = 512
  const plain = friendlyName.normalize('NFKD').toLowerCase()
  const name = plain.replaceAll(/[^a-z0-9]+/g, '_').replaceAll(/^_+|_+$/g, '')
  return name.slice(0, APPROVAL_NAME_CHARS_MAX) || 'template'
}

function providerKind(type: string): string {
  return type.includes('/') ? type : `${OWN_PREFIX}${type}`
}

function listOf(type: string, actions: readonly unknown[]): Record<string, unknown> {
  if (!OBJECT_KINDS.has(type)) return { [LIST_NAMES[type] ?? 'actions']: actions }
  const [first] = actions
  return typeof first === 'object' && first !== null && !Array.isArray(first) ? { ...first } : {}
}
