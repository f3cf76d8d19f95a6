import { mayAccess } from '../access/access.ts'
import type { Identity } from '../access/identity.ts'
import type { Method, Model, OutsideMethod } from '../model/model.ts'

/** The methods that a model has of its own, as screens need them: buttons, what they ask for, and whether one may. */
export function methodsGet(identity: Identity, model: Model): Record<string, object> {
  const described = Object.entries(model.methods ?? {}).map(([name, method]) => [
    name,
    describe(identity, model, method),
  ])
  return Object.fromEntries(described)
}

function describe(identity: Identity, model: Model, method: Method | OutsideMethod): object {
  const { label, operation, args, confirm, danger } = method
  return {
    label,
    arguments: args,
    takes: operation,
    allowed: mayCall(identity, model, method),
    ...(confirm === undefined ? {} : { confirm }),
    ...(danger === undefined ? {} : { danger }),
  }
}

function mayCall(identity: Identity, model: Model, { operation, groups }: Method | OutsideMethod): boolean {
  const isInGroup = groups === undefined || identity.isElevated || groups.some((group) => identity.groups.has(group))
  return isInGroup && (operation === 'any' || mayAccess(identity, model, operation))
}
