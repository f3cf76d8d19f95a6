/** What is stored of the platform's analysis of a conversation, made ready to be shown; pure. */

interface Goal {
  id: string
  result: string
  rationale: string
  score: string | undefined
}

interface Field {
  id: string
  /** As text; empty where nothing was found. */
  value: string
  rationale: string
}

const CHARGES = ['call_charge', 'llm_charge', 'platform_charge', 'tier'] as const

/** Goals, fields, charges and tags. What is no part of an analysis is left out. */
export function judgedOf(call: {
  conversation_criteria: unknown
  conversation_data: unknown
  conversation_charging: unknown
  conversation_tags: unknown
}) {
  const charging = objectOf(call.conversation_charging)
  return {
    goals: listOf(call.conversation_criteria).map(goalOf),
    fields: listOf(call.conversation_data).map(fieldOf),
    charges: CHARGES.flatMap((name): [(typeof CHARGES)[number], string][] => {
      const value = charging[name]
      return value === undefined || value === null ? [] : [[name, String(value)]]
    }),
    tags: Array.isArray(call.conversation_tags) ? call.conversation_tags.map(String) : [],
  }
}

function goalOf(part: Record<string, unknown>): Goal {
  const { score, max_score: most } = part
  const outOf = typeof most === 'number' ? ` / ${most}` : ''
  return {
    id: textOf(part.id),
    result: textOf(part.result),
    rationale: textOf(part.rationale),
    score: typeof score === 'number' ? `${score}${outOf}` : undefined,
  }
}

function fieldOf(part: Record<string, unknown>): Field {
  return { id: textOf(part.name) || textOf(part.id), value: textOf(part.value), rationale: textOf(part.rationale) }
}

function textOf(value: unknown): string {
  return value === null || value === undefined ? '' : String(value)
}

function listOf(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.map(objectOf) : []
}

function objectOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {}
}
