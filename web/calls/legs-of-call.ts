// The legs of one call, as far as the reader may read them, and what they say of a call that goes on.
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Row } from '../data/client.ts'
import { legsQuery, recordingStateQuery } from '../lines/call-queries.ts'

export type LiveCall = Row<'connect.call', 'direction' | 'outcome' | 'answered_at'> & { id: number }
type Leg = Row<'connect.channel', 'status' | 'technical_direction' | 'caller_user' | 'called_user'>

/** By then a recording that begins with the answer is in the provider's list. */
const LISTED_MS = 4_000
const LIVE: readonly Leg['status'][] = ['queued', 'initiated', 'ringing', 'in-progress']

export function useLegs(call: number) {
  return useQuery(legsQuery(call)).data ?? []
}

/** Whether it is the leg of this person's own phone, which rings or has been picked up. */
export function isTheirs(
  { status, technical_direction: direction, caller_user, called_user }: Leg,
  user: number,
): boolean {
  const party = direction === 'inbound' ? caller_user : called_user
  return party?.[0] === user && LIVE.includes(status)
}

/** Whether a call is being recorded: as the provider says, else as it is stored. */
export function useIsRecording({ id, outcome, answered_at: answered }: LiveCall): boolean {
  const isLive = outcome === 'in_progress'
  const isTalking = isLive && answered !== null
  const { data, refetch } = useQuery({ ...recordingStateQuery(id), enabled: isTalking })
  useEffect(() => {
    if (!isTalking) return undefined
    const looksAgain = setTimeout(() => void refetch({ cancelRefetch: false }), LISTED_MS)
    return () => clearTimeout(looksAgain)
  }, [isTalking, refetch])
  const isStored = useLegs(id).some(({ recording_state: state }) => state === 'on' || state === 'stopping')
  if (!isLive) return false
  return data === undefined ? isStored : data.state === 'on'
}
