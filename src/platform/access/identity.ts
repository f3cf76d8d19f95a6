/** Who a request acts as. */
export interface Identity {
  userId: number
  login: string
  /** Contact of the user. */
  partnerId: number | undefined
  /** External ids of all groups, implied ones included. */
  groups: ReadonlySet<string>
  /** Access checks, record rules and masking are left out; the acting user stays the one named. */
  isElevated: boolean
  /** The voice agent, by its name, for which the service writes. */
  agent?: string | undefined
  /** How somebody came in; undefined for what the service does by itself. */
  via?: { kind: 'page'; session: number } | { kind: 'key'; name: string; expiresAt: string | undefined }
}

export const GROUP = {
  connectUser: 'connect.group_user',
  connectAdmin: 'connect.group_admin',
  webhook: 'connect.group_webhook',
  public: 'base.group_public',
  internal: 'base.group_user',
  manager: 'base.group_erp_manager',
  helpdeskUser: 'helpdesk.group_user',
  helpdeskManager: 'helpdesk.group_manager',
  agentCalls: 'connect.group_agent_calls',
} as const

/** Somebody who has not said who they are. */
export const NOBODY: Identity = {
  userId: 0,
  login: '',
  partnerId: undefined,
  groups: new Set([GROUP.public]),
  isElevated: false,
}

/** May read and write what is protected: keys, tokens and secrets. */
export function isManager(identity: Identity): boolean {
  return identity.isElevated || identity.groups.has(GROUP.manager)
}

export function isWebhook(identity: Identity): boolean {
  return !identity.isElevated && identity.groups.has(GROUP.webhook)
}
