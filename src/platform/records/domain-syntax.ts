/** A search domain: conditions and the prefix operators `&`, `|`, `!`; conditions side by side are joined by `&`. */
export type Domain = readonly (Condition | '&' | '|' | '!')[]
export type Condition = readonly [field: string, operator: string, value: unknown]

/** Operators a condition may have, as Odoo's domains name them. */
export const OPERATORS = [
  '=',
  '!=',
  '<',
  '<=',
  '>',
  '>=',
  'in',
  'not in',
  'like',
  'not like',
  'ilike',
  'not ilike',
  '=like',
  '=ilike',
] as const
export type Operator = (typeof OPERATORS)[number]

/** What fits one of the domains. */
export function anyOf(domains: readonly Domain[]): Domain {
  if (domains.some((domain) => domain.length === 0)) return []
  const bundles = domains.map(asOneTerm)
  return [...Array.from({ length: bundles.length - 1 }, () => '|' as const), ...bundles.flat()]
}

/** Conditions that stand side by side, as one term that an operator can precede. */
function asOneTerm(domain: Domain): Domain {
  let terms = 0
  for (let at = domain.length - 1; at >= 0; at -= 1) {
    const token = domain[at]
    if (token === '&' || token === '|') terms -= 1
    else if (token !== '!') terms += 1
  }
  return [...Array.from({ length: Math.max(0, terms - 1) }, () => '&' as const), ...domain]
}

/** The domains of which one is enough; the domain itself where there is no choice. */
export function alternativesOf(domain: Domain): Domain[] {
  if (domain[0] !== '|') return [domain]
  const middle = endOfTerm(domain, 1)
  const end = endOfTerm(domain, middle)
  if (end !== domain.length) return [domain]
  return [...alternativesOf(domain.slice(1, middle)), ...alternativesOf(domain.slice(middle))]
}

/** Where the term that begins there ends. */
function endOfTerm(domain: Domain, begin: number): number {
  let wanted = 1
  let at = begin
  for (; wanted > 0 && at < domain.length; at += 1) {
    const token = domain[at]
    if (token === '&' || token === '|') wanted += 1
    else if (token !== '!') wanted -= 1
  }
  return at
}
