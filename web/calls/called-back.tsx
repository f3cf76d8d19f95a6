import { Group, Modal } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call, type Domain, searchRead } from '../data/client.ts'
import { asks, keyOf, keysOf } from '../data/keys.ts'
import { tellDone, tellRefusal } from '../design/notices.tsx'
import { Button } from '../design/press.tsx'
import { formats, useWords } from '../words/words.ts'

/** So many calls are settled at once. */
const SETTLED_MAX = 1_000
const WAITING: Domain = [
  ['outcome', 'in', ['missed', 'given_up', 'voicemail', 'failed']],
  ['direction', '=', 'incoming'],
  ['callback_done_at', '=', false],
]

/** Says of all chosen calls that nobody needs to call back any more, after it has counted them. */
export function CalledBack({ domain, onDone }: { domain: Domain; onDone: () => void }) {
  const say = useWords('calls')
  const queries = useQueryClient()
  const [isAsked, setAsked] = useState(false)
  const { data: ids } = useQuery(
    asks({
      queryKey: keyOf('connect.call', 'waiting', domain),
      enabled: isAsked,
      queryFn: async () =>
        (await searchRead('connect.call', { domain: [...domain, ...WAITING], fields: ['id'], limit: SETTLED_MAX })).map(
          ({ id }) => id,
        ),
    }),
  )
  const lookAgain = () => queries.invalidateQueries({ queryKey: keysOf('connect.call') })
  const settle = async (): Promise<void> => {
    try {
      const settled = await call('connect.call', 'callback_done', { ids: ids ?? [] })
      setAsked(false)
      onDone()
      const back = () => call('connect.call', 'callback_undone', { ids: ids ?? [] }).then(lookAgain, tellRefusal)
      tellDone(say('settled', { count: settled, shown: formats.count(settled) }), {
        label: say('undo'),
        run: () => void back(),
      })
      await lookAgain()
    } catch (error) {
      tellRefusal(error)
    }
  }
  const count = ids?.length ?? 0
  const question = ids === undefined ? say('counting') : say('willSettle', { count, shown: formats.count(count) })
  return (
    <>
      <Button variant="subtle" size="compact-sm" onClick={() => setAsked(true)}>
        {say('settle')}
      </Button>
      <Modal opened={isAsked} onClose={() => setAsked(false)} title={question} withCloseButton={false}>
        <p role="status">{ids === undefined ? null : say('settleRest')}</p>
        <Group mt={16} gap={8}>
          <Button disabled={count === 0} onClick={settle}>
            {say('settle')}
          </Button>
          <Button variant="subtle" onClick={() => setAsked(false)}>
            {say('cancel')}
          </Button>
        </Group>
      </Modal>
    </>
  )
}
