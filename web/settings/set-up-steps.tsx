import { useQuery, useQueryClient } from '@tanstack/react-query'
import { callByName } from '../data/client.ts'
import { sentenceOf } from '../data/errors.ts'
import { keysOf } from '../data/keys.ts'
import { useMe } from '../data/session.ts'
import { tellRefusal } from '../design/notices.tsx'
import { Button } from '../design/press.tsx'
import { useProblem } from '../design/use-problem.ts'
import { RunSteps } from '../records/run-steps.tsx'
import { isUnderWay, type SyncRun, useNewestRun } from '../records/runs.ts'
import { addressQuery } from '../records/set-up-state.ts'
import { moneyIn } from '../words/money.ts'
import { findingOf } from '../words/server-words.ts'
import { BROWSER_ZONE, reader, readersLanguages, useWords } from '../words/words.ts'
import { withLabel } from './field-labels.ts'
import { FirstSync, useIsFirstSync } from './first-sync.tsx'
import { Proof } from './proof.tsx'
import { ProviderSync } from './provider-sync.tsx'
import classes from './settings.module.css'
import { SettingsCard } from './settings-card.tsx'
import { type Card, fieldsNamed } from './settings-cards.ts'
import { SETTINGS, useSettings } from './settings-row.ts'
import { spokenHere } from './spoken-here.ts'

const COMPANY: Card = {
  title: 'company',
  says: 'companySays',
  fields: ['company_name', 'country_id', 'tz', 'speech_language'],
  proposes: ({ tz, speech_language: language }, _typed, { speech_language: field }) => ({
    ...(tz === null ? { tz: BROWSER_ZONE } : {}),
    ...(language === null ? { speech_language: spokenHere(field?.selection ?? [], readersLanguages()) } : {}),
  }),
}
/** Opening hours, figures and reports are in the company's zone. */
const COMPANY_NEEDS = ['company_name', 'country_id', 'tz']
const ADDRESS: Card = { title: 'where', says: 'whereSays', fields: ['api_url'] }
const ACCOUNT: Card = { title: 'account', says: 'accountSays', fields: ['account_sid', 'display_auth_token'] }
const PLATFORM: Card = {
  title: 'platform',
  says: 'platformSays',
  fields: ['voiceai_enabled', 'display_voiceai_api_key'],
  // Anyone who enters the first key means to use it.
  proposes: ({ display_voiceai_api_key: before }, { display_voiceai_api_key: key }) =>
    key && !before ? { voiceai_enabled: true } : {},
}

/** Somebody is signed in: that is the proof. */
export function YouStep() {
  const say = useWords('settings')
  const { login } = useMe()
  return (
    <section className={classes.card}>
      <h2>{say('you')}</h2>
      <p>{say('youAre', { login })}</p>
    </section>
  )
}

export function CompanyStep() {
  const say = useWords('settings')
  const { fields, row } = useSettings()
  const missing = fieldsNamed(COMPANY_NEEDS, fields).filter(({ name }) => !row[name])
  const names = missing.map((field) => withLabel(field, say).string).join(', ')
  return (
    <>
      <SettingsCard card={COMPANY} fields={fields} row={row} />
      {names === '' || missing.length === COMPANY_NEEDS.length ? null : (
        <Proof isRight={false}>{say('companyMissing', { names })}</Proof>
      )}
    </>
  )
}

/** The address is asked as a provider would. */
export function AddressStep() {
  const say = useWords('settings')
  const { fields, row } = useSettings()
  const address = typeof row.api_url === 'string' ? row.api_url : null
  const { data, error, isFetching } = useQuery({ ...addressQuery(address), enabled: address !== null })
  return (
    <>
      <SettingsCard card={ADDRESS} fields={fields} row={row} />
      {data === undefined || isFetching ? null : (
        <Proof isRight={data.reaches}>
          {findingOf(data.sentence)} {data.reaches && data.ms > 0 ? say('tookMs', { ms: data.ms }) : null}
        </Proof>
      )}
      {error === null ? null : <Proof isRight={false}>{sentenceOf(error)}</Proof>}
    </>
  )
}

/** The account answers with what is left in it. */
export function PhoneStep() {
  const say = useWords('settings')
  const queries = useQueryClient()
  const { fields, row } = useSettings()
  const [refusal, setRefusal] = useProblem<string | undefined>(undefined)
  const ask = async (): Promise<void> => {
    setRefusal(undefined)
    await callByName(SETTINGS, 'telco_balance', {}).catch((error: unknown) => setRefusal(sentenceOf(error)))
    await queries.invalidateQueries({ queryKey: keysOf(SETTINGS) })
  }
  const balance = typeof row.telco_balance === 'string' ? row.telco_balance : undefined
  return (
    <>
      <SettingsCard card={ACCOUNT} fields={fields} row={row} onSaved={() => void ask()} />
      {refusal === undefined && balance !== undefined ? (
        <Proof isRight>{say('accountAnswers', { balance: moneyIn(balance, reader().language) })}</Proof>
      ) : null}
      {refusal === undefined ? null : <Proof isRight={false}>{refusal}</Proof>}
      {row.account_sid === null ? null : (
        <Button variant="default" onClick={() => ask()}>
          {say('askAgain')}
        </Button>
      )}
    </>
  )
}

/** The platform is compared with what is here, which changes nothing there. */
export function AgentsStep() {
  const say = useWords('settings')
  const queries = useQueryClient()
  const { fields, row } = useSettings()
  const { data: run } = useNewestRun('voiceai')
  const compare = async (): Promise<void> => {
    await callByName(SETTINGS, 'voiceai_check', {}).catch(tellRefusal)
    await queries.invalidateQueries({ queryKey: keysOf('connect.sync_run') })
  }
  const hasKey = row.display_voiceai_api_key !== null
  const isOn = row.voiceai_enabled === true
  return (
    <>
      <SettingsCard card={PLATFORM} fields={fields} row={row} onSaved={() => void compare()} />
      {hasKey && run && !hasOnlyAnswered(run) ? <RunSteps run={run} /> : null}
      {isOn && run && run.state === 'done' ? <Proof isRight>{say('platformAnswers')}</Proof> : null}
      {hasKey && !isOn ? <Proof isRight={false}>{say('switchOn')}</Proof> : null}
      {hasKey ? (
        <Button variant="default" onClick={() => compare()} disabled={isUnderWay(run)}>
          {say('askAgain')}
        </Button>
      ) : null}
    </>
  )
}

/** Before the first SYNC everything differs: that the platform answers is all that is told. */
function hasOnlyAnswered({ kind, state }: SyncRun): boolean {
  return kind === 'check' && state !== 'failed'
}

export function SyncStep() {
  const { row } = useSettings()
  const isFirst = useIsFirstSync()
  const isSetUp = {
    telco: row.account_sid !== null && row.display_auth_token !== null,
    voiceai: row.display_voiceai_api_key !== null,
  }
  return (
    <>
      {isFirst && isSetUp.telco && isSetUp.voiceai ? <FirstSync /> : null}
      <ProviderSync area="telco" isSetUp={isSetUp.telco} />
      <ProviderSync area="voiceai" isSetUp={isSetUp.voiceai} isFirst={isFirst} />
    </>
  )
}
