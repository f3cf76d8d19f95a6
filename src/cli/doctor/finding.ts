/** What a check found, and what to do about it. */
export interface Finding {
  result: 'ok' | 'note' | 'WRONG'
  check: string
  finding: string
  fix: string
}

/** What the checks read of the settings; the command line acts as a manager, so secrets are in clear and stay in memory. */
export interface Installed {
  id: number
  api_url: string | null
  voiceai_enabled: boolean
  voiceai_api_key: string | null
  voiceai_agent_token: string | null
  voiceai_post_call_webhook_secret: string | null
  account_sid: string | null
  auth_token: string | null
  telco_verify_requests: boolean
  announce_recordings: boolean
  telco_region: string | null
  telco_edge: string | null
  telco_api_key: string | null
  voiceai_post_call_webhook_id: string | null
}
