export const MS_PER_SECOND = 1_000

/** How long the answer took, of what the platform waits where that is known. */
export function took(
  { ms, budget_ms: budget }: { ms: number | null; budget_ms: number | null },
  ofBudget: (ms: number, seconds: number) => string,
): string {
  if (ms === null) return ''
  return budget === null ? `${ms} ms` : ofBudget(ms, budget / MS_PER_SECOND)
}
