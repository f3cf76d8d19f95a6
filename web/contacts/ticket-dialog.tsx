import { Group, Modal, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { create } from '../data/client.ts'
import { useDraft } from '../data/drafts.ts'
import { sentenceOf } from '../data/errors.ts'
import { Button, Form } from '../design/press.tsx'
import { useWords } from '../words/words.ts'

const SUBJECT_CHARS_MAX = 200

interface Props {
  contact: { id: number; name: string }
  onClose: () => void
}

/** A new ticket for a contact, which there is none of before it has a subject. */
export function TicketDialog({ contact: { id, name }, onClose }: Props) {
  const say = useWords('contacts')
  const navigate = useNavigate()
  const [subject = '', setSubject] = useDraft<string>({ model: 'res.partner', id, field: 'ticket' })
  const [problem, setProblem] = useState('')
  const save = async (): Promise<void> => {
    if (subject.trim() === '') return
    try {
      const made = await create('helpdesk.ticket', { name: subject, partner_id: id })
      setSubject(undefined)
      await navigate({ to: '/tickets/$id', params: { id: String(made) } })
    } catch (error) {
      setProblem(sentenceOf(error))
    }
  }
  return (
    <Modal opened onClose={onClose} title={say('newTicketFor', { name })} withCloseButton={false}>
      <Form onSubmit={save}>
        <TextInput
          data-autofocus
          label={say('subject')}
          maxLength={SUBJECT_CHARS_MAX}
          value={subject}
          error={problem || undefined}
          onChange={({ currentTarget }) => setSubject(currentTarget.value || undefined)}
        />
        <Group mt={16} gap={8}>
          <Button type="submit" disabled={subject.trim() === ''}>
            {say('createTicket')}
          </Button>
          <Button variant="subtle" onClick={onClose}>
            {say('cancel')}
          </Button>
        </Group>
      </Form>
    </Modal>
  )
}
