import { Refusal } from '../../errors.ts'
import { ID_MAX, INT_MAX } from '../../lenient-values.ts'
import { isUnseen } from '../../unseen.ts'
import { CHAR_LENGTH_MAX, type ColumnField, type ColumnKind, TEXT_LENGTH_MAX } from '../model/fields.ts'

/** Bytes of one binary field; larger media goes through the media store. */
const BINARY_BYTES_MAX = 10 * 1024 * 1024
/** Kinds that are written as a text. */
const WRITTEN_KINDS: ReadonlySet<ColumnKind> = new Set([
  'char',
  'text',
  'html',
  'selection',
  'secret',
  'date',
  'datetime',
  'binary',
])
/** Base64 of nothing. */
const NO_BYTES = /^[\s=]*$/
const DATE = /^\d{4}-\d{2}-\d{2}$/
const DATE_TIME = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2})(:\d{2}(?:\.\d{1,6})?)?Z?$/

/**
 * A value from the wire as its column stores it, or a refusal that names the field. `null`, a blank text, and `false`
 * for anything but booleans, mean empty.
 */
export function toColumn(path: string, field: ColumnField, value: unknown): unknown {
  if (isEmpty(field, value)) return emptyValue(path, field)
  switch (field.kind) {
    case 'integer':
    case 'float':
      return toNumber(path, field, value)
    case 'many2one':
      return toLink(path, value)
    case 'boolean':
      if (typeof value === 'boolean') return value
      throw new Refusal('refused', 'not-boolean', { path })
    case 'date':
      return readDate(value, path)
    case 'datetime':
      return readDateTime(value, path)
    case 'json':
      return toJson(path, value)
    case 'binary':
      return toBinary(path, value)
    default:
      return toText(path, field, value)
  }
}

/** A text of which nothing is seen is no value, so that two records without one do not clash on a unique field. */
function isEmpty({ kind }: ColumnField, value: unknown): boolean {
  if (value === null || value === undefined) return true
  if (value === false) return kind !== 'boolean'
  if (typeof value !== 'string' || !WRITTEN_KINDS.has(kind)) return false
  return isUnseen(value) || (kind === 'binary' && NO_BYTES.test(value))
}

/** The id in a link as it is written: an id, or the `[id, "name"]` that clients read and send back. */
export function toLink(path: string, value: unknown): number {
  const id = Array.isArray(value) ? value[0] : value
  if (typeof id === 'number' && Number.isInteger(id) && id > 0 && id <= ID_MAX) return id
  throw new Refusal('refused', 'not-record', { path })
}

/** A date `YYYY-MM-DD` that exists. */
export function readDate(value: unknown, path: string): string {
  if (typeof value === 'string' && DATE.test(value) && exists(`${value}T00:00:00Z`, value)) return value
  throw new Refusal('refused', 'not-date', { path })
}

/** A moment in UTC written `YYYY-MM-DD HH:MM:SS`; a bare date is its midnight. */
export function readDateTime(value: unknown, path: string): string {
  if (typeof value === 'string') {
    const text = DATE.test(value) ? `${value} 00:00:00` : value
    const [, day = '', minutes = '', seconds = ':00'] = DATE_TIME.exec(text) ?? []
    if (day !== '' && exists(`${day}T${minutes}${seconds}Z`, day)) return `${day} ${minutes}${seconds}`
  }
  throw new Refusal('refused', 'not-date-time', { path })
}

/** Dates such as 30 February move on to the next month instead of failing, so the day is compared; there is no year 0. */
function exists(iso: string, day: string): boolean {
  const moment = new Date(iso)
  return !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(day) && !day.startsWith('0000')
}

function emptyValue(path: string, field: ColumnField): null | boolean {
  if (field.kind === 'boolean') return false
  if (field.required === true) throw new Refusal('refused', 'required', { path })
  return null
}

function toNumber(path: string, field: ColumnField, value: unknown): number {
  const isWhole = field.kind === 'integer'
  if (typeof value !== 'number' || !Number.isFinite(value) || (isWhole && !Number.isInteger(value))) {
    throw new Refusal('refused', 'not-number', { path, value: isWhole ? 'whole ' : '' })
  }
  const range = field.isRecordId === true ? ID_MAX : INT_MAX
  const min = field.min ?? -range
  const max = field.max ?? range
  if (value >= min && value <= max) return value
  throw new Refusal('refused', 'out-of-range', { path, min, max })
}

function toJson(path: string, value: unknown): string {
  const text = JSON.stringify(value)
  // The database keeps JSON with its escapes read, and these two stand for nothing that it can keep.
  if (/(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/i.test(text)) {
    throw new Refusal('refused', 'bad-characters', { path })
  }
  if (text.length <= TEXT_LENGTH_MAX) return text
  throw new Refusal('refused', 'too-long', { path, text_length: TEXT_LENGTH_MAX })
}

function toBinary(path: string, value: unknown): Buffer {
  if (typeof value !== 'string' || /[^A-Za-z0-9+/=\s]/.test(value) || /=[^=\s]/.test(value)) {
    throw new Refusal('refused', 'api-must-base', { path })
  }
  const bytes = Buffer.from(value, 'base64')
  if (bytes.length <= BINARY_BYTES_MAX) return bytes
  throw new Refusal('refused', 'has-more-than-bytes', { path, binary_bytes: BINARY_BYTES_MAX })
}

function toText(path: string, field: ColumnField, value: unknown): string {
  if (typeof value !== 'string') throw new Refusal('refused', 'not-text', { path })
  if (value.includes('\0') || !value.isWellFormed()) {
    throw new Refusal('refused', 'bad-characters', { path })
  }
  const isLine = field.kind === 'char' || field.kind === 'secret' || field.kind === 'selection'
  const maxLength = field.maxLength ?? (isLine ? CHAR_LENGTH_MAX : TEXT_LENGTH_MAX)
  if (value.length > maxLength) throw new Refusal('refused', 'too-long', { path, text_length: maxLength })
  requireChoiceAndPattern(path, field, value)
  return value
}

function requireChoiceAndPattern(path: string, field: ColumnField, value: string): void {
  if (field.choices !== undefined && field.isOpen !== true && !field.choices.some(([choice]) => choice === value)) {
    const choices = field.choices.map(([choice]) => choice).join(', ')
    throw new Refusal('refused', 'not-a-choice', { path, choices })
  }
  if (field.pattern !== undefined && !field.pattern.matches.test(value)) {
    throw new Refusal('refused', 'wrong-shape', { path, says: field.pattern.says })
  }
}
