import { useQueryClient } from '@tanstack/react-query'
import { createContext, useContext } from 'react'
import { type ModelName, searchRead, unlink } from '../data/client.ts'
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
  made: readonly MadeForForm[]
  note: (made: MadeForForm) => void
  /** It was taken back already. */
  forget: (made: MadeForForm) => void
}

/** Outside a form nobody discards anything. */
const Place = createContext<Noting>({ made: [], note: () => undefined, forget: () => undefined })
export const MadeForFormPlace = Place.Provider
export const useNoteMade = (): Noting => useContext(Place)

const PHONE_USER = 'connect.user'

/** Removes what was made, and answers whether a phone stays because somebody has set it up since. */
export async function removeMade({ records }: MadeForForm): Promise<boolean> {
  let isPhoneKept = false
  for (const { model, id } of records) {
    const isPhone = model === PHONE_USER
    if (isPhone && (await isSetUp(id))) isPhoneKept = true
    else await unlink(model, [id], isPhone ? { keeps_groups: true } : {})
  }
  return isPhoneKept
}

async function isSetUp(id: number): Promise<boolean> {
  const phones = await searchRead(PHONE_USER, {
    domain: ['&', ['id', '=', id], '|', ['sip_enabled', '=', true], ['mobile_enabled', '=', true]],
    fields: ['id'],
    limit: 1,
  })
  return phones.length > 0
}

/** Whether a record is chosen anywhere in what was typed, also in a row of it. */
function isChosenIn(typed: unknown, id: number | undefined): boolean {
  if (typeof typed !== 'object' || typed === null) return false
  if (Array.isArray(typed) && typed.length === 2 && typed[0] === id && typeof typed[1] === 'string') return true
  return Object.values(typed).some((each) => isChosenIn(each, id))
}

/** What was made for a form lives as long as its draft: once that is saved it is wanted, once it is discarded it may go. */
export function useMadeForForm(place: { model: string; id: number | 'new' }) {
  const say = useWords('records')
  const queries = useQueryClient()
  const [made = [], setMade] = useDraft<readonly MadeForForm[]>({ ...place, field: 'made' })
  const noting: Noting = {
    made,
    note: (one) => void setMade((before = []) => [...before, one]),
    forget: ({ records: [first] }) =>
      void setMade((before = []) => {
        const others = before.filter(({ records }) => records[0]?.id !== first?.id)
        return others.length === 0 ? undefined : others
      }),
  }
  const remove = async (unwanted: readonly MadeForForm[]): Promise<void> => {
    try {
      let isPhoneKept = false
      for (const each of unwanted) {
        isPhoneKept = (await removeMade(each)) || isPhoneKept
        for (const { model } of each.records) await queries.invalidateQueries({ queryKey: keysOf(model as ModelName) })
      }
      tellDone(say(isPhoneKept ? 'madeRemovedNotPhone' : 'madeRemoved'))
    } catch (error) {
      tellRefusal(error)
    }
  }
  const namesOf = (some: readonly MadeForForm[]): string => some.map(({ name }) => name).join(', ')
  const removal = (unwanted: readonly MadeForForm[]) => ({ label: say('removeMade'), run: () => void remove(unwanted) })
  const offer = (unwanted: readonly MadeForForm[]): void => {
    if (unwanted.length > 0) tellDone(say('madeUnused', { names: namesOf(unwanted) }), removal(unwanted))
  }
  return {
    noting,
    hasMade: made.length > 0,
    /** All of it is wanted. */
    kept: (): void => void setMade(undefined),
    /** What is not chosen in what was saved, or is still typed, is offered to be removed. */
    saved: (typed: unknown): void => {
      setMade(undefined)
      offer(made.filter(({ records: [first] }) => !isChosenIn(typed, first?.id)))
    },
    /** What is chosen in what was sent is not used any more once that is put back. */
    putBack: (sent: unknown): void => offer(made.filter(({ records: [first] }) => isChosenIn(sent, first?.id))),
    /** Says that the draft is discarded and what stays of what was made for it, and offers both back or to remove that. */
    discarded: (says: string, putBack: () => void): void => {
      const isAny = made.length > 0
      const run = (): void => {
        if (isAny) setMade((since = []) => [...made, ...since])
        putBack()
      }
      setMade(undefined)
      const told = isAny ? say('madeStays', { names: namesOf(made) }) : says
      tellDone(told, { label: say('undo'), run }, isAny ? removal(made) : undefined)
    },
  }
}
