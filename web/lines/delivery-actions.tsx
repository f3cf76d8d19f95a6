import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { callByName } from '../data/client.ts'
import { asks, keyOf } from '../data/keys.ts'
import { Button } from '../design/press.tsx'
import { useWords } from '../words/words.ts'
import { Comparison } from './comparison.tsx'
import classes from './replay.module.css'
import { useReplay } from './use-replay.ts'

/** What an administrator does with a delivery: have it worked on once more, for show or for real. */
export function DeliveryActions({ id }: { id: number }) {
  const say = useWords('deliveries')
  const { isAsking, replay } = useReplay()
  const { data: isReplayable = false } = useQuery(
    asks({
      queryKey: keyOf('connect.delivery', 'replayable', id),
      queryFn: async () =>
        ((await callByName('connect.delivery', 'replayable', { ids: [id] })) as number[]).includes(id),
    }),
  )
  const [isComparing, setComparing] = useState(false)
  return (
    <>
      <div className={classes.buttons}>
        <Button variant="default" onClick={() => setComparing(true)}>
          {say('compare')}
        </Button>
        {isReplayable ? (
          <Button variant="default" disabled={isAsking} onClick={() => replay([id])}>
            {say('replay')}
          </Button>
        ) : null}
      </div>
      {isComparing ? <Comparison id={id} /> : null}
    </>
  )
}
