import { Link, useSearch } from '@tanstack/react-router'
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
  const telco = (
    <ProviderSync key="telco" area="telco" isSetUp={row.account_sid !== null && row.display_auth_token !== null} />
  )
  const voiceai = <ProviderSync key="voiceai" area="voiceai" isSetUp={row.display_voiceai_api_key !== null} />
  return (
    <>
      {typeof call === 'number' ? <MendedCall id={call} /> : null}
      {provider === 'voiceai' ? [voiceai, telco] : [telco, voiceai]}
      <p className={classes.link}>
        <Link to="/records/connect.sync_run">{say('refresh')}</Link>
      </p>
    </>
  )
}
