import { Modal, SegmentedControl, Select, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { call, searchRead } from '../data/client.ts'
import { sentenceOf } from '../data/errors.ts'
import { listQuery } from '../data/queries.ts'
import { Button, Form } from '../design/press.tsx'
import { useProblem } from '../design/use-problem.ts'
import { LinkPicker } from '../records/link-picker.tsx'
import { TO_TALK_WITH } from '../records/offered.ts'
import { SendingObstacle } from '../records/sending-obstacle.tsx'
import { phone } from '../words/formats.ts'
import { useWords } from '../words/words.ts'
import classes from './messages.module.css'

const NUMBERS_MAX = 200
/** Until a number has been typed, so that not every digit asks. */
const TYPING_MS = 250

interface Props {
  to: string
  onClose: () => void
}

/** Begins to write to somebody: a contact, or a number in any form that contacts' numbers are read in. */
export function NewConversation({ to, onClose }: Props) {
  const say = useWords('messages')
  const [channel, setChannel] = useState('sms')
  return (
    <Modal opened onClose={onClose} title={say('new')} closeButtonProps={{ 'aria-label': say('cancel') }}>
      <SegmentedControl
        fullWidth
        aria-label={say('channel')}
        value={channel}
        onChange={setChannel}
        data={[
          { value: 'sms', label: 'SMS' },
          { value: 'WhatsApp', label: 'WhatsApp' },
        ]}
      />
      <Parties key={channel} channel={channel} first={to} />
    </Modal>
  )
}

function Parties({ channel, first }: { channel: string; first: string }) {
  const say = useWords('messages')
  const navigate = useNavigate()
  const numbers = useOwnNumbers(channel)
  const [chosen, setChosen] = useState<string | null>(null)
  const [contact, setContact] = useState<unknown>(null)
  const [written, setWritten] = useState(first === '' || first.startsWith('+') ? first : `+${first}`)
  const [problem, setProblem] = useProblem('')
  const ours = chosen ?? numbers?.[0] ?? null
  const [to] = useDebouncedValue(written.trim(), TYPING_MS)
  const pick = async (value: unknown): Promise<void> => {
    setContact(value)
    if (!Array.isArray(value)) return
    const domain = [['id', '=', Number(value[0])]] as const
    const fields = ['mobile_normalized', 'phone_normalized', 'mobile', 'phone'] as const
    const [found] = await searchRead('res.partner', { domain, fields, limit: 1 })
    // Numbers written as in their country are those of the contact's, which need not be ours.
    const number = found?.mobile_normalized ?? found?.phone_normalized ?? found?.mobile ?? found?.phone ?? ''
    setWritten(number)
    setProblem(number === '' ? say('hasNoNumber') : '')
  }
  const begin = async (): Promise<void> => {
    try {
      const { e164: theirs } = await call('res.partner', 'lookup', { number: written })
      if (theirs === null) setProblem(say('writeNumber'))
      else if (ours !== null)
        await navigate({ to: '/messages/$channel/$ours/$theirs', params: { channel, ours, theirs } })
    } catch (error) {
      setProblem(sentenceOf(error))
    }
  }
  if (numbers?.length === 0) {
    return (
      <p className={classes.template}>
        {say(channel === 'sms' ? 'noNumber' : 'noSender')} <Link to="/settings">{say('settings')} ▸</Link>
      </p>
    )
  }
  return (
    <Form className={classes.begin} onSubmit={begin}>
      <LinkPicker
        label={say('contact')}
        model="res.partner"
        domain={TO_TALK_WITH}
        value={contact}
        onChange={(value) => void pick(value)}
      />
      <TextInput
        label={say('number')}
        placeholder={say('numberExample')}
        inputMode="tel"
        value={written}
        error={problem || undefined}
        onChange={({ currentTarget: { value } }) => setWritten(value)}
      />
      <Select
        label={say('from')}
        value={ours}
        onChange={setChosen}
        allowDeselect={false}
        data={(numbers ?? []).map((value) => ({ value, label: phone(value) }))}
      />
      <SendingObstacle receiver={{ to, from: ours ?? undefined, channel }} />
      <Button type="submit" disabled={ours === null || written.trim() === ''}>
        {say('begin')}
      </Button>
    </Form>
  )
}

/** Numbers of ours that can write this way; undefined until they are known. */
function useOwnNumbers(channel: string): string[] | undefined {
  const { data: numbers } = useQuery({
    ...listQuery('connect.telco.number', {
      domain: [['is_ignored', '!=', true]],
      fields: ['phone_number'],
      order: 'phone_number',
      limit: NUMBERS_MAX,
    }),
    enabled: channel === 'sms',
  })
  const { data: senders } = useQuery({
    ...listQuery('connect.whatsapp_sender', {
      domain: [['status', '=', 'ONLINE']],
      fields: ['number'],
      order: 'is_default desc, number',
      limit: NUMBERS_MAX,
    }),
    enabled: channel === 'WhatsApp',
  })
  const found = channel === 'sms' ? numbers?.map((each) => each.phone_number) : senders?.map((each) => each.number)
  return found?.filter((each) => each !== null)
}
