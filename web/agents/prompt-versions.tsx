import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type Row, write } from '../data/client.ts'
import { keysOf } from '../data/keys.ts'
import { listQuery } from '../data/queries.ts'
import { tellDone, tellRefusal } from '../design/notices.tsx'
import { Button } from '../design/press.tsx'
import { useTakeBack } from '../records/take-back.ts'
import { plain } from '../words/formats.ts'
import { formats, useWords } from '../words/words.ts'
import classes from './agents.module.css'
import { Difference } from './review.tsx'
import { AGENT, type AgentView, VERSION } from './use-agent.ts'

const SHOWN_MAX = 20

/** The prompts of before: who wrote each, what is different now, and the way back. */
export function PromptVersions({ agent }: { agent: AgentView }) {
  const say = useWords('agents')
  const queries = useQueryClient()
  const takeBack = useTakeBack()
  const { id, row, draft, isTyped, mayWrite } = agent
  const { data: versions = [] } = useQuery(
    listQuery(VERSION, {
      domain: [['agent', '=', id]],
      fields: ['name', 'prompt', 'create_uid', 'create_date'],
      order: 'id desc',
      limit: SHOWN_MAX,
    }),
  )
  const active = Array.isArray(row.active_prompt_version) ? row.active_prompt_version[0] : undefined
  const isDrafted = isTyped || draft?.vals.prompt !== undefined
  const restore = async (version: number, name: string): Promise<void> => {
    try {
      const sent = { active_prompt_version: version }
      await write(AGENT, [id], sent)
      const before = { active_prompt_version: row.active_prompt_version }
      tellDone(say('restored', { name }), await takeBack({ model: AGENT, id, before, sent }))
    } catch (error) {
      tellRefusal(error)
    }
    await Promise.all([AGENT, VERSION].map((model) => queries.invalidateQueries({ queryKey: keysOf(model) })))
  }
  return (
    <section aria-label={say('versions')}>
      <h2>{say('versions')}</h2>
      <ul className={classes.rows}>
        {versions.map((version) => (
          <VersionRow
            key={version.id}
            version={version}
            isActive={version.id === active}
            now={String(row.prompt ?? '')}
            hasDraft={isDrafted}
            onRestore={mayWrite ? restore : undefined}
          />
        ))}
      </ul>
    </section>
  )
}

interface RowProps {
  version: Row<typeof VERSION, 'id' | 'name' | 'prompt' | 'create_uid' | 'create_date'>
  isActive: boolean
  /** The prompt that calls have. */
  now: string
  hasDraft: boolean
  onRestore: ((version: number, name: string) => Promise<void>) | undefined
}

function VersionRow({ version, isActive, now, hasDraft, onRestore }: RowProps) {
  const say = useWords('agents')
  const { id, prompt, create_uid: by, create_date: at } = version
  const name = plain(version.name ?? '')
  return (
    <li className={classes.version}>
      <span className={classes.grow}>
        <strong>{name}</strong>{' '}
        <span className="dim">
          {say('versionBy', { name: by === null ? say('service') : plain(by[1]), at: formats.time(at) })}
        </span>
        {isActive ? null : (
          <details>
            <summary>{say('differenceTo', { name })}</summary>
            <Difference before={now} after={prompt ?? ''} />
          </details>
        )}
      </span>
      {isActive ? <span className={classes.mark}>{say('current')}</span> : null}
      {isActive || onRestore === undefined ? null : (
        <Button
          variant="default"
          size="compact-sm"
          disabled={hasDraft}
          title={hasDraft ? say('draftFirst') : undefined}
          onClick={() => onRestore(id, name)}
        >
          {say('restore')}
          <span className="sr-only"> {name}</span>
        </Button>
      )}
    </li>
  )
}
