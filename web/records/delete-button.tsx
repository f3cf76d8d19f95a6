import { Group, Modal } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { callByName, unlink } from '../data/client.ts'
import { asks, keyOf, keysOf } from '../data/keys.ts'
import { tellDone, tellRefusal } from '../design/notices.tsx'
import { Button } from '../design/press.tsx'
import { labelOf } from '../words/labels.ts'
import { formats, useWords } from '../words/words.ts'
import { ReachOfDeletion } from './reach-notice.tsx'
import { useWays } from './ways.ts'

interface Consequence {
  model: string
  label: string
  what: 'deleted' | 'kept' | 'refused'
  count: number
}

const SAYS = { deleted: 'alsoDeleted', kept: 'alsoKept', refused: 'alsoRefused' } as const

/** Deletes a record, after a question that counts what hangs on it: nothing undoes it. */
export function DeleteButton({ model, id, name }: { model: string; id: number; name: string }) {
  const say = useWords('records')
  const [isAsking, setAsking] = useState(false)
  const queries = useQueryClient()
  const navigate = useNavigate()
  const { list } = useWays(model)
  const { data: consequences = [] } = useQuery(
    asks({
      queryKey: keyOf(model, 'consequences', id),
      enabled: isAsking,
      staleTime: 0,
      queryFn: async () => (await callByName(model, 'consequences', { ids: [id] })) as Consequence[],
    }),
  )
  const remove = async (): Promise<void> => {
    try {
      await unlink(model, [id])
      tellDone(say('deleted', { name }))
      await navigate({ to: list, ignoreBlocker: true })
      for (const kind of ['record', 'one', 'peek'] as const)
        queries.removeQueries({ queryKey: keysOf(model, kind, id) })
      for (const kind of ['list', 'pages'] as const) await queries.invalidateQueries({ queryKey: keysOf(model, kind) })
    } catch (error) {
      tellRefusal(error)
    }
  }
  return (
    <>
      <Button variant="subtle" color="danger" onClick={() => setAsking(true)}>
        {say('delete')}
      </Button>
      <Modal
        opened={isAsking}
        onClose={() => setAsking(false)}
        title={say('deleteQuestion', { name })}
        withCloseButton={false}
      >
        <p>{say('deleteDetail')}</p>
        {isAsking ? <ReachOfDeletion model={model} id={id} name={name} /> : null}
        {consequences.map(({ model: other, label, what, count }) => (
          <p key={`${other} ${what}`}>
            {say(SAYS[what], { label: labelOf(label, other), total: formats.count(count) })}
          </p>
        ))}
        <Group mt={16} gap={8}>
          <Button
            color="danger"
            disabled={consequences.some(({ what }) => what === 'refused')}
            onClick={() => remove()}
          >
            {say('delete')}
          </Button>
          <Button variant="subtle" data-autofocus onClick={() => setAsking(false)}>
            {say('cancel')}
          </Button>
        </Group>
      </Modal>
    </>
  )
}
