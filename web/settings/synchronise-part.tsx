import { Link } from '@tanstack/react-router'
import { useMe } from '../data/session.ts'
import { useWords } from '../words/words.ts'
import { ProviderSync } from './provider-sync.tsx'
import classes from './settings.module.css'

/** Both providers: whether they hold what this service holds, and the button that makes them. */
export function SynchronisePart() {
  const say = useWords('settings')
  const { features } = useMe()
  return (
    <>
      <ProviderSync area="telco" isSetUp={features.telco === true} />
      <ProviderSync area="voiceai" isSetUp={features.voiceai === true} />
      <p className={classes.link}>
        <Link to="/records/connect.sync_run">{say('refresh')}</Link>
      </p>
    </>
  )
}
