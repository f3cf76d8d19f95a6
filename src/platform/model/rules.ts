import { allows, type Operation } from '../access/access.ts'
import type { Identity } from '../access/identity.ts'
import { anyOf, type Domain } from '../records/domain-syntax.ts'
import type { Model } from './model.ts'

/**
 * The rows of the model with which this identity may do something, as a domain; empty when it is all of them.
 * Rules are per group: a model without rules shows everything, somebody in several ruled groups sees the union, and
 * somebody in a group with access but without a rule (an administrator, the webhook) sees everything. Only groups that may
 * do it count: rows that one group only reads are not changed with the right that another group has on its own rows.
 */
export function ruleDomain(
  { rules, access }: Pick<Model, 'rules' | 'access'>,
  identity: Identity,
  operation: Operation = 'read',
): Domain {
  if (identity.isElevated || rules === undefined || rules.length === 0) return []
  const ruled = new Set(rules.map((rule) => rule.group))
  for (const [group, rights] of Object.entries(access ?? {})) {
    if (!ruled.has(group) && identity.groups.has(group) && allows(rights, operation)) return []
  }
  const domains = rules
    .filter(({ isForReading }) => operation === 'read' || isForReading !== true)
    .filter(({ group }) => identity.groups.has(group) && (access === undefined || allows(access[group], operation)))
    .map((rule) => rule.domain(identity))
  return domains.length === 0 ? NO_ROW : anyOf(domains)
}

const NO_ROW: Domain = [['id', '=', 0]]
