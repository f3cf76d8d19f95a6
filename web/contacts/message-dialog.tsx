import { Button, Group, Modal, SegmentedControl, Textarea } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { call } from '../data/client.ts'
import { sentenceOf } from '../data/errors.ts'
import { tellDone } from '../design/notices.tsx'
import { SendingObstacle } from '../records/sending-obstacle.tsx'
import { phone } from '../words/formats.ts'
import { useWords } from '../words/words.ts'

const CHARS_MAX = 1_600

/** A message to a contact; what comes of it is in the story. */
export function MessageDialog({ number, contact, onClose }: { number: string; contact: number; onClose: () => void }) {
  const say = useWords('contacts')
  const queries = useQueryClient()
  const [channel, setChannel] = useState<'sms' | 'WhatsApp'>('sms')
  const [body, setBody] = useState('')
  const [problem, setProblem] = useState('')
  const send = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    try {
      const about = { res_model: 'res.partner', res_id: contact }
      await call('connect.message', 'send', { to: number, body, message_type: channel, ...about })
      tellDone(say('sent'))
      await queries.invalidateQueries({ queryKey: ['res.partner', 'story', contact] })
      onClose()
    } catch (error) {
      setProblem(sentenceOf(error))
    }
  }
  return (
    <Modal opened onClose={onClose} title={say('messageTo', { number: phone(number) })} withCloseButton={false}>
      <form onSubmit={(event) => void send(event)}>
        <SegmentedControl
          aria-label={say('channel')}
          data={[
            { value: 'sms', label: 'SMS' },
            { value: 'WhatsApp', label: 'WhatsApp' },
          ]}
          value={channel}
          onChange={(value) => setChannel(value === 'WhatsApp' ? value : 'sms')}
        />
        <SendingObstacle />
        <Textarea
          data-autofocus
          aria-label={say('message')}
          mt={12}
          autosize
          minRows={3}
          maxLength={CHARS_MAX}
          value={body}
          error={problem || undefined}
          onChange={({ currentTarget }) => setBody(currentTarget.value)}
        />
        <Group mt={16} gap={8}>
          <Button type="submit" disabled={body.trim() === ''}>
            {say('send')}
          </Button>
          <Button variant="subtle" onClick={onClose}>
            {say('cancel')}
          </Button>
        </Group>
      </form>
    </Modal>
  )
}
