import { Textarea } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import type { KeyboardEvent } from 'react'
import { call } from '../data/client.ts'
import { unlessChanged, useDraft } from '../data/drafts.ts'
import { sentenceOf } from '../data/errors.ts'
import { keysOf } from '../data/keys.ts'
import { useAnswering } from '../data/present.ts'
import { withCommand } from '../design/keys.ts'
import { Button, Form } from '../design/press.tsx'
import { useProblem } from '../design/use-problem.ts'
import { SendingObstacle } from '../records/sending-obstacle.tsx'
import { useWords } from '../words/words.ts'
import { type Party, placeOf } from './conversations.ts'
import classes from './messages.module.css'
import { smsSize, TEXT_CHARS_MAX } from './sms-parts.ts'

/** A box for the next message. It is the provider that sends it, so nothing is shown as sent before it is stored there. */
export function Composer({ party, conversation }: { party: Party; conversation: number | undefined }) {
  const say = useWords('messages')
  const queries = useQueryClient()
  const [text = '', setText] = useDraft<string>(placeOf(party, 'text'))
  const [problem, setProblem] = useProblem('')
  const sayAnswering = useAnswering(conversation)
  const type = (typed: string): void => {
    setText(typed || undefined)
    sayAnswering(typed.trim() !== '')
  }
  const send = async (): Promise<void> => {
    if (text.trim() === '') return
    try {
      const { channel, ours: from, theirs: to } = party
      await call('connect.message', 'send', {
        to,
        from,
        body: text,
        message_type: channel === 'sms' ? 'sms' : 'WhatsApp',
      })
      setText(unlessChanged(text))
      sayAnswering(false)
      setProblem('')
      await queries.invalidateQueries({ queryKey: keysOf('connect.message') })
    } catch (error) {
      setProblem(sentenceOf(error))
    }
  }
  const onKey = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    if (event.key !== 'Enter' || !(event.metaKey || event.ctrlKey)) return
    event.preventDefault()
    event.currentTarget.form?.requestSubmit()
  }
  return (
    <Form className={classes.composer} onSubmit={send}>
      <SendingObstacle
        className={classes.obstacle}
        receiver={{ to: party.theirs, from: party.ours, channel: party.channel }}
      />
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
        onChange={({ currentTarget }) => type(currentTarget.value)}
      />
      <Button type="submit" disabled={text.trim() === ''}>
        {say('send')}{' '}
        <kbd className={classes.key} aria-hidden>
          {withCommand('⏎')}
        </kbd>
      </Button>
      {text === '' ? null : <Size text={text} isSms={party.channel === 'sms'} />}
    </Form>
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
