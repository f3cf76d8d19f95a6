/** Where callers are led, and where no longer once a change is saved; pure. */
import type { FieldInfo } from '../data/queries.ts'
import { HOURS, isAlwaysOpen } from './hours-changes.ts'
import { arePartsOf, type PartsField, partLine, rowsOf } from './parts.ts'
import { changesOf, isSecretName, type Values, wire } from './record-values.ts'

const NUMBER = 'connect.telco.number'
/** What can answer a number: each kind has the link of the same name. */
const DESTINATIONS = ['user', 'callflow', 'markup', 'voiceai_agent'] as const
/** How the keys of a number are called that belong together. */
const ANSWERS = ['destination', ...DESTINATIONS]

/** Links that callers are led by, by their model, and what is said when one changes. */
const LEADS: Readonly<Record<string, Readonly<Record<string, Says>>>> = {
  [NUMBER]: { closed_exten: 'lostWhenClosed', fallback_exten: 'lostWhenFailing' },
  'connect.telco.callflow': { fallback_exten: 'lostWhenFailing' },
  'connect.voiceai_agent': { fallback_exten: 'lostWhenFailing' },
  'connect.telco.callflow_choice': { exten: 'lost' },
}
type Says = 'lost' | 'lostWhenClosed' | 'lostWhenFailing' | 'hoursChanged' | 'hoursBegin' | 'hoursEnd' | 'hoursAlways'

/** A sentence about who no longer reaches what. */
export interface Lost {
  says: Says
  who: string
  /** What was reached; of hours, those that held. */
  from: string
  /** Which short number was reached; `from` is its digits alone. */
  extension?: number
  to: string
  /** Callers hear then that nothing is there. */
  isNowhere: boolean
}

interface Edited {
  model: string
  fields: Readonly<Record<string, FieldInfo>>
  before: Values
  edited: Values
}

/** What answers a number: its kind, id and name. */
export function answerOf(row: Values): { kind: string; id: number; name: string } | undefined {
  const kind = DESTINATIONS.find((each) => each === row.destination)
  const link = kind === undefined ? undefined : row[kind]
  return kind !== undefined && Array.isArray(link)
    ? { kind, id: Number(link[0]), name: String(link[1] ?? '') }
    : undefined
}

/** What callers no longer reach when the record is as it was edited, with its parts. */
export function lostWithParts({ model, fields, before, edited }: Edited): Lost[] {
  const ofParts = Object.entries(edited).flatMap(([name, rows]) => {
    const field = fields[name]
    return arePartsOf(field, rows) ? lostOfParts(field, rowsOf(before[name]), rowsOf(rows)) : []
  })
  return [...lostOf(model, before, edited), ...ofParts]
}

/** Of parts that are removed, or lead elsewhere. */
function lostOfParts(
  { relation = '', columns }: PartsField,
  before: readonly Values[],
  after: readonly Values[],
): Lost[] {
  const named = columns.slice(0, 1)
  return before.flatMap((row) => {
    const now = after.find(({ id }) => id === row.id) ?? { exten: null }
    return lostOf(relation, { ...row, display_name: partLine(named, row) }, now)
  })
}

/** The same of a record alone. */
export function lostOf(model: string, before: Values, edited: Values): Lost[] {
  const after = { ...before, ...edited }
  const who = whoOf(model, before)
  const links = Object.entries(LEADS[model] ?? {}).flatMap(([name, says]) => {
    const link = before[name]
    const from = nameOf(link)
    const isSame = Object.keys(changesOf(before, { [name]: after[name] })).length === 0
    if (!Array.isArray(link) || from === '' || isSame) return []
    return [{ says, who, from, extension: Number(link[0]), to: nameOf(after[name]), isNowhere: false }]
  })
  if (model === HOURS && isAlwaysOpen(before, after)) {
    return [{ says: 'hoursAlways', who, from: '', to: '', isNowhere: false }]
  }
  if (model === 'connect.telco.exten') return lostTarget(who, before, after)
  return model === NUMBER ? [...lostAnswer(who, before, after), ...links, ...otherHours(who, before, after)] : links
}

/** Whether it is asked about before it is saved: callers reach nothing, or at all hours. */
export function isAskedAbout({ says, isNowhere }: Lost): boolean {
  return isNowhere || opensAtAllHours(says)
}

/** Of hours without days, and of a number whose hours are cleared. */
export function opensAtAllHours(says: Says): boolean {
  return says === 'hoursAlways' || says === 'hoursEnd'
}

function lostAnswer(who: string, before: Values, after: Values): Lost[] {
  const [was, is] = [answerOf(before), answerOf(after)]
  if (was === undefined || (was.kind === is?.kind && was.id === is.id)) return []
  return [{ says: 'lost', who, from: was.name, to: is?.name ?? '', isNowhere: is === undefined }]
}

function otherHours(who: string, before: Values, after: Values): Lost[] {
  const [from, to] = [nameOf(before.business_hours), nameOf(after.business_hours)]
  if (Object.keys(changesOf(before, { business_hours: after.business_hours ?? null })).length === 0) return []
  const ending = to === '' ? 'hoursEnd' : 'hoursChanged'
  return [{ says: from === '' ? 'hoursBegin' : ending, who, from, to, isNowhere: false }]
}

function lostTarget(who: string, before: Values, after: Values): Lost[] {
  const isSame =
    Object.keys(changesOf(before, { model: after.model, res_id: after.res_id, dst: after.dst })).length === 0
  const from = String(before.dst_name ?? '')
  if (isSame || from === '') return []
  const isNowhere = [after.model, after.res_id, after.dst].some((each) => each === null || each === '')
  return [{ says: 'lost', who, from, to: '', isNowhere }]
}

function whoOf(model: string, row: Values): string {
  if (model === NUMBER) return String(row.phone_number ?? '')
  return String((model === 'connect.telco.exten' ? row.number : undefined) ?? row.display_name ?? '')
}

function nameOf(link: unknown): string {
  return Array.isArray(link) ? String(link[1]) : ''
}

/** What puts a change back; undefined where a secret was among it, which nobody can read. */
export function takenBack(model: string, before: Values, sent: Values): Values | undefined {
  const names = Object.keys(sent)
  if (names.some(isSecretName)) return undefined
  // What answers a number is one thing: the others are emptied with it.
  const whole = model === NUMBER && names.some((name) => ANSWERS.includes(name)) ? [...names, ...ANSWERS] : names
  return Object.fromEntries(whole.map((name) => [name, wire(before[name] ?? null)]))
}
