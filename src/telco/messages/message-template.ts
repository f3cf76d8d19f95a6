import { Refusal } from '../../errors.ts'
import type { Env } from '../../platform/access/env.ts'
import { records } from '../../platform/records/records.ts'

/** A template as it goes to the provider, and the text that it stands for. */
interface FilledTemplate {
  sid: string
  variables: Record<string, string> | undefined
  text: string
}

const PLACEHOLDER = /\{\{\s*([\w.-]{1,64})\s*\}\}/g

/** Fills a template that the provider has approved. Throws a refusal for one that cannot be sent. */
export async function fillTemplate(env: Env, id: number, given: Record<string, unknown>): Promise<FilledTemplate> {
  const [template] = await records(env, 'connect.message_content_template').read(
    [id],
    ['friendly_name', 'sid', 'status', 'body', 'variables'],
  )
  if (template?.status !== 'approved' || typeof template.sid !== 'string' || template.sid === '') {
    throw new Refusal('refused', `The template "${template?.friendly_name}" is not approved, so it cannot be sent.`)
  }
  const variables = { ...textsOf(template.variables), ...textsOf(given) }
  const body = typeof template.body === 'string' ? template.body : ''
  return {
    sid: template.sid,
    variables: Object.keys(variables).length === 0 ? undefined : variables,
    text: body.replaceAll(PLACEHOLDER, (whole, name: string) =>
      Object.hasOwn(variables, name) ? (variables[name] ?? '') : whole,
    ),
  }
}

function textsOf(values: unknown): Record<string, string> {
  if (typeof values !== 'object' || values === null) return {}
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value ?? '')]))
}
