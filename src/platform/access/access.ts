import { Refusal } from '../../errors.ts'
import { GROUP, type Identity } from './identity.ts'

const LETTERS = { read: 'r', write: 'w', create: 'c', unlink: 'd' } as const
export type Operation = keyof typeof LETTERS

/** Rights of each group on one model: r read, w write, c create, d delete; `-` none. */
export type GroupRights = Readonly<Record<string, string>>

/** What says who may do what with records of a model; one that says nothing is open to nobody. */
interface Guarded {
  name: string
  access?: GroupRights
}

/** Every right. */
export const FULL = 'rwcd'
/** Nobody gets at the records but the service. */
export const NO_RIGHTS: GroupRights = {}

/**
 * Rights in the columns of the contract's matrix (docs/reference/contract.md#groups-and-access): user, administrator, webhook,
 * public.
 */
export function rightsOf(user: string, admin: string, webhook: string, everybody: string): GroupRights {
  return {
    [GROUP.connectUser]: user,
    [GROUP.connectAdmin]: admin,
    [GROUP.webhook]: webhook,
    [GROUP.public]: everybody,
  }
}

/** Whether these rights of a group allow the operation. */
export function allows(rights: string | undefined, operation: Operation): boolean {
  return rights?.includes(LETTERS[operation]) === true
}

/** Whether the identity may do this with records of the model at all; record rules come on top. */
export function mayAccess(identity: Identity, { access = {} }: Guarded, operation: Operation): boolean {
  if (identity.isElevated) return true
  for (const group of identity.groups) if (allows(access[group], operation)) return true
  return false
}

/** Throws a refusal that names model and operation when the identity may not. */
export function requireAccess(identity: Identity, model: Guarded, operation: Operation): void {
  if (mayAccess(identity, model, operation)) return
  throw new Refusal('forbidden', 'no-right', { operation, model: model.name })
}
