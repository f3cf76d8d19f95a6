/** What a WhatsApp template holds beside its text, by the kind of its content, as the rows of a form; pure. */
import type { Values } from './record-values.ts'

const TEMPLATES = 'connect.message_content_template'
/** Twilio: up to ten quick replies, entries of a list and cards, and two buttons of a card in a carousel. */
const ROWS_MAX = 10
const CARD_BUTTONS_MAX = 2
/** WhatsApp shows no more of a button, an entry of a list and what describes that. */
const LABEL_CHARS_MAX = 25
const ENTRY_CHARS_MAX = 24
const DETAIL_CHARS_MAX = 72
/** Kinds that have media in their header, which stand in a field of their own. */
const WITH_HEADER = ['card', 'whatsapp/card']

/** What a button does, with the part of it that says where it leads; some lead nowhere. */
const TARGETS = {
  URL: 'url',
  PHONE_NUMBER: 'phone',
  QUICK_REPLY: undefined,
  COPY_CODE: 'code',
  VOICE_CALL: undefined,
  VOICE_CALL_REQUEST: undefined,
  REQUEST_CONTACT_INFO: undefined,
} as const
/** What of a row is read first, of whichever kind it is. */
const READ_FIRST = ['title', 'item', 'copy_code_text', 'label', 'address', 'body', 'name']
export type ButtonKind = keyof typeof TARGETS

/** What is entered of a row; a kind of a button decides where its target is kept. */
export type Cell =
  | { name: 'type'; enters: 'kind'; kinds: readonly ButtonKind[] }
  | { name: 'target'; enters: 'target' }
  | { name: string; label: CellLabel; enters: 'text' | 'number'; charsMax?: number }
  | { name: 'actions'; enters: 'buttons'; content: Content }
type CellLabel =
  | 'buttonLabel'
  | 'entryName'
  | 'entryDetail'
  | 'cardTitle'
  | 'textOfRow'
  | 'mediaAddress'
  | 'latitude'
  | 'longitude'
  | 'nameOfRow'
  | 'placeAddress'

export interface Content {
  label: 'templateButtons' | 'templateEntries' | 'templateMedia' | 'templatePlace' | 'templateCards'
  cells: readonly Cell[]
  rowsMax: number
  /** What a new row has beside what is entered. */
  fresh?: (rows: readonly Values[]) => Values
  /** Each row is one text, without a name. */
  areTexts?: boolean
}

const LABEL: Cell = { name: 'title', label: 'buttonLabel', enters: 'text', charsMax: LABEL_CHARS_MAX }
const MEDIA: Cell = { name: 'media', label: 'mediaAddress', enters: 'text' }

function buttonsOf(kinds: readonly ButtonKind[], rowsMax = ROWS_MAX): Content {
  const cells: Cell[] = [{ name: 'type', enters: 'kind', kinds }, LABEL, { name: 'target', enters: 'target' }]
  return { label: 'templateButtons', cells, rowsMax, fresh: () => ({ type: kinds[0] }) }
}

const OF_CARDS = buttonsOf(['URL', 'PHONE_NUMBER', 'QUICK_REPLY', 'COPY_CODE', 'VOICE_CALL'])
const CONTENTS: Readonly<Record<string, Content>> = {
  'quick-reply': {
    label: 'templateButtons',
    cells: [LABEL],
    rowsMax: ROWS_MAX,
    fresh: () => ({ type: 'QUICK_REPLY' }),
  },
  'call-to-action': buttonsOf([
    ...(['URL', 'PHONE_NUMBER', 'COPY_CODE'] as const),
    ...(['VOICE_CALL', 'VOICE_CALL_REQUEST', 'REQUEST_CONTACT_INFO'] as const),
  ]),
  card: OF_CARDS,
  'whatsapp/card': OF_CARDS,
  'whatsapp/authentication': {
    label: 'templateButtons',
    cells: [{ ...LABEL, name: 'copy_code_text' }],
    rowsMax: 1,
    fresh: () => ({ type: 'COPY_CODE' }),
  },
  'list-picker': {
    label: 'templateEntries',
    cells: [
      { name: 'item', label: 'entryName', enters: 'text', charsMax: ENTRY_CHARS_MAX },
      { name: 'description', label: 'entryDetail', enters: 'text', charsMax: DETAIL_CHARS_MAX },
    ],
    rowsMax: ROWS_MAX,
    // Twilio tells entries from each other by it, and people never see it.
    fresh: (rows) => ({ id: freeId(rows) }),
  },
  media: { label: 'templateMedia', cells: [MEDIA], rowsMax: ROWS_MAX, areTexts: true },
  location: {
    label: 'templatePlace',
    cells: [
      { name: 'latitude', label: 'latitude', enters: 'number' },
      { name: 'longitude', label: 'longitude', enters: 'number' },
      { name: 'label', label: 'nameOfRow', enters: 'text' },
      { name: 'address', label: 'placeAddress', enters: 'text' },
    ],
    rowsMax: 1,
  },
  carousel: {
    label: 'templateCards',
    cells: [
      { name: 'title', label: 'cardTitle', enters: 'text' },
      { name: 'body', label: 'textOfRow', enters: 'text' },
      MEDIA,
      {
        name: 'actions',
        enters: 'buttons',
        content: buttonsOf(['URL', 'PHONE_NUMBER', 'QUICK_REPLY'], CARD_BUTTONS_MAX),
      },
    ],
    rowsMax: ROWS_MAX,
  },
}

