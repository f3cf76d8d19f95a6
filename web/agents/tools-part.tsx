import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { call } from '../data/client.ts'
import { asks, keyOf } from '../data/keys.ts'
import { listQuery } from '../data/queries.ts'
import { GROUP, useIsInOne } from '../data/session.ts'
import { BudgetBar } from '../design/budget-bar.tsx'
import { Button } from '../design/press.tsx'
import { wireInstant } from '../words/formats.ts'
import { TOOL, useToolWords } from '../words/tool-words.ts'
import { useWords } from '../words/words.ts'
import { Field } from './agent-field.tsx'
import classes from './agents.module.css'
import { ToolTry } from './tool-try.tsx'
import type { AgentView } from './use-agent.ts'

const DAYS = 7
const DAY_MS = 86_400_000
const MS_PER_SECOND = 1_000

/** What the agent can do, and how fast its tools answered against the time that the platform waits for them. */
export function ToolsPart({ agent }: { agent: AgentView }) {
  const say = useWords('agents')
  const wordsOf = useToolWords()
  const label = agent.fields.tools?.string ?? ''
  const ids = toolIds(agent.shown.tools)
  const { data: tools = [] } = useQuery({
    ...listQuery(TOOL, {
      domain: [['id', 'in', ids]],
      fields: ['name', 'description', 'tool_type', 'response_timeout_secs', 'path'],
      order: 'name',
    }),
    enabled: ids.length > 0,
  })
  const figures = useFigures(ids)
  const mayTry = useIsInOne(GROUP.connectAdmin)
  const [trying, setTrying] = useState<(typeof tools)[number]>()
  return (
    <section className={classes.card} aria-label={label}>
      <Field agent={agent} name="tools" />
      <ul className={classes.rows}>
        {tools.map((tool) => {
          const { id, name, tool_type: type, response_timeout_secs: limit, path } = tool
          const figure = figures.get(id)
          const words = wordsOf(name ?? '')
          return (
            <li key={id} className={classes.tool}>
              <span className={classes.grow}>
                <Link to="/records/$model/$id" params={{ model: TOOL, id: String(id) }} title={name ?? ''}>
                  {words}
                </Link>{' '}
                <span className="dim">{type === 'system' ? say('ofPlatform') : say('waits', { seconds: limit })}</span>
                {figure === undefined ? null : <ToolTook {...figure} />}
              </span>
              {mayTry && type === 'webhook' && path ? (
                <Button
                  variant="default"
                  size="xs"
                  aria-label={say('tryNamed', { name: words })}
                  onClick={() => setTrying(tool)}
                >
                  {say('try')}
                </Button>
              ) : null}
            </li>
          )
        })}
      </ul>
      {trying === undefined ? null : <ToolTry tool={trying} onClose={() => setTrying(undefined)} />}
    </section>
  )
}

interface Figure {
  calls: number
  errors: number
  p50_ms: number | null
  p95_ms: number | null
  budget_ms: number | null
}

function ToolTook({ calls, errors, p50_ms: half, p95_ms: most, budget_ms: budget }: Figure) {
  const say = useWords('records')
  const seconds = Math.round((budget ?? 0) / MS_PER_SECOND)
  return (
    <span className={classes.took}>
      {say('toolCalls', { count: calls })}
      {errors === 0 ? null : `, ${say('toolErrors', { count: errors })}`}
      {budget === null || most === null ? null : (
        <BudgetBar tookMs={most} budgetMs={budget} words={say('toolTook', { half, most, seconds })} />
      )}
    </span>
  )
}

/** How fast the tools answered in the last days; for administrators. */
function useFigures(ids: readonly number[]): ReadonlyMap<number, Figure> {
  const mayRead = useIsInOne(GROUP.connectAdmin)
  const { data = [] } = useQuery(
    asks({
      queryKey: keyOf(TOOL, 'tool-stats', ids),
      enabled: mayRead && ids.length > 0,
      queryFn: () => {
        const now = Date.now()
        const span = { from: wireInstant(new Date(now - DAYS * DAY_MS)), to: wireInstant(new Date(now)) }
        return call(TOOL, 'stats', { ids: [...ids], ...span })
      },
    }),
  )
  return new Map(data.filter(({ calls }) => calls > 0).map((each) => [each.id, each]))
}

function toolIds(value: unknown): number[] {
  return Array.isArray(value) ? value.filter((id) => typeof id === 'number').toSorted((one, other) => one - other) : []
}
