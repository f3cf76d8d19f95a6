import { useWords } from '../words/words.ts'
import { RunSteps } from './run-steps.tsx'
import { isUnderWay, useRun } from './runs.ts'

/** The sync that a button began: how far it is, and how it ended. */
export function BegunRun({ id }: { id: number }) {
  const say = useWords('settings')
  const { data: run } = useRun(id)
  if (!run) return null
  return (
    <>
      {isUnderWay(run) ? <p role="status">{say('syncUnderWay')}</p> : null}
      <RunSteps run={run} />
    </>
  )
}
