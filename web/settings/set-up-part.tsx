import { useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { type ComponentType, useEffect, useState } from 'react'
import { keysOf } from '../data/keys.ts'
import { Button } from '../design/press.tsx'
import { useNewestRun } from '../records/runs.ts'
import { SetUpList } from '../records/set-up-list.tsx'
import { isWhole, SET_UP_STEPS, type SetUpState, type SetUpStep, useSetUp } from '../records/set-up-state.ts'
import { useWords } from '../words/words.ts'
import { AgentQuestions } from './set-up-agent.tsx'
import { CallStep } from './set-up-call.tsx'
import { NumberStep } from './set-up-number.tsx'
import { AddressStep, AgentsStep, CompanyStep, PhoneStep, SyncStep, YouStep } from './set-up-steps.tsx'
import classes from './settings.module.css'
import { SETTINGS } from './settings-row.ts'

const STEPS: Readonly<Record<SetUpStep, ComponentType>> = {
  you: YouStep,
  company: CompanyStep,
  address: AddressStep,
  phone: PhoneStep,
  agents: AgentsStep,
  sync: SyncStep,
  number: AnsweredStep,
  call: CallStep,
}

/** An agent that answers, or whatever else does. */
function AnsweredStep() {
  return (
    <>
      <AgentQuestions />
      <NumberStep />
    </>
  )
}

/** The set-up, step by step; each proves itself before it is ticked, and can be left and resumed. */
export function SetUpPart() {
  const { data: state } = useSetUp()
  return state === undefined ? null : <Wizard state={state} />
}

/** A run that ends may have been what a step waited for. */
function useLookAfterRuns(): void {
  const queries = useQueryClient()
  const { data: telco } = useNewestRun('telco')
  const { data: voiceai } = useNewestRun('voiceai')
  const seen = [telco, voiceai].map((run) => `${run?.id} ${run?.state}`).join(' ')
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was seen is the reason
  useEffect(() => {
    void queries.invalidateQueries({ queryKey: keysOf(SETTINGS, 'set-up') })
  }, [queries, seen])
}

function Wizard({ state }: { state: SetUpState }) {
  const say = useWords('settings')
  const queries = useQueryClient()
  const navigate = useNavigate()
  const { step: wanted }: { step?: unknown } = useSearch({ strict: false })
  // The step that one begins with stays under the hand when it is done.
  const [first] = useState(SET_UP_STEPS.find((step) => state[step] === 'open') ?? 'call')
  const current = SET_UP_STEPS.find((step) => step === wanted) ?? first
  const Step = STEPS[current]
  useLookAfterRuns()
  const following = SET_UP_STEPS[SET_UP_STEPS.indexOf(current) + 1]
  const goOn = async (): Promise<void> => {
    await queries.invalidateQueries({ queryKey: keysOf(SETTINGS, 'set-up') })
    if (following !== undefined) await navigate({ to: '/settings/set-up', search: { step: following } })
  }
  const isOver = state[current] !== 'open'
  return (
    <div className={classes.wizard}>
      <SetUpList state={state} current={current} />
      <div className={classes.step}>
        {isWhole(state) ? <p role="status">{say('setUpIsWhole')}</p> : null}
        <Step key={current} />
        {following === undefined ? null : (
          <div className={classes.actions}>
            <Button variant={isOver ? 'filled' : 'default'} onClick={() => goOn()}>
              {say(isOver ? 'goOn' : 'later')}
            </Button>
            {current === 'agents' && state.agents !== 'done' ? (
              <span className="dim">{say('withoutAgents')}</span>
            ) : null}
          </div>
        )}
        {current === 'call' ? <Link to="/now">{say('toNow')}</Link> : null}
      </div>
    </div>
  )
}
