import { useQuery } from '@tanstack/react-query'
import { searchRead } from '../data/client.ts'
import { asks, keyOf } from '../data/keys.ts'
import type { Keys } from '../words/keys.ts'

interface Group {
  id: number
  implied_ids: number[]
  external_id: string
  name: string
}

/** Groups of people: what they are called, and what their members may do. */
export const GROUP_WORDS: Readonly<Record<string, { name: Keys['settings']; says: Keys['settings'] }>> = {
  'connect.group_user': { name: 'nameUser', says: 'groupUser' },
  'connect.group_admin': { name: 'nameAdmin', says: 'groupAdmin' },
  'base.group_erp_manager': { name: 'nameManager', says: 'groupManager' },
  'connect.group_agent_calls': { name: 'nameAgentCalls', says: 'groupAgentCalls' },
  'helpdesk.group_user': { name: 'nameHelpdesk', says: 'groupHelpdesk' },
  'helpdesk.group_manager': { name: 'nameHelpdeskManager', says: 'groupHelpdeskManager' },
}

/** The groups that a person is put in, and those that somebody made here. */
export function useGroups() {
  return useQuery(
    asks({
      queryKey: keyOf('res.groups', 'groups'),
      queryFn: async () => {
        const groups = await searchRead('res.groups', { fields: ['external_id', 'name', 'implied_ids'], order: 'id' })
        return (groups as Group[]).filter(({ external_id: id }) => Object.hasOwn(GROUP_WORDS, id) || !isOwn(id))
      },
    }),
  )
}

/** Groups of the service itself, in which nobody is put. */
function isOwn(id: string): boolean {
  return ['base.group_user', 'base.group_public', 'connect.group_webhook'].includes(id)
}
