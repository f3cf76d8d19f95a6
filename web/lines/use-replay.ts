import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { callByName, type Domain, searchRead } from '../data/client.ts'
import { keysOf } from '../data/keys.ts'
import { tellDone, tellRefusal } from '../design/notices.tsx'
import { useWords } from '../words/words.ts'

/** Deliveries that one call of the service replays. */
export const REPLAYED_MAX = 200

interface Outcome {
  id: number
  is_replayed: boolean
  call: number | null
  sentence: string | null
}

/** Has deliveries worked on again, and tells what came of it. */
export function useReplay() {
  const say = useWords('deliveries')
  const queries = useQueryClient()
  const [isAsking, setAsking] = useState(false)
  const replay = async (ids: readonly number[]): Promise<void> => {
    setAsking(true)
    try {
      const outcomes = (await callByName('connect.delivery', 'replay', { ids })) as Outcome[]
      const left = outcomes.filter(({ is_replayed: isReplayed }) => !isReplayed)
      const [only] = outcomes
      if (left[0] !== undefined) tellRefusal(new Error(refusalOf(left, outcomes.length - left.length)))
      else if (outcomes.length === 1 && only !== undefined) tellDone(say('replayed', { id: only.id }))
      else tellDone(say('replayedMany', { count: outcomes.length }))
      await queries.invalidateQueries({ queryKey: keysOf('connect.delivery') })
    } catch (error) {
      tellRefusal(error)
    } finally {
      setAsking(false)
    }
  }
  const refusalOf = (left: readonly Outcome[], done: number): string => {
    const sentence = left[0]?.sentence ?? ''
    if (left.length === 1 && done === 0) return sentence
    const refused = say('notReplayed', { count: left.length, sentence })
    return done === 0 ? refused : `${say('replayedMany', { count: done })} ${refused}`
  }
  const replayMatching = async (domain: Domain): Promise<void> => {
    const rows = await searchRead('connect.delivery', { domain, fields: ['route'], order: 'id', limit: REPLAYED_MAX })
    await replay(rows.map(({ id }) => id))
  }
  return { isAsking, replay, replayMatching }
}
