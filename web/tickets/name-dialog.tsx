import { Group, Modal, TextInput } from '@mantine/core'
import { useState } from 'react'
import { sentenceOf } from '../data/errors.ts'
import { Button, Form } from '../design/press.tsx'
import { useProblem } from '../design/use-problem.ts'
import { useWords } from '../words/words.ts'

interface Props {
  title: string
  name?: string
  onSave: (name: string) => Promise<unknown>
  onClose: () => void
}

/** Asks for the name of a stage or a team. */
export function NameDialog({ title, name = '', onSave, onClose }: Props) {
  const say = useWords('tickets')
  const [text, setText] = useState(name)
  const [problem, setProblem] = useProblem('')
  const save = () => onSave(text).then(onClose, (error: unknown) => setProblem(sentenceOf(error)))
  return (
    <Modal opened onClose={onClose} title={title} withCloseButton={false}>
      <Form onSubmit={save}>
        <TextInput
          data-autofocus
          label={say('name')}
          value={text}
          error={problem || undefined}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
        <Group mt={16} gap={8}>
          <Button type="submit" disabled={text.trim() === ''}>
            {say('save')}
          </Button>
          <Button variant="subtle" onClick={onClose}>
            {say('cancel')}
          </Button>
        </Group>
      </Form>
    </Modal>
  )
}
