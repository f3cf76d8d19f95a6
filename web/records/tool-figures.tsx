import { useQuery } from '@tanstack/react-query'
import { call, searchRead } from '../data/client.ts'
import { asks, keyOf } from '../data/keys.ts'
import { GROUP, useIsInOne } from '../data/session.ts'
import { BudgetBar } from '../design/budget-bar.tsx'
import { plain, wireInstant } from '../words/formats.ts'
import { useWords } from '../words/words.ts'
import classes from './records.module.css'

const DAYS = 7
const DAY_MS = 86_400_000
const MS_PER_SECOND = 1_000
const TOOL = 'connect.voiceai_agent_tool'

/** The tools that an agent has; of a tool's own page, itself. */
async function toolsOf(model: string, id: number): Promise<readonly number[]> {
  if (model === TOOL) return [id]
  const domain = [['id', '=', id]] as const
  const [agent] = await searchRead('connect.voiceai_agent', { domain, fields: ['tools'] })
  return agent?.tools ?? []
}

/** How fast the tools of a voice agent answered lately, and how often they did not do what was asked; for administrators. */
export function ToolFigures({ model, id }: { model: string; id: number }) {
  const say = useWords('records')
  const mayRead = useIsInOne(GROUP.connectAdmin)
  const { data } = useQuery(
    asks({
      queryKey: keyOf(TOOL, 'tool-figures', model, id),
      enabled: mayRead,
      queryFn: async () => {
        const ids = await toolsOf(model, id)
        const now = Date.now()
        const span = { from: wireInstant(new Date(now - DAYS * DAY_MS)), to: wireInstant(new Date(now)) }
        return ids.length === 0 ? [] : call(TOOL, 'stats', { ids: [...ids], ...span })
      },
    }),
  )
  if (data === undefined) return null
  const called = data.filter(({ calls }) => calls > 0)
  return (
    <section className={classes.toolFigures} aria-label={say('toolFigures')}>
      <h2>{say('toolFigures')}</h2>
      {called.length === 0 ? <p className="dim">{say('noToolCalls')}</p> : null}
      <ul>
        {called.map(({ id: tool, name, calls, errors, p50_ms: half, p95_ms: most, budget_ms: budget }) => {
          const seconds = Math.round((budget ?? 0) / MS_PER_SECOND)
          return (
            <li key={tool}>
              <strong className="mono">{plain(name)}</strong> {say('toolCalls', { count: calls })}
              {errors === 0 ? null : `, ${say('toolErrors', { count: errors })}`}
              {budget === null || most === null ? null : (
                <BudgetBar tookMs={most} budgetMs={budget} words={say('toolTook', { half, most, seconds })} />
              )}
            </li>
          )
        })}
      </ul>
    </section>
  )
}
