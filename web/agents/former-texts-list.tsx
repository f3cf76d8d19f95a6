import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { listQuery } from '../data/queries.ts'
import { mayDo, useMe } from '../data/session.ts'
import { Button } from '../design/press.tsx'
import { plain } from '../words/formats.ts'
import { formats, useWords } from '../words/words.ts'
import classes from './agents.module.css'
import { formerTexts } from './former-texts.ts'
import { AGENT, type AgentView, AUDIT } from './use-agent.ts'

/** Changes of the agent that are looked through. */
const ENTRIES_MAX = 200
const SHOWN_MAX = 20

interface Props {
  agent: AgentView
  field: string
  /** The platform's code, of a field that holds a text for each language. */
  language?: string
  label: string
  /** What is said now. */
  now: string
  onUse: (text: string) => void
}

/** What was said in place of a text before, each with the way back into the draft; not drawn for people who read no audit. */
export function FormerTextsList({ agent, field, language, label, now, onUse }: Props) {
  const say = useWords('agents')
  const me = useMe()
  const [isOpen, setOpen] = useState(false)
  const { data: entries } = useQuery({
    ...listQuery(AUDIT, {
      domain: [
        ['model', '=', AGENT],
        ['res_id', '=', agent.id],
        ['what', '=', 'write'],
      ],
      fields: ['at', 'user', 'changes'],
      order: 'id desc',
      limit: ENTRIES_MAX,
    }),
    enabled: isOpen,
  })
  if (!agent.mayWrite || !mayDo(me, AUDIT, 'r')) return null
  const texts = formerTexts(entries ?? [], { field, language, now }).slice(0, SHOWN_MAX)
  return (
    <details className={classes.more} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        {say('formerTexts')}
        <span className="sr-only"> {label}</span>
      </summary>
      {entries !== undefined && texts.length === 0 ? <p className="dim">{say('noFormerTexts')}</p> : null}
      <ul className={classes.rows}>
        {texts.map(({ text, by, until }) => (
          <li key={text} className={classes.version}>
            <span className={classes.grow}>
              <span className={classes.former}>{plain(text)}</span>
              <span className="dim">
                {say('formerUntil', { name: by === null ? say('service') : plain(by[1]), at: formats.time(until) })}
              </span>
            </span>
            <Button variant="default" size="compact-sm" onClick={() => onUse(text)}>
              {say('useAgain')}
              <span className="sr-only"> {plain(text)}</span>
            </Button>
          </li>
        ))}
      </ul>
    </details>
  )
}
