import { Link, useParams } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import { useMe } from '../data/session.ts'
import { EmptyState } from '../design/empty-state.tsx'
import { PageHead } from '../design/page-head.tsx'
import { useCurrentInSight } from '../design/scroll.ts'
import { useWords } from '../words/words.ts'
import { AuditPart } from './audit-part.tsx'
import { ChecksPart } from './checks-part.tsx'
import { GroupsPart } from './groups-part.tsx'
import { KeysPart } from './keys-part.tsx'
import { PeoplePart } from './people-part.tsx'
import { SetUpPart } from './set-up-part.tsx'
import classes from './settings.module.css'
import { SettingsCard } from './settings-card.tsx'
import { CARDS } from './settings-cards.ts'
import { type Part, partsFor } from './settings-parts.ts'
import { useSettings } from './settings-row.ts'
import { SynchronisePart } from './synchronise-part.tsx'

/** Parts that are more than cards. */
const OWN: Readonly<Record<string, ComponentType>> = {
  'set-up': SetUpPart,
  people: PeoplePart,
  groups: GroupsPart,
  keys: KeysPart,
  checks: ChecksPart,
  synchronise: SynchronisePart,
  audit: AuditPart,
}

/** What administrators decide while the service runs, by what one wants to do. */
export function SettingsPage() {
  const say = useWords('settings')
  const parts = partsFor(useMe())
  const { part: name = parts[0]?.name } = useParams({ strict: false }) as { part?: string }
  const part = parts.find((each) => each.name === name)
  const row = useCurrentInSight<HTMLElement>([name])
  return (
    <>
      <PageHead title={part === undefined ? say('title') : `${say('title')}: ${say(part.words)}`} />
      <div className={classes.frame}>
        <nav ref={row} className={classes.parts} aria-label={say('parts')}>
          {parts.map(({ name: each, words }) => (
            <Link
              key={each}
              to={`/settings/${each}`}
              className={classes.part}
              data-current={each === name || undefined}
              aria-current={each === name ? 'page' : undefined}
            >
              {say(words)}
            </Link>
          ))}
        </nav>
        <div className={classes.page}>
          {part === undefined ? <EmptyState title={say('noSuchPart')} /> : bodyOf(part)}
        </div>
      </div>
    </>
  )
}

function bodyOf({ name }: Part) {
  const Own = OWN[name]
  return Own === undefined ? <Cards key={name} name={name} /> : <Own />
}

function Cards({ name }: { name: string }) {
  const { fields, row } = useSettings()
  return (CARDS[name] ?? []).map((card) => <SettingsCard key={card.title} card={card} fields={fields} row={row} />)
}
