/** What people choose in one field and the service holds in several: what an extension leads to, and what answers a number; pure. */
import type { Domain } from '../data/client.ts'
import type { FieldInfo } from '../data/queries.ts'
import { offered } from './offered.ts'
import type { Values } from './record-values.ts'

/** A record that calls lead to; `kind` is what the service calls its kind in this place. */
export interface Target {
  kind: string
  id: number
  /** Undefined where only the id is known. */
  name: string | undefined
}

/** A kind of what can be chosen. */
export interface TargetKind {
  kind: string
  model: string
  label: string
  domain?: Domain | undefined
}

interface Targeted {
  /** The field in whose place it is chosen. */
  at: string
  /** Fields that say the same, which are not drawn beside it. */
  others: readonly string[]
  kinds: (fields: Readonly<Record<string, FieldInfo>>, values: Values) => TargetKind[]
  targetOf: (values: Values, stored: Values) => Target | undefined
  /** The values that say so; undefined is nothing. */
  valuesOf: (target: Target | undefined) => Values
}

const ANSWERS = ['user', 'callflow', 'markup', 'voiceai_agent']

const MARKUP = 'connect.telco.markup'
/** A route of calls leads back to what led there. */
const TEMPLATES: Domain = [['code_type', '=', 'markup']]

const EXTENSION: Targeted = {
  at: 'dst',
  others: ['model', 'res_id', 'dst_name', 'model_friendly'],
  // One record has one extension.
  kinds: ({ model }) =>
    (model?.selection ?? []).map(([kind, label]) => ({
      kind,
      model: kind,
      label,
      domain: [[kind === 'connect.user' ? 'telco_exten' : 'exten', '=', false], ...(kind === MARKUP ? TEMPLATES : [])],
    })),
  targetOf: ({ dst }, stored) => {
    const [, kind, id] = /^([\w.]+),(\d+)$/.exec(typeof dst === 'string' ? dst : '') ?? []
    if (kind === undefined) return undefined
    const name = dst === stored.dst && typeof stored.dst_name === 'string' ? stored.dst_name : undefined
    return { kind, id: Number(id), name }
  },
  valuesOf: (target) => ({ dst: target === undefined ? null : `${target.kind},${target.id}` }),
}

const NUMBER: Targeted = {
  at: 'destination',
  others: ANSWERS,
  kinds: (fields, values) =>
    (fields.destination?.selection ?? []).map(([kind, label]) => ({
      kind,
      model: fields[kind]?.relation ?? '',
      label,
      domain: offered(fields[kind]?.domain, values),
    })),
  targetOf: (values) => {
    const kind = ANSWERS.find((each) => each === values.destination)
    const link = kind === undefined ? undefined : values[kind]
    if (kind === undefined || !Array.isArray(link)) return undefined
    return { kind, id: Number(link[0]), name: String(link[1] ?? '') }
  },
  valuesOf: (target) => ({
    destination: target?.kind ?? null,
    ...Object.fromEntries(ANSWERS.map((kind) => [kind, kind === target?.kind ? [target.id, target.name ?? ''] : null])),
  }),
}

/** Models in whose forms a target is chosen. */
export const TARGETED: Readonly<Record<string, Targeted>> = {
  'connect.telco.exten': EXTENSION,
  'connect.telco.number': NUMBER,
}

/** Whether a field is the one in whose place a target is chosen. */
export function isTarget(model: string, { name }: FieldInfo): boolean {
  return TARGETED[model]?.at === name
}

interface Section {
  model: string
  fields: Readonly<Record<string, FieldInfo>>
  shown: FieldInfo[]
  /** What one enters first. */
  isFirst: boolean
}

/** The fields of a part of a form, with the target in the place of those that say the same: second, after what the record is called. */
export function withTarget({ model, fields, shown, isFirst }: Section): FieldInfo[] {
  const targeted = TARGETED[model]
  if (targeted === undefined) return shown
  const others = shown.filter((field) => !isTarget(model, field) && !targeted.others.includes(field.name))
  const field = fields[targeted.at]
  return isFirst && field !== undefined ? [...others.slice(0, 1), field, ...others.slice(1)] : others
}
