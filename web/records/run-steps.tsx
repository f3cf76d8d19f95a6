import { Link } from '@tanstack/react-router'
import type { Keys } from '../words/keys.ts'
import { labelOf } from '../words/labels.ts'
import { findingOf } from '../words/server-words.ts'
import { formats, useWords } from '../words/words.ts'
import classes from './run-steps.module.css'
import type { SyncRun } from './runs.ts'

const SIGNS = { waiting: '·', running: '▸', done: '✓', failed: '✕' } as const
const WORDS: Readonly<Record<keyof typeof SIGNS, Keys['settings']>> = {
  waiting: 'waitingStep',
  running: 'runningStep',
  done: 'doneStep',
  failed: 'failedStep',
}

/** How far a run is, step by step, and what is not in sync, each with the sentence that says why. */
export function RunSteps({ run }: { run: SyncRun }) {
  const say = useWords('settings')
  const { id, steps, errors, summary, state, ended_at: end } = run
  const differs = new Set((errors ?? []).map(({ step }) => step))
  return (
    <div className={classes.run}>
      <ol className={classes.steps}>
        {(steps ?? []).map(({ name, state: how, done, total }) => {
          const shown = differs.has(name) ? 'failed' : how
          return (
            <li key={name} data-state={shown}>
              <span aria-hidden>{SIGNS[shown]}</span> {labelOf(name)}{' '}
              {total === null ? null : <span className="number">{say('stepOf', { done, total })}</span>}
              <span className="sr-only">{differs.has(name) ? say('notInSync') : say(WORDS[how])}</span>
            </li>
          )
        })}
      </ol>
      {state === 'done' || state === 'failed' ? (
        <p>
          {findingOf(summary ?? '')}{' '}
          <span className="dim">{end === null ? '' : say('ranAt', { at: formats.time(end) })}</span>{' '}
          <Link to={`/records/connect.sync_run/${id}`}>{say('runDetails')}</Link>
        </p>
      ) : null}
      {(errors ?? []).length === 0 ? null : (
        <ul className={classes.problems} aria-label={say('notInSync')}>
          {(errors ?? []).map((problem) => (
            <li key={`${problem.step} ${problem.name} ${problem.message}`}>
              <span aria-hidden>✕ </span>
              <ProblemName {...problem} /> {findingOf(problem.message)}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

function ProblemName({ step, model, id, name }: { step: string; model?: string; id?: number; name?: string }) {
  // A record is called as people call it.
  const text = `${model !== undefined && name !== undefined ? name : findingOf(name ?? step)}:`
  return model === undefined || id === undefined ? (
    <strong>{text}</strong>
  ) : (
    <Link to={`/records/${model}/${id}`}>
      <strong>{text}</strong>
    </Link>
  )
}
