import { createContext, useContext } from 'react'
import { send } from './client.ts'
import { ApiError } from './errors.ts'

/** Who is signed in. */
export interface Me {
  id: number
  login: string
  partner_id: number | null
  /** External ids, implied ones included. */
  groups: readonly string[]
  /** The phone that is theirs. */
  phone?: { id: number; extension: string | null; rings: readonly string[]; calls_from: string | null } | null
  /** What is set up, by name. */
  features: Readonly<Record<string, boolean>>
  /** What one may do with records of each model: r read, w write, c create, d delete. */
  access: Readonly<Record<string, string>>
  name: string
  tz: string | null
  lang: string | null
  preferences: Readonly<Record<string, unknown>>
  installation: { tz: string | null; country: string | null }
  session: { second_factor: 'on' | 'off' | 'wanted'; recovery_codes: number } | null
}

/** How people sign in here. */
export interface SignInFacts {
  sso: { label: string } | null
  name: string | null
}

export const GROUP = {
  connectUser: 'connect.group_user',
  connectAdmin: 'connect.group_admin',
  manager: 'base.group_erp_manager',
  helpdeskUser: 'helpdesk.group_user',
  helpdeskManager: 'helpdesk.group_manager',
  agentCalls: 'connect.group_agent_calls',
} as const
export type Group = (typeof GROUP)[keyof typeof GROUP]

/** Who reads calls: their own, those of tickets, or those of agents. */
export const READS_CALLS: readonly Group[] = [
  ...[GROUP.connectUser, GROUP.connectAdmin],
  ...[GROUP.helpdeskUser, GROUP.helpdeskManager, GROUP.agentCalls],
]

/** The person who is signed in, or nobody. */
export async function fetchMe(): Promise<Me | undefined> {
  try {
    return (await send('/api/me')) as Me
  } catch (error) {
    if (error instanceof ApiError && error.kind === 'signed-out') return undefined
    throw error
  }
}

/** Signs in; gives a ticket where a code is wanted besides. */
export async function signIn(login: string, password: string): Promise<string | undefined> {
  const answer = (await send('/api/sign-in', { login, password })) as { ticket?: string }
  return answer.ticket
}

/** The second step, with a code of the authenticator or for recovery. */
export async function signInSecond(ticket: string, code: string): Promise<void> {
  await send('/api/sign-in/second', { ticket, code })
}

export async function fetchSignInFacts(): Promise<SignInFacts> {
  return (await send('/api/sign-in')) as SignInFacts
}

export async function signOut(): Promise<void> {
  await send('/api/sign-out', {})
  leavePage('/sign-in')
}

let isLeaving = false

/** Whether the page goes, whatever is typed in it: drafts are stored, and it is not the page of this person any more. */
export function isPageLeft(): boolean {
  return isLeaving
}

/** Loads the page anew, or another one, and asks nobody. */
export function leavePage(address?: string): void {
  isLeaving = true
  if (address === undefined) location.reload()
  else location.assign(address)
}

/** Whether somebody is in one of the groups; nobody's groups are asked for where there are none. */
export function isInOne(me: Me, groups: readonly Group[]): boolean {
  return groups.length === 0 || groups.some((group) => me.groups.includes(group))
}

const MeContext = createContext<Me | undefined>(undefined)
export const MeProvider = MeContext.Provider

/** Who is signed in; pages behind the sign-in have somebody. */
export function useMe(): Me {
  const me = useContext(MeContext)
  if (me === undefined) throw new Error('nobody is signed in on this page')
  return me
}

/** Whether the person who is signed in is in one of the groups. */
export function useIsInOne(...groups: Group[]): boolean {
  return isInOne(useMe(), groups)
}

/** Whether somebody may do this with records of the model at all. */
export function mayDo({ access }: Me, model: string, right: 'r' | 'w' | 'c' | 'd'): boolean {
  return access[model]?.includes(right) === true
}
