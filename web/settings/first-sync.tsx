import { useQueryClient } from '@tanstack/react-query'
import { callByName } from '../data/client.ts'
import { keysOf } from '../data/keys.ts'
import { tellRefusal } from '../design/notices.tsx'
import { Button } from '../design/press.tsx'
import { isUnderWay, useNewestRun } from '../records/runs.ts'
import { useWords } from '../words/words.ts'
import classes from './settings.module.css'
import { SETTINGS } from './settings-row.ts'

/** Nothing was ever synchronised: the platform was asked whether it answers, at most. */
export function useIsFirstSync(): boolean {
  const { data: telco } = useNewestRun('telco')
  const { data: voiceai } = useNewestRun('voiceai')
  return telco === null && voiceai !== undefined && voiceai?.kind !== 'sync' && !isUnderWay(voiceai)
}

/** Both providers by one press, before the first run: no call can be with an agent that was never made. */
export function FirstSync() {
  const say = useWords('settings')
  const queries = useQueryClient()
  const begin = async (): Promise<void> => {
    for (const area of ['telco', 'voiceai']) await callByName(SETTINGS, `${area}_sync`, {}).catch(tellRefusal)
    await queries.invalidateQueries({ queryKey: keysOf('connect.sync_run') })
  }
  return (
    <>
      <p className="dim">{say('syncBothSays')}</p>
      <div className={classes.actions}>
        <Button onClick={() => begin()}>{say('syncBoth')}</Button>
      </div>
    </>
  )
}
