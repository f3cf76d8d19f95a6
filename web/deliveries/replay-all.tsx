import { Group, Modal } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Domain, ModelName } from '../data/client.ts'
import { countQuery } from '../data/queries.ts'
import { Button } from '../design/press.tsx'
import { formats, useWords } from '../words/words.ts'

interface Props {
  model: ModelName
  /** Those that are worked on again. */
  domain: Domain
  /** As many as one press takes, the oldest first. */
  most: number
  isBusy: boolean
  /** Whether each is checked first, and left as it is where nothing proves it: then nobody knows how many will be worked on. */
  areChecked?: boolean
  onReplay: () => unknown
}

/** Has all of them worked on again, after it has counted them and asked; nothing where there are none. */
export function ReplayAll({ model, domain, most, isBusy, areChecked = false, onReplay }: Props) {
  const say = useWords('deliveries')
  const [isAsked, setAsked] = useState(false)
  const counting = countQuery(model, { domain })
  const { data: known = 0 } = useQuery(counting)
  const { data: total } = useQuery({ ...counting, enabled: isAsked, staleTime: 0 })
  const count = Math.min(total ?? 0, most)
  const replay = async (): Promise<void> => {
    setAsked(false)
    await onReplay()
  }
  if (known === 0 && !isAsked) return null
  return (
    <>
      <Button disabled={isBusy} onClick={() => setAsked(true)}>
        {say('replayAll')} …
      </Button>
      <Modal opened={isAsked} onClose={() => setAsked(false)} title={say('replayQuestion')} withCloseButton={false}>
        <p role="status">
          {total === undefined
            ? say('counting')
            : say(areChecked ? 'willCheck' : 'willReplay', { count, shown: formats.count(count) })}
          {total === undefined || total <= most ? '' : ` ${say('oldestFirst', { total: formats.count(total) })}`}
        </p>
        <p>{say('replaySays')}</p>
        <Group mt={16} gap={8}>
          <Button disabled={count === 0} onClick={replay}>
            {areChecked ? say('checkAndReplay') : say('replayCounted', { count, shown: formats.count(count) })}
          </Button>
          <Button variant="subtle" data-autofocus onClick={() => setAsked(false)}>
            {say('cancel')}
          </Button>
        </Group>
      </Modal>
    </>
  )
}
