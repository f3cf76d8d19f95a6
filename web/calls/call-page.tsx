import { useSuspenseQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { GoneError } from '../data/errors.ts'
import { oneQuery } from '../data/queries.ts'
import { timelineQuery } from '../lines/call-queries.ts'
import { CALL_FIELDS } from '../lines/call-rows.ts'
import { useWords } from '../words/words.ts'
import { CallView, type PageCall } from './call-view.tsx'

const FIELDS = [
  ...CALL_FIELDS,
  'caller_user',
  'called_users',
  'call_sid',
  'voiceai_conversation_id',
  'voiceai_summary',
  'summary',
  'wait_seconds',
  'error_message',
  'price',
  'price_currency',
  'caller_name',
  'caller_verification',
  'forwarded_from',
  'conversation_criteria',
  'conversation_data',
  'conversation_cost',
  'conversation_cost_usd',
  'conversation_charging',
  'conversation_language',
  'conversation_tags',
  'ai_announcement',
] as const

/** One call: what became of it and why, what was said, what happened, and what it is about. */
export function CallPage() {
  const say = useWords('calls')
  const { id: address = '' } = useParams({ strict: false }) as { id?: string }
  const id = Number(address)
  const { data: call } = useSuspenseQuery(oneQuery('connect.call', id, FIELDS))
  if (call === null) throw new GoneError(say('gone'))
  return <CallStoryOf call={call} key={id} />
}

function CallStoryOf({ call }: { call: PageCall }) {
  const { data: timeline } = useSuspenseQuery(timelineQuery(call.id))
  return <CallView call={call} timeline={timeline} />
}
