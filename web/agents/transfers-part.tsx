import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { listQuery } from '../data/queries.ts'
import { SilentExtensionNote } from '../records/silent-person.tsx'
import { plain } from '../words/formats.ts'
import { named, useWords } from '../words/words.ts'
import classes from './agents.module.css'
import { AGENT, type AgentView } from './use-agent.ts'
import { idOf } from './voice-part.tsx'

const EXTENSIONS = 'connect.telco.exten'
const SHOWN_MAX = 500
/** `100 <Sarah>`, as the service names an extension. */
const SHORT_NUMBER = /^(\d+) <(.+)>$/

/** Whom callers are handed over to, in words, and who rings when the agent cannot be reached. */
export function TransfersPart({ agent }: { agent: AgentView }) {
  const say = useWords('agents')
  const { id, mayWrite } = agent
  const { data: extensions = [], isPending: isComing } = useQuery(
    listQuery(EXTENSIONS, { fields: ['name', 'is_published'], order: 'number', limit: SHOWN_MAX }),
  )
  const { data: transfers = [], isPending: areRulesComing } = useQuery(
    listQuery('connect.voiceai_agent_transfer', {
      domain: [['agent', '=', id]],
      fields: ['transfer_to_agent', 'condition'],
      order: 'id',
      limit: SHOWN_MAX,
    }),
  )
  const published = extensions.filter(({ is_published: isPublished }) => isPublished === true)
  return (
    <section className={classes.card} aria-label={say('transfers')}>
      <h2>{say('transfers')}</h2>
      <ul className={classes.sentences}>
        {published.map(({ id: exten, name }) => (
          <li key={`exten ${exten}`}>
            {say('toExtension', { name: nameOf(name, '$2 ($1)') })}
            <SilentExtensionNote extension={[exten]} />
          </li>
        ))}
        {transfers.map(({ id: rule, transfer_to_agent: to, condition }) => (
          <li key={`agent ${rule}`}>
            {say('toAgent', { name: to === null ? '' : plain(to[1]), condition: plain(condition ?? '') })}
          </li>
        ))}
      </ul>
      {published.length + transfers.length === 0 && !isComing && !areRulesComing ? (
        <p className="dim">{say('noTransfers')}</p>
      ) : null}
      {mayWrite ? (
        <p>
          <Link to="/records/$model" params={{ model: EXTENSIONS }}>
            {say('extensions')}
          </Link>{' '}
          ·{' '}
          <Link to="/records/$model/$id" params={{ model: AGENT, id: String(id) }}>
            {say('agentTransfers')}
          </Link>
        </p>
      ) : null}
      <Fallback agent={agent} extensions={extensions} isComing={isComing} />
    </section>
  )
}

function nameOf(name: string | null, how = '$1 · $2'): string {
  return named((name ?? '').replace(SHORT_NUMBER, how))
}

interface FallbackProps {
  agent: AgentView
  extensions: readonly { id: number; name: string | null }[]
  /** Whether they are still on their way. */
  isComing: boolean
}

/** Who rings when the agent cannot be reached. */
function Fallback({ agent: { shown, fields, mayWrite, problems, change }, extensions, isComing }: FallbackProps) {
  const say = useWords('agents')
  const label = fields.fallback_exten?.string ?? ''
  const fallback = idOf(shown.fallback_exten)
  const name = nameOf(extensions.find((each) => each.id === fallback)?.name ?? null)
  if (!mayWrite) {
    return (
      <>
        <div className={classes.label}>{label}</div>
        <p>{isComing ? '…' : name || '–'}</p>
      </>
    )
  }
  return (
    <Select
      label={label}
      description={fields.fallback_exten?.help ?? undefined}
      clearable
      searchable
      placeholder={isComing ? undefined : say('nobody')}
      error={problems.fallback_exten}
      data={extensions.map((each) => ({ value: String(each.id), label: nameOf(each.name) || `#${each.id}` }))}
      value={fallback === undefined ? null : String(fallback)}
      onChange={(next) => change('fallback_exten', next === null ? null : Number(next))}
    />
  )
}
