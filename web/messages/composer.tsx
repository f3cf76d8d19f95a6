import { Button, Textarea } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type KeyboardEvent, useState } from 'react'
import { call } from '../data/client.ts'
import { sentenceOf } from '../data/errors.ts'
import { withCommand } from '../design/keys.ts'
import { SendingObstacle } from '../records/sending-obstacle.tsx'
import { useWords } from '../words/words.ts'
import type { Party } from './conversations.ts'
import { readDraft, saveDraft } from './drafts.ts'
import classes from './messages.module.css'
import { smsSize, TEXT_CHARS_MAX } from './sms-parts.ts'

/** A box for the next message. It is the provider that sends it, so nothing is shown as sent before it is stored there. */
export function Composer({ party }: { party: Party }) {
  const say = useWords('messages')
  const queries = useQueryClient()
  const [text, setText] = useState(() => readDraft(party))
  const [problem, setProblem] = useState('')
  const [isSending, setSending] = useState(false)
  const change = (next: string): void => {
    setText(next)
    saveDraft(party, next)
  }
  const send = async (): Promise<void> => {
    if (text.trim() === '' || isSending) return
    setSending(true)
    try {
      const { channel, ours: from, theirs: to } = party
      await call('connect.message', 'send', {
        to,
        from,
        body: text,
        message_type: channel === 'sms' ? 'sms' : 'WhatsApp',
      })
      change('')
      setProblem('')
      await queries.invalidateQueries({ queryKey: ['connect.message'] })
    } catch (error) {
      setProblem(sentenceOf(error))
    }
    setSending(false)
  }
  const onKey = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || !(event.metaKey || event.ctrlKey)) return
    event.preventDefault()
    void send()
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    void send()
  }
  return (
    <form className={classes.composer} onSubmit={submit}>
      <SendingObstacle className={classes.obstacle} />
      <Textarea
        aria-label={say('write')}
        placeholder={say('write')}
        autosize
        minRows={1}
        maxRows={8}
        maxLength={TEXT_CHARS_MAX}
        value={text}
        error={problem || undefined}
        onKeyDown={onKey}
        onChange={({ currentTarget }) => change(currentTarget.value)}
      />
      <Button type="submit" loading={isSending} disabled={text.trim() === ''}>
        {say('send')}{' '}
        <kbd className={classes.key} aria-hidden>
          {withCommand('⏎')}
        </kbd>
      </Button>
      {text === '' ? null : <Size text={text} isSms={party.channel === 'sms'} />}
    </form>
  )
}

function Size({ text, isSms }: { text: string; isSms: boolean }) {
  const say = useWords('messages')
  const { alphabet, parts } = smsSize(text)
  return (
    <p className={classes.size}>
      {text.length}/{TEXT_CHARS_MAX}
      {isSms ? ` · ${say('parts', { count: parts })} · ${alphabet}` : ''}
    </p>
  )
}