/** What the rows of a kind of content are; undefined where it has none that people enter. */
export function contentOf(kind: unknown): Content | undefined {
  return typeof kind === 'string' && Object.hasOwn(CONTENTS, kind) ? CONTENTS[kind] : undefined
}

/** Whether a field has a place in the form of a template of this kind: a text has no buttons. */
export function hasPlace(model: string, name: string, values: Values): boolean {
  if (model !== TEMPLATES || !isNothing(values[name])) return true
  if (name === 'media') return WITH_HEADER.includes(String(values.content_type))
  return name !== 'actions' || values.content_type !== 'text'
}

function isNothing(value: unknown): boolean {
  return value === null || value === undefined || (Array.isArray(value) && value.length === 0)
}

/** The rows of what is stored; undefined where it is not made of such rows, as a program may have written it. */
export function rowsOfContent({ areTexts = false }: Content, value: unknown): Values[] | undefined {
  if (isNothing(value)) return []
  if (!Array.isArray(value)) return undefined
  const areOf = areTexts ? isText : isParts
  if (!value.every(areOf)) return undefined
  return areTexts ? value.map((media) => ({ media })) : value
}

/** What is saved of rows: nothing of those in which nothing is entered yet. */
export function contentOfRows(content: Content, rows: readonly Values[]): unknown[] | null {
  const written = rows.filter((row) => isEntered(content, row))
  if (written.length === 0) return null
  return content.areTexts === true ? written.map(({ media }) => media) : written
}

/** The rows as they are typed, as long as the value is what they say; else those of the value, which was set elsewhere. */
export function shownContent(
  content: Content,
  typed: readonly Values[],
  value: unknown,
): readonly Values[] | undefined {
  const stored = rowsOfContent(content, value)
  if (stored === undefined) return undefined
  const saved = (rows: readonly Values[]) => JSON.stringify(contentOfRows(content, rows), inOneOrder)
  return saved(typed) === saved(stored) ? typed : stored
}

/** Where a button leads, by what it does; undefined where it leads nowhere. */
export function targetName({ type }: Values): string | undefined {
  return TARGETS[type as ButtonKind]
}

/** A button that does something else: where it led goes with it. */
export function withKind(row: Values, type: string): Values {
  const leads: readonly (string | undefined)[] = Object.values(TARGETS)
  return { ...Object.fromEntries(Object.entries(row).filter(([name]) => !leads.includes(name))), type }
}

/** A row with one part of it; one that is emptied goes. */
export function withPart(row: Values, name: string, value: unknown): Values {
  const others = Object.fromEntries(Object.entries(row).filter(([each]) => each !== name))
  return value === null || value === '' ? others : { ...row, [name]: value }
}

/** Rows with one of them so many places on; undefined where it cannot go. */
export function movedContent(rows: readonly Values[], at: number, by: number): Values[] | undefined {
  const moved = rows[at]
  if (moved === undefined || rows[at + by] === undefined) return undefined
  return rows.filter((_row, nth) => nth !== at).toSpliced(at + by, 0, moved)
}

/** What a template holds beside its text in one line: what is read first of each row, with where it leads. */
export function contentLine(value: unknown): string {
  if (!Array.isArray(value)) return ''
  return value
    .map(rowLine)
    .filter((line) => line !== '')
    .join(', ')
}

function rowLine(row: unknown): string {
  if (!isParts(row)) return isText(row) ? String(row) : ''
  const values = row as Values
  const first = READ_FIRST.map((name) => values[name]).find((text) => isText(text) && text !== '')
  const leads = values[targetName(values) ?? '']
  return [first, leads].filter((text) => isText(text) && text !== '').join(': ')
}

function isEntered({ cells }: Content, row: Values): boolean {
  return cells.some((cell) => {
    if (cell.enters === 'kind') return false
    const value = row[cell.enters === 'target' ? (targetName(row) ?? '') : cell.name]
    return !isNothing(value) && value !== ''
  })
}

function freeId(rows: readonly Values[]): string {
  const taken = rows.map(({ id }) => Number(id)).filter(Number.isInteger)
  return String(Math.max(0, ...taken) + 1)
}

function isText(value: unknown): boolean {
  return typeof value === 'string'
}

function isParts(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The service keeps names in an order of its own. */
function inOneOrder(_name: string, value: unknown): unknown {
  if (!isParts(value)) return value
  return Object.fromEntries(Object.entries(value as Values).toSorted(([one], [other]) => (one < other ? -1 : 1)))
}
