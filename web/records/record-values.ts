/** What a form holds beside what the service holds; pure. */
import type { FieldInfo } from '../data/queries.ts'

export type Values = Record<string, unknown>

const SERVICE_OWN = ['id', 'create_date', 'write_date', 'create_uid', 'write_uid', 'display_name']

/** Fields that a person reads on the record, those that may be written first. */
export function shownFields(fields: Record<string, FieldInfo>): FieldInfo[] {
  const shown = Object.values(fields).filter(({ name, type }) => !SERVICE_OWN.includes(name) && type !== 'binary')
  // A secret is entered in its twin, which shows whether there is one.
  return shown.filter(({ name, secret }) => !secret || !Object.hasOwn(fields, `display_${name}`))
}

/** Whether somebody may write a field by hand; the service checks it again. */
export function isWritable({ readonly, written_when: when }: FieldInfo, isNew: boolean): boolean {
  return !readonly && (when !== 'creating' || isNew)
}

/** A record that is not there yet. */
export function draftOf(fields: Record<string, FieldInfo>): Values {
  return Object.fromEntries(Object.values(fields).map(({ name, type }) => [name, type.endsWith('2many') ? [] : null]))
}

/** What has to be sent: what is another than it was, links as their ids. */
export function changesOf(before: Values, edited: Values): Values {
  const changed = Object.entries(edited).filter(([name, value]) => !isSame(wire(before[name]), wire(value)))
  return Object.fromEntries(changed.map(([name, value]) => [name, wire(value)]))
}

/** A link is read as a pair and written as its id. */
function wire(value: unknown): unknown {
  return Array.isArray(value) && value.length === 2 && typeof value[1] === 'string' ? value[0] : value
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one ?? null) === JSON.stringify(other ?? null)
}
