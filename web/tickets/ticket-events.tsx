import { useQuery } from '@tanstack/react-query'
import type { Link } from '../data/models.gen.ts'
import { listQuery } from '../data/queries.ts'
import { PostedChanges } from '../records/posted-changes.tsx'
import type { Post } from '../records/posts.ts'
import { plain } from '../words/formats.ts'
import { named, useWords } from '../words/words.ts'

interface Created {
  id: number
  create_date: string | null
  create_uid: Link | null
}

/** Who created a ticket: the agent of the call in which it was, else the person. */
export function TicketCreated({ ticket: { id, create_date: created, create_uid: writer } }: { ticket: Created }) {
  const say = useWords('tickets')
  const { data: calls, isPending } = useQuery(
    listQuery('connect.call', {
      domain: [
        ['ticket', '=', id],
        ['voiceai_agent', '!=', false],
        ['create_date', '<=', created ?? ''],
      ],
      fields: ['voiceai_agent', 'ended_at'],
      order: 'id desc',
      limit: 1,
    }),
  )
  if (isPending) return null
  const [call] = calls ?? []
  const isFromCall = call !== undefined && (call.ended_at === null || created === null || created <= call.ended_at)
  if (isFromCall && call.voiceai_agent) return say('createdInCall', { name: plain(call.voiceai_agent[1]) })
  return writer === null ? say('opened') : say('createdBy', { name: named(writer[1]) })
}

/** What a change did to a ticket: who has it now, as a sentence, and what else was changed. */
export function TicketChanges({ author, changes }: Pick<Post, 'author'> & { changes: NonNullable<Post['changes']> }) {
  const say = useWords('tickets')
  const person = changes.find(({ field }) => field === 'user_id')
  const others = changes.filter(({ field }) => field !== 'user_id')
  const toOf = (to: string) => say(to === author ? 'took' : 'assignedTo', { name: plain(to) })
  return (
    <>
      {person === undefined ? null : (
        <p>{person.to === null ? say('unassigned', { name: plain(person.from ?? '') }) : toOf(person.to)}</p>
      )}
      {others.length === 0 ? null : <PostedChanges model="helpdesk.ticket" changes={others} />}
    </>
  )
}
