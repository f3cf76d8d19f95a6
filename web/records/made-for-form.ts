import { useQueryClient } from '@tanstack/react-query'
import { createContext, useContext } from 'react'
import { type ModelName, unlink } from '../data/client.ts'
import { useDraft } from '../data/drafts.ts'
import { keysOf } from '../data/keys.ts'
import { tellDone, tellRefusal } from '../design/notices.tsx'
import { useWords } from '../words/words.ts'

/** Records that were made where one was chosen in a form, under the name of the one that was chosen. */
export interface MadeForForm {
  name: string
  records: readonly { model: string; id: number }[]
}

interface Noting {
  note: (made: MadeForForm) => void
  /** It was taken back already. */
  forget: (made: MadeForForm) => void
}

/** Outside a form nobody discards anything. */
const Place = createContext<Noting>({ note: () => undefined, forget: () => undefined })
export const MadeForFormPlace = Place.Provider
export const useNoteMade = (): Noting => useContext(Place)

export async function removeMade({ records }: MadeForForm): Promise<void> {
  for (const { model, id } of records) await unlink(model as ModelName, [id])
}

/** What was made for a form lives as long as its draft: once that is saved it is wanted, once it is discarded it may go. */
export function useMadeForForm(place: { model: string; id: number | 'new' }) {
  const say = useWords('records')
  const queries = useQueryClient()
  const [made = [], setMade] = useDraft<readonly MadeForForm[]>({ ...place, field: 'made' })
  const noting: Noting = {
    note: (one) => void setMade((before = []) => [...before, one]),
    forget: ({ records: [first] }) =>
      void setMade((before = []) => {
        const others = before.filter(({ records }) => records[0]?.id !== first?.id)
        return others.length === 0 ? undefined : others
      }),
  }
  const remove = async (): Promise<void> => {
    try {
      for (const each of made) {
        await removeMade(each)
        for (const { model } of each.records) await queries.invalidateQueries({ queryKey: keysOf(model as ModelName) })
      }
      tellDone(say('madeRemoved'))
    } catch (error) {
      tellRefusal(error)
    }
  }
  return {
    noting,
    saved: (): void => void setMade(undefined),
    /** Says what stays of what was made, and offers to remove it. */
    discarded: (): void => {
      if (made.length === 0) return
      setMade(undefined)
      tellDone(say('madeStays', { names: made.map(({ name }) => name).join(', ') }), {
        label: say('removeMade'),
        run: () => void remove(),
      })
    },
  }
}
