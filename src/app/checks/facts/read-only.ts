import type { Config } from '../../../config.ts'
import { asError } from '../../../errors.ts'
import { parseJson } from '../../../json.ts'
import { type InstallationCheck, type Installed, type Outcome, wrong } from '../finding.ts'

const TIMEOUT_MS = 15_000
/** Pages of a hundred conversations are far below this. */
const ANSWER_CHARS_MAX = 8 * 1024 * 1024

/** What a provider answered; status 0 when there was no answer, with the reason as its body. */
export interface Answered {
  status: number
  body: unknown
}

/** Both providers, to be asked and never changed: there is no way to send anything but a GET. */
export interface ReadOnly {
  voiceai(path: string): Promise<Answered>
  /** `product` is the first part of the host: api, routes, monitor. */
  telco(product: 'api' | 'routes' | 'monitor', path: string): Promise<Answered>
}

/** What is here that the accounts are compared with, and how they are asked. */
export interface Asked {
  read: ReadOnly
  settings: Installed
  now: Date
  numbers: readonly { phone_number: string; sid: string | null }[]
  agents: readonly { id: number; name: string; agent_uid: string | null; llm: string | null }[]
}

/** A check of what one answer of a provider says; its name stands in docs/provider-checks.md beside its source. */
export function answerCheck(
  check: string,
  ask: (asked: Asked) => Promise<Answered>,
  look: (body: unknown, asked: Asked) => ReturnType<InstallationCheck<Asked>['look']>,
): InstallationCheck<Asked> {
  return {
    check,
    look: async (asked) => {
      const answer = await ask(asked)
      return answer.status === 200 ? look(answer.body, asked) : unanswered(answer)
    },
  }
}

/** The provider did not answer the question itself. */
export function unanswered({ status }: Pick<Answered, 'status'>): Outcome {
  if (status === 0) {
    return wrong('the provider cannot be reached', 'Check the network and the base URL of the provider.')
  }
  if (status === 401 || status === 403) {
    const fix = 'Check the credentials, their region and their rights.'
    return wrong(`the provider refuses the credentials (HTTP ${status})`, fix)
  }
  return wrong(`the provider answers HTTP ${status}`, 'Compare with the page of the check in docs/provider-checks.md.')
}

/** Asks with the credentials of the settings; they go to the providers' hosts, or the configured ones, and no redirect. */
export function readOnly(settings: Installed, { telcoBaseUrl, voiceaiBaseUrl }: Config): ReadOnly {
  const { account_sid: sid, auth_token: token, voiceai_api_key: key } = settings
  const basic = `Basic ${Buffer.from(`${sid ?? ''}:${token ?? ''}`).toString('base64')}`
  return {
    voiceai: (path) => get(`${voiceaiBaseUrl}${path}`, { 'xi-api-key': key ?? '' }),
    telco: (product, path) => get(`${telcoBaseUrl ?? telcoHost(product, settings)}${path}`, { authorization: basic }),
  }
}

/**
 * The classic API lives in each region, and its keys with it, at the host that the SDK builds (twilio 6.2.0, `BaseTwilio`);
 * the routes of numbers and the alerts live above the regions.
 */
function telcoHost(product: string, { telco_region: region, telco_edge: edge }: Installed): string {
  const isMain = region === null || region === 'us1' || product !== 'api'
  return isMain ? `https://${product}.twilio.com` : `https://${product}.${edge}.${region}.twilio.com`
}

async function get(url: string, headers: Record<string, string>): Promise<Answered> {
  try {
    const reply = await fetch(url, { headers, redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) })
    const text = (await reply.text()).slice(0, ANSWER_CHARS_MAX)
    return { status: reply.status, body: parseJson(text, text) }
  } catch (error) {
    return { status: 0, body: asError(error).message }
  }
}

/** The list at `key` of an answer, or the answer itself; entries that are no objects are left out. */
export function listIn(body: unknown, key?: string): Record<string, unknown>[] {
  const list = key === undefined ? body : objectIn(body)[key]
  return Array.isArray(list) ? list.filter((each) => typeof each === 'object' && each !== null) : []
}

export function objectIn(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}
