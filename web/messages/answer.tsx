import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { listQuery } from '../data/queries.ts'
import { useWords } from '../words/words.ts'
import { Composer } from './composer.tsx'
import type { Conversation, Party } from './conversations.ts'
import classes from './messages.module.css'
import { TemplateForm } from './template-form.tsx'
import { useNow } from './use-now.ts'
import { windowLeft } from './window-left.ts'

/** What may be written now: any text by SMS; on WhatsApp within 24 hours of theirs, and an approved template after that. */
export function Answer({ party, conversation }: { party: Party; conversation: Conversation | null }) {
  return party.channel === 'WhatsApp' ? (
    <WhatsAppAnswer party={party} conversation={conversation} />
  ) : (
    <Composer party={party} conversation={conversation?.id} />
  )
}

function WhatsAppAnswer({ party, conversation }: { party: Party; conversation: Conversation | null }) {
  const until = conversation?.window_until ?? null
  const say = useWords('messages')
  const now = useNow()
  const { data: senders, isPending } = useQuery(
    listQuery('connect.whatsapp_sender', {
      domain: [
        ['number', '=', party.ours],
        ['status', '=', 'ONLINE'],
      ],
      fields: ['number'],
      limit: 1,
    }),
  )
  if (isPending) return null
  if (senders?.length === 0) {
    return (
      <p className={classes.template}>
        {say('noSender')} <Link to="/settings">{say('settings')} ▸</Link>
      </p>
    )
  }
  if (windowLeft(until, now) !== undefined) return <Composer party={party} conversation={conversation?.id} />
  return (
    <TemplateForm
      party={party}
      conversation={conversation?.id}
      reason={say(until === null ? 'windowNever' : 'windowOver')}
    />
  )
}
