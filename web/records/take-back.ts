import { useQueryClient } from '@tanstack/react-query'
import { callByName, write } from '../data/client.ts'
import { keysOf } from '../data/keys.ts'
import { tellDone, tellRefusal } from '../design/notices.tsx'
import { useWords } from '../words/words.ts'
import { takenBack } from './reach.ts'
import { changesOf, only, type Values } from './record-values.ts'

interface Written {
  model: string
  id: number
  /** What was there. */
  before: Values
  sent: Values
  /** What is there now, where it was read again. */
  saved?: Values | undefined
}

/** Offers to put a change back, which is done unless somebody has changed the same since; undefined where it cannot be. */
export function useTakeBack(): (written: Written) => { label: string; run: () => void } | undefined {
  const say = useWords('records')
  const queries = useQueryClient()
  return ({ model, id, before, sent, saved }) => {
    const back = takenBack(model, before, sent)
    if (back === undefined) return undefined
    const names = Object.keys(back)
    const run = async (): Promise<void> => {
      try {
        const [now] = (await callByName(model, 'read', { ids: [id], fields: names })) as Values[]
        const isOthers = now === undefined || Object.keys(changesOf(now, only(saved ?? now, names))).length > 0
        if (!isOthers) await write(model, [id], back)
        tellDone(say(isOthers ? 'undoneNot' : 'undone'))
      } catch (error) {
        tellRefusal(error)
      }
      await queries.invalidateQueries({ queryKey: keysOf(model) })
    }
    return { label: say('undo'), run: () => void run() }
  }
}
