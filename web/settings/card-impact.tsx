import { useWords } from '../words/words.ts'
import { useCarrierWords, useImpact } from './impact.ts'
import classes from './settings.module.css'
import type { Card } from './settings-cards.ts'

/** Settings that stand in what the providers hold. */
const CARRIED = ['api_url', 'api_fallback_url', 'telco_region', 'telco_edge']

/** Who uses what is entered here, and what a change sets off, before it is saved. */
export function CardImpact({ card, changes }: { card: Card; changes: Record<string, unknown> }) {
  if (!card.fields.some((name) => CARRIED.includes(name))) return null
  return <Impact changes={changes} hasAddress={card.fields.includes('api_url')} />
}

function Impact({ changes, hasAddress }: { changes: Record<string, unknown>; hasAddress: boolean }) {
  const say = useWords('settings')
  const users = useCarrierWords('after in')
  const changed = useCarrierWords('object')
  const { data } = useImpact(changes)
  if (data === undefined) return <p className={classes.impact} />
  const { pushes, carriers, calls_with_agents: calls } = data
  return (
    <p className={classes.impact} role="status">
      {pushes.length === 0 && hasAddress && carriers.length > 0 ? say('usedIn', { list: users(carriers) }) : null}
      {pushes.length > 0 ? <strong>{say('pushesNew', { list: changed(pushes) })} </strong> : null}
      {pushes.length > 0 && calls > 0 ? say('callsWithAgents', { count: calls }) : null}
    </p>
  )
}
