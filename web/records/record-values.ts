/** What a form holds beside what the service holds; pure. */
import type { FieldInfo } from '../data/queries.ts'

export type Values = Record<string, unknown>

/** What a form says above its fields: sentences of the service. */
export const REMARKS = 'remarks'
const SERVICE_OWN = [
  REMARKS,
  'id',
  'create_date',
  'write_date',
  'create_uid',
  'write_uid',
  'write_stamp',
  'display_name',
]
/** Parts of a form that stand at its end; those that a model names itself come before them. */
const LAST = ['parts', 'linked', 'reported', 'record']

/** Fields that a person reads on the record, those that may be written first. */
export function shownFields(fields: Record<string, FieldInfo>): FieldInfo[] {
  const shown = Object.values(fields).filter(
    ({ name, type, widget }) => !SERVICE_OWN.includes(name) && type !== 'binary' && widget !== 'none',
  )
  // A secret is entered in its twin, which shows whether there is one.
  return shown.filter(({ name, secret }) => !secret || !Object.hasOwn(fields, `display_${name}`))
}

/** The parts of a form with their fields: what one enters, what is linked, and what was reported at the end. */
export function sectionsOf(fields: Record<string, FieldInfo>): { section: string; fields: FieldInfo[] }[] {
  const bySection = new Map<string, FieldInfo[]>()
  for (const field of shownFields(fields)) {
    const section = field.section ?? 'general'
    bySection.set(section, [...(bySection.get(section) ?? []), field])
  }
  const names = [...bySection.keys()].sort((one, other) => LAST.indexOf(one) - LAST.indexOf(other))
  return names.map((section) => ({ section, fields: bySection.get(section) ?? [] }))
}

/** Whether somebody may write a field by hand; the service checks it again. */
export function isWritable({ readonly, writable, written_when: when }: FieldInfo, isNew: boolean): boolean {
  return (writable ?? !readonly) && (when !== 'creating' || isNew)
}

/** Whether what is typed into the field is a secret: the twin of a masked field, a password, a key. */
export function isSecretName(name: string): boolean {
  return /^display_|(?:password|secret|token|api_key)$/.test(name)
}

/** What of a form may be stored in a browser; undefined when that is nothing. */
export function withoutSecrets(values: Values): Values | undefined {
  const others = Object.entries(values).filter(([name]) => !isSecretName(name))
  return others.length === 0 ? undefined : Object.fromEntries(others)
}

/** A record that is not there yet; where it has to say its time zone, or what it speaks with callers, it begins with the company's. */
export function draftOf(
  fields: Record<string, FieldInfo>,
  { zone = null, spoken }: { zone?: string | null | undefined; spoken?: unknown } = {},
): Values {
  const blank = Object.values(fields).map((field) => [field.name, field.default ?? blankOf(field, zone)])
  const isSpoken = fields.language?.selection?.some(([code]) => code === spoken) === true
  return { ...Object.fromEntries(blank), ...(isSpoken ? { language: spoken } : {}) }
}

/** What a new record begins with because the page proposed it: the service, which knows its own defaults, would leave it out. */
export function proposedOf(fields: Record<string, FieldInfo>, row: Values): Values {
  const own = draftOf(fields)
  return changesOf(own, only(row, Object.keys(own)))
}

function blankOf({ name, type, required }: FieldInfo, zone: string | null): unknown {
  if (type.endsWith('2many')) return []
  return name === 'tz' && required ? zone : null
}

/** The named ones of some values, as far as there are any. */
export function only(values: Values, names: readonly string[]): Values {
  return Object.fromEntries(names.filter((name) => name in values).map((name) => [name, values[name]]))
}

/** What has to be sent: what is another than it was, links as their ids. */
export function changesOf(before: Values, edited: Values): Values {
  const changed = Object.entries(edited).filter(([name, value]) => !isSame(wire(before[name]), wire(value)))
  return Object.fromEntries(changed.map(([name, value]) => [name, wire(value)]))
}

/** A value as it is written: a link is read as a pair and written as its id. */
export function wire(value: unknown): unknown {
  return Array.isArray(value) && value.length === 2 && typeof value[1] === 'string' ? value[0] : value
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one ?? null) === JSON.stringify(other ?? null)
}
