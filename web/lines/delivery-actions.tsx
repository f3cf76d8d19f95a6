import { useState } from 'react'
import { Button } from '../design/press.tsx'
import { useWords } from '../words/words.ts'
import { Comparison } from './comparison.tsx'
import classes from './replay.module.css'
import { useReplay } from './use-replay.ts'

/** What an administrator does with a delivery: have it worked on once more, for show or for real. */
export function DeliveryActions({ id }: { id: number }) {
  const say = useWords('deliveries')
  const { isAsking, replay } = useReplay()
  const [isComparing, setComparing] = useState(false)
  return (
    <>
      <div className={classes.buttons}>
        <Button variant="default" onClick={() => setComparing(true)}>
          {say('compare')}
        </Button>
        <Button variant="default" disabled={isAsking} onClick={() => replay([id])}>
          {say('replay')}
        </Button>
      </div>
      {isComparing ? <Comparison id={id} /> : null}
    </>
  )
}
