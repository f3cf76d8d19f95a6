import { useQueryClient } from '@tanstack/react-query'
import { callByName } from '../data/client.ts'
import { ApiError } from '../data/errors.ts'
import { keysOf } from '../data/keys.ts'
import { tellDone, tellRefusal } from '../design/notices.tsx'
import { useWords } from '../words/words.ts'
import type { Fields } from './fields.ts'
import { sentOf } from './parts.ts'
import { takenBack } from './reach.ts'
import { readWithParts } from './read-parts.ts'
import { changesOf, only, type Values } from './record-values.ts'

interface Written {
  model: string
  id: number
  /** Fields of the model, where some of them may have parts. */
  fields?: Fields
  /** What was there. */
  before: Values
  sent: Values
  /** Called once it is put back. */
  onBack?: () => void
}

/**
 * Offers to put a change back, which is done unless somebody has changed the same since; undefined where it cannot be. Asked
 * right after the change, because what is stored need not be what was sent.
 */
export function useTakeBack(): (written: Written) => Promise<{ label: string; run: () => void } | undefined> {
  const say = useWords('records')
  const queries = useQueryClient()
  return async ({ model, id, fields = {}, before, sent, onBack }) => {
    const back = takenBack(model, before, sent)
    if (back === undefined) return undefined
    const names = Object.keys(back)
    const saved = await readWithParts(model, id, fields, names).catch(() => undefined)
    if (saved === undefined) return undefined
    const putBack = async (): Promise<boolean> => {
      const now = await readWithParts(model, id, fields, [...names, 'write_stamp'])
      if (now === undefined || Object.keys(changesOf(now, only(saved, names))).length > 0) return false
      const context = { unchanged_since: now.write_stamp }
      const { vals } = sentOf(fields, now, back)
      return callByName(model, 'write', { ids: [id], vals, context }).then(() => true, isNotOthers)
    }
    const run = async (): Promise<void> => {
      await putBack().then((isBack) => {
        tellDone(say(isBack ? 'undone' : 'undoneNot'))
        if (isBack) onBack?.()
      }, tellRefusal)
      await queries.invalidateQueries({ queryKey: keysOf(model) })
    }
    return { label: say('undo'), run: () => void run() }
  }
}

/** False where somebody else was faster; any other refusal stays one. */
function isNotOthers(error: unknown): boolean {
  if (error instanceof ApiError && error.code === 'changed-meanwhile') return false
  throw error
}
