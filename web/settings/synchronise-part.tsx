import { useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { whyQuery } from '../lines/why-query.ts'
import { useWords } from '../words/words.ts'
import { MendedCall } from './mended-call.tsx'
import { ProviderSync } from './provider-sync.tsx'
import classes from './settings.module.css'
import { useSettings } from './settings-row.ts'

/** Both providers: whether they hold what this service holds, and the button that makes them. */
export function SynchronisePart() {
  const say = useWords('settings')
  const { row } = useSettings()
  const { provider, call }: { provider?: unknown; call?: unknown } = useSearch({ strict: false })
  const from = typeof call === 'number' ? call : undefined
  const { data: why } = useQuery({ ...whyQuery(from ?? 0), enabled: from !== undefined })
  const isOutdated = why?.fixes.some(({ code }) => code === 'fix_synchronise_agents') === true
  const telco = (
    <ProviderSync key="telco" area="telco" isSetUp={row.account_sid !== null && row.display_auth_token !== null} />
  )
  const voiceai = (
    <ProviderSync key="voiceai" area="voiceai" isSetUp={row.display_voiceai_api_key !== null} isOutdated={isOutdated} />
  )
  return (
    <>
      {from === undefined ? null : <MendedCall id={from} />}
      {provider === 'voiceai' ? [voiceai, telco] : [telco, voiceai]}
      <p className={classes.link}>
        <Link to="/records/connect.sync_run">{say('refresh')}</Link>
      </p>
    </>
  )
}
