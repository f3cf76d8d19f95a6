import { Refusal } from '../../errors.ts'
import type { Env } from '../access/env.ts'
import type { Identity } from '../access/identity.ts'
import { readLinkSteps } from '../records/record-links.ts'
import type { Model, Row, Values } from './model.ts'

/** When a field is written by hand, as `fields_get` says it; undefined for a model without such rules. */
type WrittenWhen = 'always' | 'creating' | 'drafting' | 'never'

export function writtenWhen({ byHand, fields }: Model, name: string): WrittenWhen | undefined {
  if (byHand === undefined) return fields[name]?.changedBy === 'service' ? 'creating' : undefined
  if (byHand.always.includes(name)) return 'always'
  if (byHand.drafting?.fields.includes(name) === true) return 'drafting'
  const created = [...(byHand.creating ?? []), ...(byHand.creatingForOneself?.fields ?? [])]
  return created.includes(name) ? 'creating' : 'never'
}

/** Refuses, by name, the first of the values that is not this identity's to write; `current` is the row that changes. */
export function requireByHand(env: Env, model: Model, given: Values, current: Row | undefined): void {
  const { byHand } = model
  if (byHand === undefined || env.identity.isElevated) return
  for (const [name, value] of Object.entries(given)) {
    const code = refusalOf(model, name, current, env.identity)
    if (code !== undefined) {
      throw new Refusal('refused', code, { name, model: model.name })
    }
    if (byHand.creatingForOneself?.fields.includes(name) === true) requireOneself(env, model, name, value)
  }
}

function refusalOf(model: Model, name: string, current: Row | undefined, identity: Identity) {
  switch (writtenWhen(model, name)) {
    case 'never':
      return 'set-by-service'
    case 'creating':
      return current === undefined ? undefined : 'field-of-reported-record'
    case 'drafting':
      if (current === undefined || model.byHand?.drafting?.isOwnDraft(current, identity) === true) return undefined
      return 'field-of-own-draft'
    default:
      return undefined
  }
}

function requireOneself({ identity }: Env, model: Model, name: string, value: unknown): void {
  const unless = model.byHand?.creatingForOneself?.unless ?? []
  if (unless.some((group) => identity.groups.has(group))) return
  if (linkedIds(`${model.name}.${name}`, value).every((id) => id === identity.userId)) return
  throw new Refusal('forbidden', 'you-may-name-nobody-but-yourself', { name, model: model.name })
}

/** Links to one record come as ids, or null. */
function linkedIds(path: string, value: unknown): number[] {
  if (typeof value === 'number') return [value]
  return readLinkSteps(path, value).flatMap(({ kind, ids }) => (kind === 'add' ? ids : []))
}
