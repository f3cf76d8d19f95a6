import { Group, Modal, SegmentedControl, Textarea } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { call } from '../data/client.ts'
import { useDraft } from '../data/drafts.ts'
import { sentenceOf } from '../data/errors.ts'
import { keysOf } from '../data/keys.ts'
import { tellDone } from '../design/notices.tsx'
import { Button, Form } from '../design/press.tsx'
import { useProblem } from '../design/use-problem.ts'
import { SendingObstacle } from '../records/sending-obstacle.tsx'
import { phone } from '../words/formats.ts'
import { useWords } from '../words/words.ts'

const CHARS_MAX = 1_600

interface Draft {
  channel: 'sms' | 'WhatsApp'
  body: string
}
const NOTHING: Draft = { channel: 'sms', body: '' }

/** A message to a contact; what comes of it is in the story. */
export function MessageDialog({ number, contact, onClose }: { number: string; contact: number; onClose: () => void }) {
  const say = useWords('contacts')
  const queries = useQueryClient()
  const [{ channel, body } = NOTHING, setDraft] = useDraft<Draft>({
    model: 'res.partner',
    id: contact,
    field: `message ${number}`,
  })
  const [problem, setProblem] = useProblem('')
  const send = async (): Promise<void> => {
    try {
      const about = { res_model: 'res.partner', res_id: contact }
      await call('connect.message', 'send', { to: number, body, message_type: channel, ...about })
      const left = setDraft((now) => (now?.body === body ? undefined : now))
      tellDone(say('sent', { number: phone(number) }))
      await queries.invalidateQueries({ queryKey: keysOf('res.partner', 'story', contact) })
      if (left === undefined) onClose()
    } catch (error) {
      setProblem(sentenceOf(error))
    }
  }
  return (
    <Modal opened onClose={onClose} title={say('messageTo', { number: phone(number) })} withCloseButton={false}>
      <Form onSubmit={send}>
        <SegmentedControl
          aria-label={say('channel')}
          data={[
            { value: 'sms', label: 'SMS' },
            { value: 'WhatsApp', label: 'WhatsApp' },
          ]}
          value={channel}
          onChange={(value) => setDraft({ channel: value === 'WhatsApp' ? value : 'sms', body })}
        />
        <SendingObstacle receiver={{ to: number, channel }} />
        <Textarea
          data-autofocus
          aria-label={say('message')}
          mt={12}
          autosize
          minRows={3}
          maxLength={CHARS_MAX}
          value={body}
          error={problem || undefined}
          onChange={({ currentTarget: { value } }) => setDraft({ channel, body: value })}
        />
        <Group mt={16} gap={8}>
          <Button type="submit" disabled={body.trim() === ''}>
            {say('send')}
          </Button>
          <Button variant="subtle" onClick={onClose}>
            {say('cancel')}
          </Button>
        </Group>
      </Form>
    </Modal>
  )
}
