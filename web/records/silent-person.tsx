import { useQuery } from '@tanstack/react-query'
import { type Row, searchRead } from '../data/client.ts'
import { asks, keyOf } from '../data/keys.ts'
import { mayDo, useMe } from '../data/session.ts'
import { useWords } from '../words/words.ts'

const PHONE_USERS = 'connect.user'
/** Far more people than a company has phones for. */
const PEOPLE_MAX = 1000
const FIELDS = ['name', 'telco_exten', 'voicemail_enabled'] as const

type SilentPerson = Row<typeof PHONE_USERS, (typeof FIELDS)[number]>

/** People with a short number of whom no phone rings. */
export const silentQuery = asks({
  queryKey: keyOf(PHONE_USERS, 'silent'),
  queryFn: () =>
    searchRead(PHONE_USERS, {
      domain: [
        ['rings_a_phone', '=', false],
        ['telco_exten', '!=', false],
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
export function SilentPersonNote({ extension }: { extension: unknown }) {
  const say = useWords('records')
  const me = useMe()
  const id = Array.isArray(extension) ? Number(extension[0]) : undefined
  const enabled = id !== undefined && mayDo(me, PHONE_USERS, 'r')
  const { data = [] } = useQuery({ ...silentQuery, enabled, throwOnError: false })
  const person = id === undefined ? undefined : silentBehind(data, id)
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
