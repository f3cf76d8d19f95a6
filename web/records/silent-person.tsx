import { useQuery } from '@tanstack/react-query'
import { type Row, searchRead } from '../data/client.ts'
import { asks, keyOf } from '../data/keys.ts'
import { mayDo, useMe } from '../data/session.ts'
import { useWords } from '../words/words.ts'
import { SilentFlowBehindNote } from './silent-flow.tsx'

const PHONE_USERS = 'connect.user'
/** Far more people than a company has phones for. */
const PEOPLE_MAX = 1000
const FIELDS = ['name', 'telco_exten', 'voicemail_enabled'] as const

type SilentPerson = Row<typeof PHONE_USERS, (typeof FIELDS)[number]>

/** People of whom no phone rings. */
export const silentQuery = asks({
  queryKey: keyOf(PHONE_USERS, 'silent'),
  queryFn: () =>
    searchRead(PHONE_USERS, {
      domain: [
        ['rings_a_phone', '=', false],
        ['active', '!=', false],
      ],
      fields: FIELDS,
      limit: PEOPLE_MAX,
    }),
})

export function silentBehind(people: readonly SilentPerson[], extension: number): SilentPerson | undefined {
  return people.find(({ telco_exten: link }) => link?.[0] === extension)
}

/** What callers of somebody hear of whom no phone rings. */
export function silence(
  say: ReturnType<typeof useWords<'records'>>,
  { name, voicemail_enabled: hasVoicemail }: SilentPerson,
): string {
  return say(hasVoicemail === true ? 'silentWithVoicemail' : 'silentWithout', { name: name ?? '' })
}

/** Says that nothing rings behind the short number that is chosen, and leads to where a phone is given. */
export function SilentExtensionNote({ extension }: { extension: unknown }) {
  const id = Array.isArray(extension) ? Number(extension[0]) : undefined
  const people = useSilent(id !== undefined)
  return (
    <>
      <Note person={id === undefined ? undefined : silentBehind(people, id)} />
      <SilentFlowBehindNote extension={id} />
    </>
  )
}

/** The same of the person who is chosen. */
export function SilentPersonNote({ id }: { id: number | undefined }) {
  const people = useSilent(id !== undefined)
  return <Note person={people.find((person) => person.id === id)} />
}

/** Names those of a group of whom no phone rings, while others may. */
export function SilentInGroupNote({ ids }: { ids: readonly number[] }) {
  const say = useWords('records')
  const people = useSilent(ids.length > 0)
  const silent = people.filter(({ id }) => ids.includes(id))
  if (silent.length === 0) return null
  return (
    <p className="dim" role="status">
      {say('silentInGroup', { names: silent.map(({ name }) => name ?? '').join(', ') })}
    </p>
  )
}

/** People of whom no phone rings, as far as the person who looks may know. */
export function useSilent(isWanted: boolean): readonly SilentPerson[] {
  const me = useMe()
  const enabled = isWanted && mayDo(me, PHONE_USERS, 'r')
  const { data = [] } = useQuery({ ...silentQuery, enabled, throwOnError: false })
  return data
}

function Note({ person }: { person: SilentPerson | undefined }) {
  const say = useWords('records')
  const me = useMe()
  if (person === undefined) return null
  return (
    <p className="dim" role="status">
      {silence(say, person)}{' '}
      {mayDo(me, PHONE_USERS, 'w') ? (
        <a href={`/records/${PHONE_USERS}/${person.id}`} target="_blank" rel="noopener">
          {say('givePhone')}
        </a>
      ) : null}
    </p>
  )
}
