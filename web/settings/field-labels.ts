import type { FieldInfo } from '../data/queries.ts'
import type { Keys } from '../words/keys.ts'

/** What settings are called on the page, in every language; the service's own label where none is here. */
const LABELS: Readonly<Record<string, Keys['settings']>> = {
  company_name: 'fieldCompanyName',
  tz: 'fieldTz',
  speech_language: 'fieldSpeechLanguage',
  country_id: 'fieldCountryId',
  api_url: 'fieldApiUrl',
  api_fallback_url: 'fieldApiFallbackUrl',
  account_sid: 'fieldAccountSid',
  display_auth_token: 'fieldDisplayAuthToken',
  telco_region: 'fieldTelcoRegion',
  telco_edge: 'fieldTelcoEdge',
  telco_auto_sync: 'fieldTelcoAutoSync',
  telco_verify_requests: 'fieldTelcoVerifyRequests',
  telco_balance: 'fieldTelcoBalance',
  fetch_call_prices: 'fieldFetchCallPrices',
  voiceai_enabled: 'fieldVoiceaiEnabled',
  display_voiceai_api_key: 'fieldDisplayVoiceaiApiKey',
  voiceai_voice: 'fieldVoiceaiVoice',
  agents_announce_ai: 'fieldAgentsAnnounceAi',
  voiceai_send_audio: 'fieldVoiceaiSendAudio',
  voiceai_tools_open: 'fieldVoiceaiToolsOpen',
  calendar_outside_hours: 'fieldCalendarOutsideHours',
  voiceai_post_call_warning: 'fieldVoiceaiPostCallWarning',
  proxy_recordings: 'fieldProxyRecordings',
  store_recordings: 'fieldStoreRecordings',
  announce_recordings: 'fieldAnnounceRecordings',
  call_duration_limit: 'fieldCallDurationLimit',
  mobile_countries: 'fieldMobileCountries',
  barred_prefixes: 'fieldBarredPrefixes',
  calls_a_day: 'fieldCallsADay',
  calls_a_day_of_user: 'fieldCallsADayOfUser',
  messages_a_day: 'fieldMessagesADay',
  messages_a_day_of_user: 'fieldMessagesADayOfUser',
  register_summary: 'fieldRegisterSummary',
  audio_keep_days: 'fieldAudioKeepDays',
  transcript_keep_days: 'fieldTranscriptKeepDays',
  delivery_keep_days: 'fieldDeliveryKeepDays',
  debug_mode: 'fieldDebugMode',
  number_search_operation: 'fieldNumberSearchOperation',
  require_second_factor: 'fieldRequireSecondFactor',
  sso_issuer: 'fieldSsoIssuer',
  sso_client_id: 'fieldSsoClientId',
  display_sso_client_secret: 'fieldDisplaySsoClientSecret',
  sso_label: 'fieldSsoLabel',
  sso_create_users: 'fieldSsoCreateUsers',
  sso_group_claim: 'fieldSsoGroupClaim',
}

type Say = (key: Keys['settings']) => string

/** The field with the label of the page. */
export function withLabel(field: FieldInfo, say: Say): FieldInfo {
  const key = LABELS[field.name]
  return key === undefined ? field : { ...field, string: say(key) }
}
