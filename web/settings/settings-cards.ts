/** Which settings stand together: one question for each card. A setting that no card names stands in the last one. */
import type { FieldInfo } from '../data/queries.ts'

const CARDS = {
  address: ['api_url', 'api_fallback_url', 'country_id'],
  phone: [
    'account_sid',
    'display_auth_token',
    'telco_api_key',
    'display_telco_api_secret',
    'telco_region',
    'telco_edge',
    'telco_auto_sync',
    'telco_verify_requests',
    'telco_balance',
    'fetch_call_prices',
  ],
  agents: [
    'voiceai_enabled',
    'display_voiceai_api_key',
    'voiceai_voice',
    'voiceai_send_audio',
    'voiceai_tools_open',
    'calendar_outside_hours',
    'voiceai_post_call_warning',
  ],
  calls: [
    'proxy_recordings',
    'store_recordings',
    'announce_recordings',
    'call_duration_limit',
    'transcript_calls',
    'transcript_provider',
    'register_summary',
    'summary_prompt',
  ],
  log: ['delivery_keep_days', 'debug_mode', 'number_search_operation'],
} as const
export const CARD_NAMES = ['address', 'phone', 'agents', 'calls', 'log'] as const
export type CardName = (typeof CARD_NAMES)[number]

/** The fields of a card, as far as whoever is signed in sees them. */
export function fieldsOf(card: CardName, fields: Record<string, FieldInfo>): FieldInfo[] {
  return CARDS[card].flatMap((name) => fields[name] ?? [])
}

/** Secrets are never read: only whether there is one. */
export function isSecretEntry({ name }: FieldInfo): boolean {
  return name.startsWith('display_')
}

export const RUNS: Readonly<Partial<Record<CardName, readonly string[]>>> = {
  phone: ['telco_sync', 'telco_check'],
  agents: ['voiceai_sync', 'voiceai_check'],
}
