import type { FieldInfo } from '../data/queries.ts'
import type { Keys } from '../words/keys.ts'

interface CardLink {
  to: string
  words: Keys['settings']
}

/** One question, and the settings that answer it. */
export interface Card {
  title: Keys['settings']
  says: Keys['settings']
  fields: readonly string[]
  links?: readonly CardLink[]
  /** What is filled in where nobody has entered anything yet, by what is there and what is typed; saved with the card. */
  proposes?: (
    row: Readonly<Record<string, unknown>>,
    typed: Readonly<Record<string, unknown>>,
    fields: Readonly<Record<string, FieldInfo>>,
  ) => Record<string, unknown>
}

const card = (
  title: Keys['settings'],
  says: Keys['settings'],
  fields: readonly string[],
  links: readonly CardLink[] = [],
): Card => ({ title, says, fields, links })

/** The cards of each part that is made of cards. */
export const CARDS: Readonly<Record<string, readonly Card[]>> = {
  address: [
    card('where', 'whereSays', ['api_url', 'api_fallback_url']),
    card('company', 'companySays', ['company_name', 'tz', 'speech_language']),
    card('country', 'countrySays', ['country_id']),
  ],
  phone: [
    card('account', 'accountSays', ['account_sid', 'display_auth_token', 'telco_balance', 'telco_verify_requests']),
    card('edge', 'edgeSays', ['telco_region', 'telco_edge']),
    card('pushing', 'pushingSays', ['telco_auto_sync', 'fetch_call_prices']),
  ],
  'voice-agents': [
    card('platform', 'platformSays', [
      'voiceai_enabled',
      'display_voiceai_api_key',
      'voiceai_voice',
      'agents_announce_ai',
    ]),
    card('reach', 'reachSays', [
      'voiceai_tools_open',
      'calendar_outside_hours',
      'voiceai_send_audio',
      'voiceai_post_call_warning',
    ]),
  ],
  messages: [
    card(
      'sending',
      'sendingSays',
      [],
      [
        { to: '/records/connect.whatsapp_sender', words: 'senders' },
        { to: '/records/connect.message_content_template', words: 'templates' },
        { to: '/records/connect.telco.message_configuration', words: 'rules' },
      ],
    ),
  ],
  calls: [
    card('recording', 'recordingSays', ['announce_recordings', 'store_recordings', 'proxy_recordings']),
    card('lengths', 'lengthsSays', ['call_duration_limit']),
    card('misuse', 'misuseSays', [
      'barred_prefixes',
      'mobile_countries',
      'calls_a_day',
      'calls_a_day_of_user',
      'messages_a_day',
      'messages_a_day_of_user',
    ]),
    card('summaries', 'summariesSays', ['register_summary']),
  ],
  'sign-in': [
    card('factor', 'factorSays', ['require_second_factor']),
    card('sso', 'ssoSays', [
      'sso_issuer',
      'sso_client_id',
      'display_sso_client_secret',
      'sso_label',
      'sso_create_users',
      'sso_group_claim',
    ]),
  ],
  privacy: [
    card('keeping', 'keepingSays', ['audio_keep_days', 'transcript_keep_days', 'delivery_keep_days']),
    card('erasing', 'erasingSays', [], [{ to: '/contacts', words: 'contacts' }]),
  ],
  trace: [
    card('tracing', 'tracingSays', ['debug_mode'], [{ to: '/records/connect.debug', words: 'traced' }]),
    card('searching', 'searchingSays', ['number_search_operation']),
  ],
}

/** Every field that a card has. */
export const CARD_FIELDS = Object.values(CARDS).flatMap((cards) => cards.flatMap(({ fields }) => fields))

/** The fields among these that the person who is signed in sees. */
export function fieldsNamed(names: readonly string[], fields: Record<string, FieldInfo>): FieldInfo[] {
  return names.flatMap((name) => fields[name] ?? [])
}

/** Secrets are never read: only whether there is one. */
export function isSecretEntry({ name }: FieldInfo): boolean {
  return name.startsWith('display_')
}
