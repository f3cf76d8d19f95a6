import { useQuery } from '@tanstack/react-query'
import type { Link } from '../data/models.gen.ts'
import { listQuery } from '../data/queries.ts'
import { PostedChanges } from '../records/posted-changes.tsx'
import type { Post } from '../records/posts.ts'
import { plain } from '../words/formats.ts'
import { named, useWords } from '../words/words.ts'

interface Created {
  id: number
  create_uid: Link | null
}

/** Who created a ticket: the agent of the call in which it was, for whom the service writes, else the person. */
export function TicketCreated({ ticket: { id, create_uid: writer } }: { ticket: Created }) {
  const say = useWords('tickets')
  const { data: calls, isPending } = useQuery(
    listQuery('connect.call', {
      domain: [
        ['ticket', '=', id],
        ['voiceai_agent', '!=', false],
      ],
      fields: ['voiceai_agent'],
      order: 'id',
      limit: 1,
    }),
  )
  const by = writer === null ? undefined : named(writer[1])
  if (isPending) return null
  const agent = by === undefined || by === say('service') ? calls?.[0]?.voiceai_agent : undefined
  if (agent) return say('createdInCall', { name: plain(agent[1]) })
  return by === undefined ? say('opened') : say('createdBy', { name: by })
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
