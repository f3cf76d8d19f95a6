import { Button, Group, Modal } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { unlink } from '../data/client.ts'
import { tellDone, tellRefusal } from '../design/notices.tsx'
import { useWords } from '../words/words.ts'

/** Deletes a record, after a question: nothing undoes it. */
export function DeleteButton({ model, id, name }: { model: string; id: number; name: string }) {
  const say = useWords('records')
  const [isAsking, setAsking] = useState(false)
  const queries = useQueryClient()
  const navigate = useNavigate()
  const remove = async (): Promise<void> => {
    try {
      await unlink(model, [id])
      tellDone(say('deleted'))
      await navigate({ to: '/records/$model', params: { model } })
      queries.removeQueries({ queryKey: [model, 'one', id] })
      await queries.invalidateQueries({ queryKey: [model, 'list'] })
    } catch (error) {
      setAsking(false)
      tellRefusal(error)
    }
  }
  return (
    <>
      <Button variant="subtle" color="danger" onClick={() => setAsking(true)}>
        {say('delete')}
      </Button>
      <Modal opened={isAsking} onClose={() => setAsking(false)} title={say('deleteQuestion')} withCloseButton={false}>
        <p>{say('deleteDetail', { name })}</p>
        <Group mt={16} gap={8}>
          <Button color="danger" onClick={() => void remove()}>
            {say('delete')}
          </Button>
          <Button variant="subtle" onClick={() => setAsking(false)}>
            {say('cancel')}
          </Button>
        </Group>
      </Modal>
    </>
  )
}
