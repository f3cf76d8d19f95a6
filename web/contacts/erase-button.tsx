import { Group, Modal, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { call } from '../data/client.ts'
import { sentenceOf } from '../data/errors.ts'
import { asks, keyOf } from '../data/keys.ts'
import { tellDone } from '../design/notices.tsx'
import { Button, Form } from '../design/press.tsx'
import { useProblem } from '../design/use-problem.ts'
import { phone, plain } from '../words/formats.ts'
import { useWords } from '../words/words.ts'
import classes from './contact.module.css'

/** What stays as rows that name nobody. */
const STAY = ['connect.call', 'helpdesk.ticket', 'calendar.event'] as const
/** What is removed. */
const GO = ['connect.recording', 'connect.voicemail', 'connect.message', 'mail.message'] as const

const COUNTED = {
  'connect.call': 'countCalls',
  'helpdesk.ticket': 'countTickets',
  'calendar.event': 'countMeetings',
  'connect.recording': 'countRecordings',
  'connect.voicemail': 'countVoicemails',
  'connect.message': 'countMessages',
  'mail.message': 'countNotes',
} as const

/** Erases a person, after counting what goes and asking for the name. */
export function EraseButton({ id, name }: { id: number; name: string }) {
  const say = useWords('contacts')
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <Button variant="subtle" color="danger" onClick={() => setAsking(true)}>
        {say('erase')} …
      </Button>
      {isAsking ? <EraseDialog id={id} name={name} onClose={() => setAsking(false)} /> : null}
    </>
  )
}

function EraseDialog({ id, name, onClose }: { id: number; name: string; onClose: () => void }) {
  const say = useWords('contacts')
  const queries = useQueryClient()
  const navigate = useNavigate()
  const [typed, setTyped] = useState('')
  const [problem, setProblem] = useProblem('')
  const { data, error } = useQuery(
    asks({
      queryKey: keyOf('res.partner', 'erasing', id),
      queryFn: () => call('res.partner', 'erase_preview', { ids: [id] }),
      staleTime: 0,
      retry: false,
    }),
  )
  const erase = async (): Promise<void> => {
    try {
      const { is_gone: isGone } = await call('res.partner', 'erase', { ids: [id], confirm: typed })
      onClose()
      tellDone(say(isGone === true ? 'erased' : 'erasing'))
      await navigate({ to: '/contacts' })
      // Nothing that was read before stays, neither held nor shown.
      await queries.resetQueries()
    } catch (refused) {
      setProblem(sentenceOf(refused))
    }
  }
  const counts = data?.counts as Record<string, number> | undefined
  const counted = (models: readonly (typeof STAY | typeof GO)[number][]) =>
    models.filter((model) => (counts?.[model] ?? 0) > 0).map((model) => say(COUNTED[model], { count: counts?.[model] }))
  const stay = counted(STAY)
  const stayCount = STAY.reduce((sum, model) => sum + (counts?.[model] ?? 0), 0)
  const others = Object.values((data?.redacted ?? {}) as Record<string, number>).reduce((sum, count) => sum + count, 0)
  const refusal = error === null ? '' : sentenceOf(error)
  return (
    <Modal opened onClose={onClose} title={say('eraseQuestion', { name: plain(name) })} withCloseButton={false}>
      <Form onSubmit={erase}>
        {counts === undefined ? null : (
          <div className={classes.consequences}>
            <p>{say('goes', { what: [say('theContact'), ...counted(GO)].join(', ') })}</p>
            {stay.length === 0 ? null : <p>{say('stays', { count: stayCount, what: stay.join(', ') })}</p>}
            {others === 0 ? null : <p>{say('redactedElsewhere', { count: others })}</p>}
            {data?.shared.numbers.map((number) => (
              <p key={number}>{say('sharedStays', { number: phone(number) })}</p>
            ))}
            <p className="dim">{say('eraseForGood')}</p>
          </div>
        )}
        <TextInput
          data-autofocus
          mt={12}
          label={say('typeName', { name: plain(name) })}
          value={typed}
          error={problem || refusal || undefined}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        <Group mt={16} gap={8}>
          <Button type="submit" color="danger" disabled={typed.trim() !== name.trim() || counts === undefined}>
            {say('erase')}
          </Button>
          <Button variant="subtle" onClick={onClose}>
            {say('cancel')}
          </Button>
        </Group>
      </Form>
    </Modal>
  )
}
