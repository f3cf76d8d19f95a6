import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { lookupQuery, matchOf } from '../data/who-is.ts'
import { EmptyState } from '../design/empty-state.tsx'
import { useKeys } from '../design/keys.ts'
import { PageHead } from '../design/page-head.tsx'
import { Button } from '../design/press.tsx'
import { useWords } from '../words/words.ts'
import { ContactPane } from './contact-pane.tsx'
import { ConversationList } from './conversation-list.tsx'
import { conversationQuery, type Party } from './conversations.ts'
import classes from './messages.module.css'
import type { MessagesSearch } from './messages-search.ts'
import { NewConversation } from './new-conversation.tsx'
import { Thread } from './thread.tsx'

/** Text messages in three panes: with whom, what was written, and who that is. */
export function MessagesPage() {
  const say = useWords('messages')
  const navigate = useNavigate()
  const { channel, ours, theirs } = useParams({ strict: false }) as Partial<Party>
  const { to, show, search: text } = useSearch({ strict: false }) as MessagesSearch
  const search = useMemo(() => ({ ...(show && { show }), ...(text && { search: text }) }), [show, text])
  const isOpen = channel !== undefined && ours !== undefined && theirs !== undefined
  const keymap = useMemo(
    () => ({
      Escape: () => void navigate({ to: '/messages', search }),
      c: () => void navigate({ to: '.', search: { ...search, to: '' } }),
    }),
    [navigate, search],
  )
  useKeys(keymap)
  const write = (number: string) => void navigate({ to: '.', search: { ...search, to: number } })
  return (
    <>
      <div className={classes.pageHead} data-open={isOpen || undefined}>
        <PageHead title={say('title')}>
          <Button onClick={() => write(theirs ?? '')} variant={isOpen ? 'default' : 'filled'}>
            {say('new')}
          </Button>
        </PageHead>
      </div>
      <div className={classes.panes} data-open={isOpen || undefined}>
        <ConversationList />
        {isOpen ? <OpenConversation party={{ channel, ours, theirs }} /> : <EmptyState title={say('choose')} />}
      </div>
      {to === undefined ? null : (
        <NewConversation to={to} onClose={() => void navigate({ to: '.', search: { ...search }, replace: true })} />
      )}
    </>
  )
}

function OpenConversation({ party }: { party: Party }) {
  const { data: conversation } = useQuery(conversationQuery(party))
  // Where nobody has written yet, the service says who has the number.
  const { data: found } = useQuery({ ...lookupQuery(party.theirs), enabled: conversation === null })
  if (conversation === undefined) return <div />
  const partner = conversation === null ? matchOf(found) : conversation.partner
  return (
    <>
      <Thread party={party} conversation={conversation} partner={partner} />
      <ContactPane party={party} partner={partner} />
    </>
  )
}
