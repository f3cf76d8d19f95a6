import { Group, Modal, Textarea } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { callByName } from '../data/client.ts'
import { unlessChanged, useDraft } from '../data/drafts.ts'
import { useFocusAlong } from '../design/focus-along.ts'
import { tellDone, tellRefusal } from '../design/notices.tsx'
import { Button } from '../design/press.tsx'
import { PostFiles } from '../files/post-files.tsx'
import { phone } from '../words/formats.ts'
import { labelOf } from '../words/labels.ts'
import { formats, named, reader, useWords } from '../words/words.ts'
import { PostText } from './post-text.tsx'
import { PostedChanges } from './posted-changes.tsx'
import { type Post, postsKey } from './posts.ts'
import classes from './records.module.css'
import { registeredLines } from './registered-call.ts'
import { useTellDiscarded } from './tell-discarded.ts'
import { TextLine } from './text-line.tsx'

/** What it says; of the end of a call in the reader's language. */
function PostBody({ post }: { post: Post }) {
  const say = useWords('records')
  const written = { say, wordOf: labelOf, numberOf: phone, reader: reader(), now: new Date() } as const
  const lines = post.kind === 'event' ? registeredLines(post.text, written) : undefined
  if (lines === undefined) return <PostText html={post.body ?? ''} />
  return lines.map((line) => <p key={line}>{line}</p>)
}

interface Props {
  model: string
  id: number
  post: Post
  /** Anyone who writes on the record changes their own notes on it. */
  mayChange: boolean
}

/** One note or change; a note of one's own can be changed, and deleted with a way back. */
export function ChatterPost({ model, id, post, mayChange }: Props) {
  const say = useWords('records')
  const queries = useQueryClient()
  const [edited, setEdited] = useDraft<string>({ model: 'mail.message', id: post.id, field: 'body' })
  const [isAsking, setAsking] = useState(false)
  const tellDiscarded = useTellDiscarded()
  const place = useFocusAlong<HTMLElement>(edited !== undefined)
  const hasFiles = post.attachments.length > 0
  const refresh = () => queries.invalidateQueries({ queryKey: postsKey(model, id) })
  const save = async (body: string): Promise<void> => {
    try {
      await callByName(model, 'message_edit', { ids: [id], message: post.id, body })
      await refresh()
      setEdited(unlessChanged(body))
    } catch (error) {
      tellRefusal(error)
    }
  }
  const cancel = (): void => {
    setEdited(undefined)
    if (edited !== post.text) tellDiscarded(() => setEdited((now) => now ?? edited))
  }
  const restore = () => callByName(model, 'message_post', { ids: [id], body: post.text }).then(refresh)
  const remove = (): Promise<void> => {
    // Files that are gone are gone.
    const again = hasFiles ? undefined : { label: say('undo'), run: () => void restore().catch(tellRefusal) }
    setAsking(false)
    const done = callByName(model, 'message_delete', { ids: [id], message: post.id })
    return done.then(refresh).then(() => tellDone(say('noteDeleted'), again), tellRefusal)
  }
  return (
    <article ref={place} className={classes.post}>
      <p className={classes.meta}>
        {named(post.author ?? say('service'))} ·{' '}
        <time dateTime={formats.exact(post.date)}>{formats.time(post.date)}</time>
        {post.edited_at === null ? null : ` · ${say('edited')}`}
        {post.text_message === null ? null : (
          <>
            {' · '}
            <TextLine text={post.text_message} />
          </>
        )}
      </p>
      {post.changes === null ? null : <PostedChanges model={model} changes={post.changes} />}
      {post.changes === null && edited === undefined ? <PostBody post={post} /> : null}
      <PostFiles files={post.attachments} />
      {edited === undefined ? null : (
        <>
          <Textarea
            aria-label={say('changeNote')}
            data-along
            autosize
            minRows={2}
            value={edited}
            onChange={({ currentTarget }) => setEdited(currentTarget.value)}
          />
          <Group gap={8} mt={8}>
            <Button variant="default" disabled={edited.trim() === ''} onClick={() => save(edited)}>
              {say('save')}
            </Button>
            <Button variant="subtle" onClick={cancel}>
              {say('cancel')}
            </Button>
          </Group>
        </>
      )}
      {post.is_mine && mayChange && edited === undefined ? (
        <Group gap={4}>
          <Button data-along variant="subtle" size="compact-sm" onClick={() => setEdited(post.text)}>
            {say('changeNote')}
          </Button>
          <Button variant="subtle" size="compact-sm" onClick={hasFiles ? () => setAsking(true) : remove}>
            {say('delete')}
          </Button>
        </Group>
      ) : null}
      <Modal
        opened={isAsking}
        onClose={() => setAsking(false)}
        title={say('deleteNoteQuestion')}
        withCloseButton={false}
      >
        <p>{say('deleteNoteDetail')}</p>
        <Group mt={16} gap={8}>
          <Button onClick={remove}>{say('delete')}</Button>
          <Button variant="subtle" data-autofocus onClick={() => setAsking(false)}>
            {say('cancel')}
          </Button>
        </Group>
      </Modal>
    </article>
  )
}
