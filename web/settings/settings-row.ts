import { useSuspenseQuery } from '@tanstack/react-query'
import { callByName } from '../data/client.ts'
import { ApiError } from '../data/errors.ts'
import { asks, keyOf } from '../data/keys.ts'
import type { FieldInfo } from '../data/queries.ts'
import { useMe } from '../data/session.ts'
import { wordedFieldsQuery } from '../records/fields.ts'
import type { Values } from '../records/record-values.ts'
import { chooseZone, useWords } from '../words/words.ts'
import { CARD_FIELDS, fieldsNamed } from './settings-cards.ts'

export const SETTINGS = 'connect.settings'
/** When each secret was set, and by whom, and the version; the secrets themselves are not asked for. */
const MORE = ['secrets_set', 'write_stamp']

export type SettingsRow = Values & { id: number }

/** The one record of the settings, as far as the person who is signed in sees it. */
export function useSettings(): { fields: Record<string, FieldInfo>; row: SettingsRow } {
  const say = useWords('settings')
  const me = useMe()
  const { data: fields } = useSuspenseQuery(wordedFieldsQuery(SETTINGS))
  const names = fieldsNamed([...CARD_FIELDS, ...MORE], fields).map(({ name }) => name)
  const { data: row } = useSuspenseQuery(
    asks({
      queryKey: keyOf(SETTINGS, 'settings-row', names),
      queryFn: async () => {
        const rows = (await callByName(SETTINGS, 'search_read', { fields: names, limit: 1 })) as SettingsRow[]
        const [found] = rows
        if (found === undefined) throw new ApiError(404, say('none'))
        // A person without a zone of their own reads times in the company's: also in a new one, from then on.
        if (typeof found.tz === 'string') chooseZone(me.tz ?? found.tz)
        return found
      },
    }),
  )
  return { fields, row }
}
