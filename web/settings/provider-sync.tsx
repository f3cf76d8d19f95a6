import { Modal } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { call, callByName } from '../data/client.ts'
import { keysOf } from '../data/keys.ts'
import { tellRefusal } from '../design/notices.tsx'
import { Button } from '../design/press.tsx'
import { RunSteps } from '../records/run-steps.tsx'
import { type Area, isUnderWay, type SyncRun, useNewestRun } from '../records/runs.ts'
import { useWords } from '../words/words.ts'
import { countCallsWithAgents, useImpact } from './impact.ts'
import classes from './settings.module.css'
import { SETTINGS } from './settings-row.ts'

const LOOK_MS = 1_000

interface Props {
  area: Area
  isSetUp: boolean
  /** A call has shown since the last run that the provider does not hold everything any more. */
  isOutdated?: boolean
  /** Before the first run everything differs, which tells nobody anything. */
  isFirst?: boolean
}

/** One provider: its last run, the one under way step by step, and the buttons. */
export function ProviderSync({ area, isSetUp, isOutdated = false, isFirst = false }: Props) {
  const say = useWords('settings')
  const queries = useQueryClient()
  const { data: run } = useNewestRun(area)
  const [isAsking, setAsking] = useState(false)
  const [isPressed, setPressed] = useState(false)
  const name = say(area === 'telco' ? 'phone' : 'agents')
  const begin = async (what: 'sync' | 'check'): Promise<void> => {
    setAsking(false)
    await callByName(SETTINGS, `${area}_${what}`, {}).catch(tellRefusal)
    await queries.invalidateQueries({ queryKey: keysOf('connect.sync_run') })
  }
  // A question is only worth its press where somebody would be hit.
  const press = async (): Promise<void> => {
    setPressed(true)
    const calls = area === 'voiceai' ? await countCallsWithAgents().catch(tellRefusal) : 0
    if (calls === 0) await begin('sync')
    else if (calls !== undefined) setAsking(true)
    setPressed(false)
  }
  const cancel = async (id: number): Promise<void> => {
    await call('connect.sync_run', 'cancel', { ids: [id] }).catch(tellRefusal)
    await queries.invalidateQueries({ queryKey: keysOf('connect.sync_run') })
  }
  const isBusy = isUnderWay(run)
  return (
    <section className={classes.card} aria-label={name}>
      <h2>{name}</h2>
      <State isSetUp={isSetUp} run={isFirst ? null : run} isOutdated={isOutdated && !isBusy} />
      <div className={classes.actions}>
        <Button disabled={!isSetUp || isBusy} loading={isBusy || isPressed} onClick={() => press()}>
          {say('sync')}
        </Button>
        <Button variant="default" disabled={!isSetUp || isBusy} onClick={() => begin('check')}>
          {say('compare')}
        </Button>
        {run && isBusy && run.can_cancel !== false ? (
          <Button variant="subtle" onClick={() => cancel(run.id)}>
            {say('cancel')}
          </Button>
        ) : null}
      </div>
      <Modal
        opened={isAsking}
        onClose={() => setAsking(false)}
        title={say('confirmTitle')}
        closeButtonProps={{ 'aria-label': say('close') }}
      >
        {isAsking ? <Confirm onStart={() => begin('sync')} /> : null}
      </Modal>
    </section>
  )
}

/** How the last run went, or what is in its place. */
function State({
  isSetUp,
  run,
  isOutdated,
}: Pick<Props, 'isSetUp' | 'isOutdated'> & { run: SyncRun | null | undefined }) {
  const say = useWords('settings')
  if (isOutdated) return <p>{say('outdated')}</p>
  if (run) return <RunSteps run={run} />
  if (!isSetUp) return <p className="dim">{say('noProvider')}</p>
  return run === null ? <p className="dim">{say('neverRun')}</p> : null
}

/** Counts whom it would hit; anyone who waits starts by itself when nobody is with an agent any more. */
function Confirm({ onStart }: { onStart: () => unknown }) {
  const say = useWords('settings')
  const [isWaiting, setWaiting] = useState(false)
  const { data } = useImpact({}, { refetchMs: LOOK_MS })
  const calls = data?.calls_with_agents ?? 0
  const isFree = isWaiting && data !== undefined && calls === 0
  // biome-ignore lint/correctness/useExhaustiveDependencies: it starts once, when the last call ends
  useEffect(() => {
    if (isFree) onStart()
  }, [isFree])
  return (
    <div className={classes.confirm}>
      <p role="status">
        {isWaiting ? say('waiting', { count: calls }) : null}
        {!isWaiting && calls > 0 ? `${say('callsWithAgents', { count: calls })} ${say('toolsStop')}` : null}
      </p>
      <div className={classes.actions}>
        {calls > 0 ? (
          <Button disabled={isWaiting} onClick={() => setWaiting(true)} data-autofocus>
            {say('waitForCalls')}
          </Button>
        ) : null}
        <Button variant={calls > 0 ? 'default' : 'filled'} disabled={data === undefined} onClick={onStart}>
          {say('startNow')}
        </Button>
      </div>
    </div>
  )
}
