import type { Finding, Installed } from '../finding.ts'
import type { ReadOnly } from './read-only.ts'

/** What is here that the facts are about. */
export interface Known {
  settings: Installed
  now: Date
  numbers: readonly { phone_number: string; sid: string | null }[]
  agents: readonly { id: number; name: string; agent_uid: string | null; llm: string | null }[]
}

/** Something about a real account that no description of the provider proves, and how to see it. */
export interface Fact {
  provider: 'voiceai' | 'telco'
  /** Stands in docs/provider-checks.md beside its source. */
  check: string
  look(read: ReadOnly, known: Known): Promise<Outcome[]>
}

export type Outcome = Omit<Finding, 'check'>

export function ok(finding: string): Outcome {
  return { result: 'ok', finding, fix: '' }
}

export function note(finding: string, fix = ''): Outcome {
  return { result: 'note', finding, fix }
}

export function wrong(finding: string, fix: string): Outcome {
  return { result: 'WRONG', finding, fix }
}

/** The provider did not answer the question itself. */
export function unanswered({ status }: { status: number }): Outcome {
  if (status === 0)
    return wrong('the provider cannot be reached', 'Check the network and the base URL of the provider.')
  if (status === 401 || status === 403) {
    return wrong(
      `the provider refuses the credentials (HTTP ${status})`,
      'Check the credentials, their region and their rights.',
    )
  }
  return wrong(`the provider answers HTTP ${status}`, 'Compare with the page of the check in docs/provider-checks.md.')
}
