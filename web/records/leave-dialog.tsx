import { Group, Modal } from '@mantine/core'
import { Button } from '../design/press.tsx'
import { useWords } from '../words/words.ts'

interface Props {
  isAsking: boolean
  onLeave: () => void
  onStay: () => void
}

/** Asks before a form is left that is not saved; what was typed is kept as a draft either way. */
export function LeaveDialog({ isAsking, onLeave, onStay }: Props) {
  const say = useWords('records')
  return (
    <Modal opened={isAsking} onClose={onStay} title={say('leaveQuestion')} withCloseButton={false}>
      <p>{say('leaveDetail')}</p>
      <Group mt={16} gap={8}>
        <Button onClick={onStay} data-autofocus>
          {say('stay')}
        </Button>
        <Button variant="subtle" onClick={onLeave}>
          {say('leave')}
        </Button>
      </Group>
    </Modal>
  )
}
