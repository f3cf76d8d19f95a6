import { Refusal } from '../../errors.ts'
import type { Check, Values } from '../../platform/model/model.ts'
import { isBlankText } from '../../platform/model/values.ts'
import { findBadPlaceholder } from './tool-address.ts'

/**
 * Seconds the platform waits for an answer: `response_timeout_secs` of WebhookToolConfig and ClientToolConfig in its API
 * description of 2026-08-22. System tools have no range there and no answer to wait for.
 */
const TIMEOUTS = {
  webhook: { min: 5, max: 300 },
  other: { min: 1, max: 120 },
}

const WHOLE_NUMBER = /^-?\d{1,15}$/

/** What a tool, as it would be stored, has to follow beside its fields. */
export const TOOL_CHECKS: readonly Check[] = [
  {
    fields: ['path'],
    says: 'A path of this service such as /connect_voiceai/transfer.',
    require: ({ after }) => requirePath(after),
  },
  {
    fields: ['url'],
    says: 'An http or https address.',
    require: ({ after }) => requireAddress(after),
  },
  {
    fields: ['response_timeout_secs', 'tool_type'],
    says: `From ${TIMEOUTS.webhook.min} to ${TIMEOUTS.webhook.max} for a webhook tool, from ${TIMEOUTS.other.min} to ${TIMEOUTS.other.max} for others.`,
    require: ({ after }) =>
      requireTimeout(after.response_timeout_secs, after.tool_type === 'webhook' ? 'webhook' : 'other'),
  },
]

/** What a parameter, as it would be stored, has to follow beside its fields. */
export const PARAMETER_CHECKS: readonly Check[] = [
  {
    fields: ['constant_value', 'value_type', 'data_type'],
    says: 'A constant is of the type of its parameter.',
    require: ({ after }) => requireUsableParameter(after),
  },
]

function requirePath(tool: Values): void {
  if (isBlankText(tool.path)) return
  if (!/^\/?[\w.~-][^\s?#\\]*$/.test(String(tool.path))) {
    throw new Refusal('refused', 'tool-path')
  }
  requirePlaceholders('path', String(tool.path))
}

function requireAddress({ url }: Values): void {
  if (isBlankText(url)) return
  if (!isWebAddress(String(url))) throw new Refusal('refused', 'tool-url')
  requirePlaceholders('url', String(url))
}

function requirePlaceholders(field: string, address: string): void {
  const problem = findBadPlaceholder(field, address)
  if (problem !== undefined) throw Refusal.saying('refused', problem)
}

/** Throws a refusal when the parameter, as it would be stored, has no value or one of another type. */
function requireUsableParameter({ value_type: source, data_type: type, constant_value: value }: Values): void {
  if (source !== 'constant_value') return
  const [model, name] = ['connect.agent_tool_params', 'constant_value']
  const path = `${model}.${name}`
  if (isBlankText(value)) throw new Refusal('refused', 'required-when', { model, name, says: 'for a constant' })
  if (type === 'integer' && !WHOLE_NUMBER.test(String(value))) {
    throw new Refusal('refused', 'not-number', { path, value: 'whole ' })
  }
  if (type === 'boolean' && !['true', 'false'].includes(String(value))) {
    throw new Refusal('refused', 'not-boolean', { path })
  }
}

function requireTimeout(seconds: unknown, kind: keyof typeof TIMEOUTS): void {
  const { min, max } = TIMEOUTS[kind]
  if (typeof seconds !== 'number' || (seconds >= min && seconds <= max)) return
  const code = kind === 'webhook' ? 'tool-timeout-webhook' : 'tool-timeout-other'
  throw new Refusal('refused', code, { min, max })
}

function isWebAddress(address: string): boolean {
  return /^https?:\/\/\S+$/i.test(address) && URL.canParse(address)
}
