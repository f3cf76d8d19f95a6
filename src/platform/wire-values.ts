import { Refusal } from '../errors.ts'
import { CHAR_LENGTH_MAX, type ColumnField, TEXT_LENGTH_MAX } from './fields.ts'

const INT_MAX = 2_147_483_647
/** Bytes of one binary field; larger media goes through the media store. */
const BINARY_BYTES_MAX = 10 * 1024 * 1024
const DATE = /^\d{4}-\d{2}-\d{2}$/
const DATE_TIME = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2})(:\d{2}(?:\.\d{1,6})?)?Z?$/

/**
 * A value from the wire as its column stores it, or a refusal that names the field.
 * `null`, and `false` for anything but booleans, mean empty.
 */
export function toColumn(path: string, field: ColumnField, value: unknown): unknown {
  if (value === null || value === undefined || (value === false && field.kind !== 'boolean'))
    return emptyValue(path, field)
  switch (field.kind) {
    case 'integer':
    case 'float':
      return toNumber(path, field, value)
    case 'many2one':
      return toLink(path, value)
    case 'boolean':
      if (typeof value === 'boolean') return value
      throw new Refusal('refused', `"${path}" must be true or false.`)
    case 'date':
      return readDate(value, path)
    case 'datetime':
      return readDateTime(value, path)
    case 'json':
      return JSON.stringify(value)
    case 'binary':
      return toBinary(path, value)
    default:
      return toText(path, field, value)
  }
}

/** A date `YYYY-MM-DD` that exists. */
export function readDate(value: unknown, path: string): string {
  if (typeof value === 'string' && DATE.test(value) && exists(`${value}T00:00:00Z`, value)) return value
  throw new Refusal('refused', `"${path}" must be a date written YYYY-MM-DD.`)
}

/** A moment in UTC written `YYYY-MM-DD HH:MM:SS`; a bare date is its midnight. */
export function readDateTime(value: unknown, path: string): string {
  if (typeof value === 'string') {
    const text = DATE.test(value) ? `${value} 00:00:00` : value
    const [, day = '', minutes = '', seconds = ':00'] = DATE_TIME.exec(text) ?? []
    if (day !== '' && exists(`${day}T${minutes}${seconds}Z`, day)) return `${day} ${minutes}${seconds}`
  }
  throw new Refusal('refused', `"${path}" must be a date and time in UTC written YYYY-MM-DD HH:MM:SS.`)
}

/** Dates such as 30 February move on to the next month instead of failing, so the day is compared. */
function exists(iso: string, day: string): boolean {
  const moment = new Date(iso)
  return !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(day)
}

function emptyValue(path: string, field: ColumnField): null | boolean {
  if (field.kind === 'boolean') return false
  if (field.required === true) throw new Refusal('refused', `"${path}" is required.`)
  return null
}

function toNumber(path: string, field: ColumnField, value: unknown): number {
  const isWhole = field.kind === 'integer'
  if (typeof value !== 'number' || !Number.isFinite(value) || (isWhole && !Number.isInteger(value))) {
    throw new Refusal('refused', `"${path}" must be a ${isWhole ? 'whole ' : ''}number.`)
  }
  const min = field.min ?? -INT_MAX
  const max = field.max ?? INT_MAX
  if (value >= min && value <= max) return value
  throw new Refusal('refused', `"${path}" must be from ${min} to ${max}.`)
}

function toLink(path: string, value: unknown): number {
  // Clients send back what they read: [id, "name"].
  const id = Array.isArray(value) ? value[0] : value
  if (typeof id === 'number' && Number.isInteger(id) && id > 0 && id <= INT_MAX) return id
  throw new Refusal('refused', `"${path}" must be the id of a record.`)
}

function toBinary(path: string, value: unknown): Buffer {
  if (typeof value !== 'string' || !/^[A-Za-z0-9+/\s]*={0,2}\s*$/.test(value)) {
    throw new Refusal('refused', `"${path}" must be base64.`)
  }
  const bytes = Buffer.from(value, 'base64')
  if (bytes.length <= BINARY_BYTES_MAX) return bytes
  throw new Refusal('refused', `"${path}" has more than ${BINARY_BYTES_MAX} bytes.`)
}

function toText(path: string, field: ColumnField, value: unknown): string {
  if (typeof value !== 'string') throw new Refusal('refused', `"${path}" must be a text.`)
  if (value.includes('\0') || !value.isWellFormed()) {
    throw new Refusal('refused', `"${path}" has characters that cannot be stored.`)
  }
  const isLine = field.kind === 'char' || field.kind === 'secret' || field.kind === 'selection'
  const maxLength = field.maxLength ?? (isLine ? CHAR_LENGTH_MAX : TEXT_LENGTH_MAX)
  if (value.length > maxLength) throw new Refusal('refused', `"${path}" has more than ${maxLength} characters.`)
  if (field.required === true && value.trim() === '') throw new Refusal('refused', `"${path}" is required.`)
  if (field.choices !== undefined && !field.choices.some(([choice]) => choice === value)) {
    const choices = field.choices.map(([choice]) => choice).join(', ')
    throw new Refusal('refused', `"${path}" must be one of: ${choices}.`)
  }
  if (field.pattern !== undefined && value !== '' && !field.pattern.matches.test(value)) {
    throw new Refusal('refused', `"${path}" must be ${field.pattern.says}.`)
  }
  return value
}
