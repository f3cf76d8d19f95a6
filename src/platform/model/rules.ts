import type { Identity } from '../access/identity.ts'
import { anyOf, type Domain } from '../records/domain-syntax.ts'
import type { Model } from './model.ts'

/**
 * The rows of the model this identity works with, as a domain; empty when it is all of them.
 * Rules are per group: a model without rules shows everything, somebody in several ruled groups sees the union, and
 * somebody in a group with access but without a rule (an administrator, the webhook) sees everything.
 */
export function ruleDomain(model: Model, identity: Identity): Domain {
  if (identity.isElevated || model.rules === undefined || model.rules.length === 0) return []
  const ruled = new Set(model.rules.map((rule) => rule.group))
  for (const [group, rights] of Object.entries(model.access ?? {})) {
    if (rights !== '-' && !ruled.has(group) && identity.groups.has(group)) return []
  }
  const domains = model.rules.filter((rule) => identity.groups.has(rule.group)).map((rule) => rule.domain(identity))
  return domains.length === 0 ? NO_ROW : anyOf(domains)
}

const NO_ROW: Domain = [['id', '=', 0]]
