import type { WebhookBase } from '../applications/webhook-url.ts'
import { markupUrl, statusUrl } from '../applications/webhook-url.ts'
import type { NumberConfig } from '../client/incoming-numbers.ts'
import { MESSAGE_REGION } from '../sync/readiness.ts'

/** Where calls to a number are answered. */
export const NUMBER_PATH = '/telco/webhook/number'

/** Where texts to a number go; null while the provider does not handle them in its region. */
export function messageUrl({ apiUrl, edge, region }: WebhookBase): string | null {
  return region === MESSAGE_REGION ? markupUrl(apiUrl, '/telco/webhook/message', edge) : null
}

/** How a number is set up that is bought: its addresses are those that a stored one has. */
export function newNumberConfig(base: WebhookBase): NumberConfig {
  const { apiUrl, fallbackUrl, edge } = base
  const texts = messageUrl(base) ?? undefined
  return {
    name: undefined,
    voiceUrl: markupUrl(apiUrl, NUMBER_PATH, edge) ?? '',
    fallbackUrl: markupUrl(fallbackUrl, NUMBER_PATH, edge) ?? undefined,
    statusUrl: statusUrl(apiUrl, '/telco/webhook/callstatus', edge) ?? '',
    messageUrl: texts,
    messageFallbackUrl: texts,
  }
}
