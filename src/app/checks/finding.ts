/** What was found, and what to do about it. */
export interface Outcome {
  result: 'ok' | 'note' | 'WRONG'
  finding: string
  fix: string
  /** The setting that is to be changed, where it is one. */
  setting?: keyof Installed
}

/** What a check found. */
export interface Finding extends Outcome {
  check: string
}

/** A check by its name in the report, and how a subject is looked at; nothing is found where it does not apply. */
export interface InstallationCheck<Subject> {
  check: string
  look(subject: Subject): Outcome | Outcome[] | Promise<Outcome | Outcome[]>
}

/** What every check found, one after the other: an account may allow few requests at once. */
export async function lookAt<Subject>(
  checks: readonly InstallationCheck<Subject>[],
  subject: Subject,
): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const { check, look } of checks) {
    for (const outcome of [await look(subject)].flat()) findings.push(named(check, outcome))
  }
  return findings
}

export function named(check: string, { result, ...outcome }: Outcome): Finding {
  return { result, check, ...outcome }
}

export function ok(finding: string): Outcome {
  return { result: 'ok', finding, fix: '' }
}

export function note(finding: string, fix = '', setting?: keyof Installed): Outcome {
  return { result: 'note', finding, fix, ...(setting === undefined ? {} : { setting }) }
}

export function wrong(finding: string, fix: string, setting?: keyof Installed): Outcome {
  return { result: 'WRONG', finding, fix, ...(setting === undefined ? {} : { setting }) }
}

/** What the checks read of the settings; they act as a manager, so secrets are in clear and stay in memory. */
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
  /** When each secret was last changed, in UTC; null for one that was taken away. */
  secrets_set?: Partial<
    Record<'auth_token' | 'voiceai_agent_token' | 'voiceai_post_call_webhook_secret', { at: string } | null>
  > | null
}

/** Whether a provider has what it takes to be asked. */
export function isProviderSetUp(provider: 'voiceai' | 'telco', settings: Installed): boolean {
  if (provider === 'voiceai') return settings.voiceai_enabled && settings.voiceai_api_key !== null
  return settings.account_sid !== null && settings.auth_token !== null
}
