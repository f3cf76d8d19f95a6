import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { callByName } from '../data/client.ts'
import { keysOf } from '../data/keys.ts'
import { tellRefusal } from '../design/notices.tsx'
import { Button } from '../design/press.tsx'
import { wordFix } from '../words/fix-words.ts'
import { findingOf, findingWords } from '../words/server-words.ts'
import { formats, useWords } from '../words/words.ts'
import { checkName } from './check-names.ts'
import { byResult, type CheckRun, changesSince, type Finding, placeOf, useCheckRuns } from './checks.ts'
import classes from './settings.module.css'
import { SETTINGS } from './settings-row.ts'

const SIGNS = { ok: '✓', note: '·', wrong: '✕' } as const
const WORDS = { ok: 'checkOk', note: 'checkNote', wrong: 'checkWrong' } as const

/** Everything that usually goes wrong, looked at by the service itself, with what sets it right. */
export function ChecksPart() {
  const say = useWords('settings')
  const queries = useQueryClient()
  const { data } = useCheckRuns()
  const begin = async (): Promise<void> => {
    await callByName(SETTINGS, 'run_checks', {}).catch(tellRefusal)
    await queries.invalidateQueries({ queryKey: keysOf('connect.check_run') })
  }
  const { newest, last, before } = data ?? {}
  const isBusy = newest?.state === 'running'
  const findings = last?.findings ?? []
  const { worse, mended } = changesSince(findings, before?.findings ?? findings)
  const wrong = findings.filter(({ result }) => result === 'wrong').length
  return (
    <section className={classes.card} aria-label={say('checks')} aria-busy={isBusy}>
      <h2>{say('checks')}</h2>
      <p role="status">
        {data === undefined ? null : stateOf(newest, wrong, say)}{' '}
        {last?.ended_at ? <span className="dim">{say('ranAt', { at: formats.time(last.ended_at) })}</span> : null}
      </p>
      {mended.length === 0 ? null : (
        <p>{say('mended', { names: mended.map((check) => checkName(check, say)).join(', ') })}</p>
      )}
      <ul className={classes.findings}>
        {byResult(findings).map((finding) => (
          <Row key={`${finding.check} ${finding.sentence}`} finding={finding} isNew={worse.has(finding.check)} />
        ))}
      </ul>
      <div className={classes.actions}>
        <Button loading={isBusy} disabled={data === undefined} onClick={() => begin()}>
          {say(newest === undefined ? 'runChecks' : 'runAgain')}
        </Button>
      </div>
    </section>
  )
}

/** What is to be said of the newest run; `wrong` is how many things it found wrong. */
function stateOf(newest: CheckRun | undefined, wrong: number, say: Say): string {
  if (newest === undefined) return say('neverChecked')
  if (newest.state === 'running') return say('checking')
  if (newest.state === 'failed') return say('checksFailed')
  return wrong === 0 ? say('nothingWrong') : say('wrongChecks', { count: wrong })
}

type Say = ReturnType<typeof useWords<'settings'>>

function Row({ finding, isNew }: { finding: Finding; isNew: boolean }) {
  const say = useWords('settings')
  const { check, result, sentence, fix } = finding
  const place = result === 'ok' ? undefined : placeOf(finding)
  const said = wordFix(fix, findingWords())
  return (
    <li data-result={result}>
      <span aria-hidden>{SIGNS[result]}</span>
      <div>
        <span className="sr-only">{say(WORDS[result])}: </span>
        <strong>{checkName(check, say)}</strong> {findingOf(sentence)}{' '}
        {isNew ? <span className={classes.fresh}>{say('newSince')}</span> : null}
        {said === '' ? null : <p className="dim">{said}</p>}
      </div>
      {place === undefined ? null : (
        <Link to={place.to} search={(place.search ?? {}) as never}>
          {say('goThere')}
        </Link>
      )}
    </li>
  )
}
