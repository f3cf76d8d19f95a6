import { Link } from '@tanstack/react-router'
import { useWords } from '../words/words.ts'
import { ProviderSync } from './provider-sync.tsx'
import classes from './settings.module.css'
import { useSettings } from './settings-row.ts'

/** Both providers: whether they hold what this service holds, and the button that makes them. */
export function SynchronisePart() {
  const say = useWords('settings')
  const { row } = useSettings()
  return (
    <>
      <ProviderSync area="telco" isSetUp={row.account_sid !== null && row.display_auth_token !== null} />
      <ProviderSync area="voiceai" isSetUp={row.display_voiceai_api_key !== null} />
      <p className={classes.link}>
        <Link to="/records/connect.sync_run">{say('refresh')}</Link>
      </p>
    </>
  )
}
