import { Group, Modal, TextInput } from '@mantine/core'
import { useState } from 'react'
import { Button, Form } from '../design/press.tsx'
import { useWords } from '../words/words.ts'
import type { View } from './views.ts'

const NAME_CHARS_MAX = 80

interface Props {
  naming: 'new' | View | undefined
  onName: (name: string) => unknown
  onClose: () => void
}

/** Asks for the name of a view. */
export function ViewName({ naming, onName, onClose }: Props) {
  const say = useWords('records')
  return (
    <Modal
      opened={naming !== undefined}
      onClose={onClose}
      title={naming === 'new' ? say('viewSaveAs') : say('viewRename')}
      withCloseButton={false}
    >
      <NameForm before={naming === 'new' ? '' : (naming?.name ?? '')} onName={onName} onClose={onClose} />
    </Modal>
  )
}

function NameForm({ before, onName, onClose }: { before: string } & Pick<Props, 'onName' | 'onClose'>) {
  const say = useWords('records')
  const [name, setName] = useState(before)
  const submit = () => (name.trim() === '' ? undefined : onName(name.trim()))
  return (
    <Form onSubmit={submit}>
      <TextInput
        label={say('viewName')}
        data-autofocus
        maxLength={NAME_CHARS_MAX}
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      <Group mt={16} gap={8}>
        <Button type="submit" disabled={name.trim() === ''}>
          {say('save')}
        </Button>
        <Button variant="subtle" onClick={onClose}>
          {say('cancel')}
        </Button>
      </Group>
    </Form>
  )
}
