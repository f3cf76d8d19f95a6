import { useQueryClient } from '@tanstack/react-query'
import { call as callMethod } from '../data/client.ts'
import { keysOf } from '../data/keys.ts'
import { mayChangeCall } from '../data/own-records.ts'
import { useMe } from '../data/session.ts'
import { tellDone, tellRefusal } from '../design/notices.tsx'
import { Button } from '../design/press.tsx'
import type { CallRow } from '../lines/call-rows.ts'
import { plain } from '../words/formats.ts'
import { formats, useWords } from '../words/words.ts'
import type { PageCall } from './call-view.tsx'

type Marked = Pick<CallRow, 'callback_done_at' | 'callback_done_by'>

/** Who marked the call as called back, and when; undefined while nobody has. */
export function useDoneWords(): (call: Marked) => string | undefined {
  const say = useWords('calls')
  return ({ callback_done_at: at, callback_done_by: by }) => {
    if (at === null) return undefined
    const time = formats.time(at)
    return by === null ? say('doneAt', { time }) : say('doneBy', { name: plain(by[1]), time })
  }
}

/** The same on the page of the call, with the way back for everybody who may mark it. */
export function CallDone({ call }: { call: PageCall }) {
  const say = useWords('calls')
  const queries = useQueryClient()
  const me = useMe()
  const words = useDoneWords()(call)
  if (words === undefined) return null
  const takeBack = async (): Promise<void> => {
    try {
      await callMethod('connect.call', 'callback_undone', { ids: [call.id], by_anyone: true })
      tellDone(say('waitsAgain'))
    } catch (error) {
      tellRefusal(error)
    }
    await queries.invalidateQueries({ queryKey: keysOf('connect.call') })
  }
  return (
    <p>
      {words}{' '}
      {mayChangeCall(me, call) ? (
        <Button variant="subtle" size="compact-sm" onClick={takeBack}>
          {say('undone')}
        </Button>
      ) : null}
    </p>
  )
}
