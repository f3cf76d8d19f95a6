import { useQuery } from '@tanstack/react-query'
import { searchRead } from '../data/client.ts'
import { asks, keyOf } from '../data/keys.ts'
import { GROUP, useIsInOne } from '../data/session.ts'

export const USERS = 'res.users'
const INVITATIONS = 'res.users.invitation'

export interface Person {
  id: number
  login: string
  name: string
  active: boolean | null
  group_ids: number[]
}

export interface OpenLink {
  user_id: [number, string]
  kind: 'invitation' | 'reset'
  expires_at: string
}

/** Everybody who may sign in or could once, without the users that the service itself works as. */
export function usePeople() {
  return useQuery(
    asks({
      queryKey: keyOf(USERS, 'people'),
      queryFn: async () => {
        const people = await searchRead(USERS, {
          domain: [['external_id', '=', null]],
          fields: ['login', 'name', 'active', 'group_ids'],
          order: 'name',
        })
        return byName(people as unknown as Person[])
      },
    }),
  )
}

/** In the order of the reader's language, where "Łukasz" stands among the names with L, and not after Z. */
export function byName(people: readonly Person[]): Person[] {
  return people.toSorted((one, other) => one.name.localeCompare(other.name))
}

/** Links that have not been used, by whose they are; managers see them. */
export function useOpenLinks() {
  const isManager = useIsInOne(GROUP.manager)
  return useQuery(
    asks({
      queryKey: keyOf(INVITATIONS, 'open-links'),
      enabled: isManager,
      queryFn: async () => {
        const links = await searchRead(INVITATIONS, {
          domain: [
            ['used_at', '=', null],
            ['revoked_at', '=', null],
          ],
          fields: ['user_id', 'kind', 'expires_at', 'state'],
        })
        const open = links.filter(({ state }) => state === 'open') as unknown as OpenLink[]
        return new Map(open.map((link) => [link.user_id[0], link]))
      },
    }),
  )
}
