import { Link } from '@tanstack/react-router'
import type { Keys } from '../words/keys.ts'
import { useWords } from '../words/words.ts'
import classes from './records.module.css'
import { SET_UP_STEPS, type SetUpState, type SetUpStep } from './set-up-state.ts'

const WORDS: Readonly<Record<SetUpStep, Keys['records']>> = {
  you: 'setUpYou',
  company: 'setUpCompany',
  address: 'setUpAddress',
  phone: 'setUpPhone',
  agents: 'setUpAgents',
  sync: 'setUpSync',
  number: 'setUpNumber',
  call: 'setUpCall',
}
const SIGNS = { done: '✓', open: '·', without: '–' } as const
const STATES: Readonly<Record<keyof typeof SIGNS, Keys['records']>> = {
  done: 'setUpDone',
  open: 'setUpOpen',
  without: 'setUpWithout',
}

/** The eight steps with what is done; each leads to itself. */
export function SetUpList({ state, current }: { state: SetUpState; current?: SetUpStep }) {
  const say = useWords('records')
  return (
    <ol className={classes.setUp} aria-label={say('setUpTitle')}>
      {SET_UP_STEPS.map((step, at) => (
        <li key={step}>
          <Link
            to="/settings/set-up"
            search={{ step }}
            className={classes.setUpStep}
            data-state={state[step]}
            data-current={step === current || undefined}
            aria-current={step === current ? 'step' : undefined}
          >
            <span aria-hidden className={classes.setUpSign}>
              {SIGNS[state[step]]}
            </span>
            {at + 1} {say(WORDS[step])}
            <span className="sr-only">: {say(STATES[state[step]])}</span>
          </Link>
        </li>
      ))}
    </ol>
  )
}
