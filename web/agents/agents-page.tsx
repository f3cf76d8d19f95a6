import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { listQuery } from '../data/queries.ts'
import { mayDo, useMe } from '../data/session.ts'
import { EmptyState } from '../design/empty-state.tsx'
import { PageHead } from '../design/page-head.tsx'
import { plain } from '../words/formats.ts'
import { formats, useWords } from '../words/words.ts'
import { noCallsKey, useAgentCalls } from './agent-calls.ts'
import { AgentState } from './agent-state.tsx'
import classes from './agents.module.css'
import { AGENT, DRAFT } from './use-agent.ts'

const SHOWN_MAX = 200

/** Every voice agent with its state; each leads to its page. */
export function AgentsPage() {
  const say = useWords('agents')
  const me = useMe()
  const { data: agents } = useQuery(
    listQuery(AGENT, {
      fields: ['name', 'synced', 'sync_error', 'agent_uid', 'voice', 'write_date'],
      order: 'name',
      limit: SHOWN_MAX,
    }),
  )
  const { data: drafts = [] } = useQuery(listQuery(DRAFT, { fields: ['agent'], limit: SHOWN_MAX }))
  const calls = useAgentCalls()
  const drafted = new Set(drafts.map(({ agent }) => agent?.[0]))
  return (
    <>
      <PageHead title={say('title')}>
        {mayDo(me, AGENT, 'c') ? (
          <>
            <Link to="/settings/set-up" search={{ step: 'number' }}>
              {say('makeOne')}
            </Link>
            <Link to="/records/$model/$id" params={{ model: AGENT, id: 'new' }}>
              {say('newByForm')}
            </Link>
          </>
        ) : null}
      </PageHead>
      {agents?.length === 0 ? <EmptyState title={say('empty')} detail={say('emptySays')} /> : null}
      <ul className={classes.list} aria-label={say('title')}>
        {agents?.map((agent) => {
          const figures = calls.get(agent.id)
          return (
            <li key={agent.id}>
              <Link to="/agents/$id" params={{ id: String(agent.id) }} className={classes.agent}>
                <strong>{plain(agent.name ?? '')}</strong>
                <AgentState agent={agent} isDrafted={drafted.has(agent.id)} />
                <span className="dim">
                  {figures === undefined
                    ? say(noCallsKey(me))
                    : say('lastCall', { at: formats.time(figures.last), count: figures.calls })}
                </span>
                <span className="dim">
                  {figures === undefined || figures.rated === 0
                    ? ''
                    : say('solved', { solved: figures.solved, rated: figures.rated })}
                </span>
              </Link>
            </li>
          )
        })}
      </ul>
    </>
  )
}
